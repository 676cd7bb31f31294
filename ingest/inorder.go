package ingest

import (
	"context"
	"sync"
)

// maxAhead is how many values may wait for the one that is next.
const maxAhead = 8

// inOrder hands on values in order that come out of order, such as blocks that several
// goroutines work on.
type inOrder[T any] struct {
	take    func(context.Context, T) error
	mu      sync.Mutex
	moved   sync.Cond // next has grown, or there is no sense in waiting
	waiting map[int]T
	next    int
}

func newInOrder[T any](take func(context.Context, T) error) *inOrder[T] {
	o := &inOrder[T]{take: take, waiting: map[int]T{}}
	o.moved.L = &o.mu
	return o
}

// put takes a value by its number, from 0 on. Those that come too early wait for the ones
// before them, and who brings too many waits with them.
func (o *inOrder[T]) put(ctx context.Context, number int, value T) error {
	wake := context.AfterFunc(ctx, func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.moved.Broadcast()
	})
	defer wake()
	o.mu.Lock()
	defer o.mu.Unlock()
	for number > o.next+maxAhead && ctx.Err() == nil {
		o.moved.Wait()
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	o.waiting[number] = value
	defer o.moved.Broadcast()
	for {
		value, ok := o.waiting[o.next]
		if !ok {
			return nil
		}
		delete(o.waiting, o.next)
		o.next++
		if err := o.take(ctx, value); err != nil {
			return err
		}
	}
}
