package run

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
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

// batcher writes to the store for many at once: whatever has gathered while one
// transaction commits goes into the next. A commit costs more than what is in
// it, so runs that go on at the same time share them.
type batcher struct {
	store    *store.Store
	patience time.Duration // how long a transaction may take

	mu    sync.Mutex
	queue []*batched
	busy  bool // somebody is writing
}

// batched is one write that waits.
type batched struct {
	do   func(context.Context, *store.Tx) error
	err  error
	done chan struct{} // closed when it is written or refused
	lead chan struct{} // closed when it is its turn to write what has gathered
}

// write runs do in a transaction that others may share. do must have written
// nothing when it refuses: when it fails with lease.ErrLost, Invalid, NotFound or
// Throttled. It must stand being run again.
func (b *batcher) write(ctx context.Context, do func(context.Context, *store.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	e := &batched{do: do, done: make(chan struct{}), lead: make(chan struct{})}
	b.mu.Lock()
	b.queue = append(b.queue, e)
	first := !b.busy
	b.busy = true
	b.mu.Unlock()
	if !first {
		select {
		case <-e.done:
			return e.err
		case <-e.lead:
		}
	}
	b.writeSome(context.WithoutCancel(ctx))
	return e.err
}

// writeSome writes the first of the queue and lets the next one lead.
func (b *batcher) writeSome(ctx context.Context) {
	b.mu.Lock()
	n := min(len(b.queue), mostWrites)
	batch := b.queue[:n:n]
	b.queue = b.queue[n:]
	b.mu.Unlock()
	b.commit(ctx, batch)
	for _, e := range batch {
		close(e.done)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.queue) > 0 {
		close(b.queue[0].lead)
	} else {
		b.queue, b.busy = nil, false
	}
}

// commit makes writes together; where one of them spoils that, each for itself.
func (b *batcher) commit(ctx context.Context, batch []*batched) {
	ctx, cancel := context.WithTimeout(ctx, b.patience)
	defer cancel()
	err := b.store.Update(ctx, func(tx *store.Tx) error {
		for _, e := range batch {
			if e.err = e.try(ctx, tx); e.err != nil && !refused(e.err) {
				return e.err
			}
		}
		return nil
	})
	for _, e := range batch {
		switch {
		case err == nil:
			continue
		case len(batch) == 1, quern.Is(err, quern.Unavailable), ctx.Err() != nil:
			e.err = err
		default:
			e.err = b.store.Update(ctx, func(tx *store.Tx) error { return e.try(ctx, tx) })
		}
		if errors.Is(e.err, context.DeadlineExceeded) {
			// The patience is ours, so it is not the asker's work that took too long.
			e.err = quern.E(quern.Unavailable, quern.CodeUnavailable, "the metadata store does not answer").Because(e.err)
		}
	}
}

// try makes a write. One that panics fails like any other: those that wait for
// the same transaction must hear of its end.
func (e *batched) try(ctx context.Context, tx *store.Tx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("run: a write panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return e.do(ctx, tx)
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
