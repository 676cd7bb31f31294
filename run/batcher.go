package run

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"quern"
	"quern/lease"
	"quern/store"
)

const (
	// mostWrites is how many writes share a transaction, at most.
	mostWrites = 64
	// writePatience is how long a transaction may take.
	writePatience = 30 * time.Second
)

// batcher writes to the store for many runs at once.
type batcher struct{ store.Batcher[*write] }

// write is a write that waits.
type write struct {
	do  func(context.Context, *store.Tx, *askers) error
	err error
}

func newBatcher(s *store.Store, patience time.Duration) *batcher {
	return &batcher{store.Batcher[*write]{
		Most: mostWrites, Patience: patience, Fail: func(w *write, err error) { w.err = err },
		Write: func(ctx context.Context, all []*write) error {
			return s.Update(ctx, func(tx *store.Tx) error {
				users := &askers{}
				for _, w := range all {
					if w.err = w.try(ctx, tx, users); w.err != nil && !refused(w.err) {
						return w.err
					}
				}
				return users.count(ctx, tx)
			})
		},
	}}
}

// write runs do in a transaction that others may share. do must have written
// nothing when it refuses: when it fails with lease.ErrLost, Invalid, NotFound or
// Throttled. It must stand being run again.
func (b *batcher) write(ctx context.Context, do func(context.Context, *store.Tx) error) error {
	return b.start(ctx, func(ctx context.Context, tx *store.Tx, _ *askers) error { return do(ctx, tx) })
}

// start is write for those who ask questions.
func (b *batcher) start(ctx context.Context, do func(context.Context, *store.Tx, *askers) error) error {
	w := &write{do: do}
	if err := b.Add(ctx, w); err != nil {
		return err
	}
	return w.err
}

// try makes a write. One that panics fails like any other: those that wait for
// the same transaction must hear of its end.
func (w *write) try(ctx context.Context, tx *store.Tx, users *askers) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("run: a write panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return w.do(ctx, tx, users)
}

// refused reports whether a write wrote nothing.
func refused(err error) bool {
	if errors.Is(err, lease.ErrLost) {
		return true
	}
	switch quern.KindOf(err) {
	case quern.Invalid, quern.NotFound, quern.Throttled:
		return true
	}
	return false
}
