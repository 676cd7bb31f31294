package blob

import (
	"bytes"
	"context"

	"golang.org/x/sync/errgroup"
)

// ParallelPuts is how many objects of a batch are written at the same time.
const ParallelPuts = 4

// Object is a whole object in memory.
type Object struct {
	Key  string
	Body []byte
}

// Batcher is an ability that a Store may have: it stores several objects in fewer
// steps than one by one.
type Batcher interface {
	// PutAll stores objects, each as Put does, once before has returned nil. What it
	// can do unseen and without a trace after a cut, it does meanwhile. When before
	// fails, that is the error and nothing has changed; after any other error, some
	// of the objects may be there.
	PutAll(ctx context.Context, objects []Object, before func() error) error
}

// PutAll stores objects as Batcher says, in a store that may have that ability.
func PutAll(ctx context.Context, s Store, objects []Object, before func() error) error {
	if b, ok := s.(Batcher); ok {
		return b.PutAll(ctx, objects, before)
	}
	if err := before(); err != nil {
		return err
	}
	puts, ctx := errgroup.WithContext(ctx)
	puts.SetLimit(ParallelPuts)
	for _, o := range objects {
		puts.Go(func() error { return s.Put(ctx, o.Key, bytes.NewReader(o.Body), int64(len(o.Body))) })
	}
	return puts.Wait()
}
