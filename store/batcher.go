package store

import (
	"context"
	"errors"
	"sync"
	"time"

	"quern"
)

// Batcher writes for many at once: whatever has come while one transaction commits goes
// into the next, together. A commit costs more than what is in it. Who waits first does the
// work for all, so nothing runs while nobody waits.
type Batcher[T any] struct {
	// Most is how many share a transaction, at most.
	Most int
	// Patience is how long a transaction may take.
	Patience time.Duration
	// Write writes some in one transaction. What it has to say of one alone it says to that
	// one; where it fails nothing is written, and each is tried by itself.
	Write func(context.Context, []T) error
	// Fail tells one that it was not written.
	Fail func(T, error)

	mu      sync.Mutex
	waiting []*batched[T]
	busy    bool // somebody writes
}

// batched is one that waits.
type batched[T any] struct {
	one  T
	done chan struct{} // closed when it was written, or was told that it was not
	lead chan struct{} // closed when it is its turn to write what has come
}

// errUnwritten is what those hear whose transaction panicked.
var errUnwritten = errors.New("store: nothing was written")

// Add has one written, and returns when it was or has been told why not. It fails only
// when ctx had ended before; afterwards its end stops nothing.
func (b *Batcher[T]) Add(ctx context.Context, one T) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w := &batched[T]{one, make(chan struct{}), make(chan struct{})}
	b.mu.Lock()
	b.waiting = append(b.waiting, w)
	first := !b.busy
	b.busy = true
	b.mu.Unlock()
	if !first {
		select {
		case <-w.done:
			return nil
		case <-w.lead:
		}
	}
	b.lead(context.WithoutCancel(ctx))
	return nil
}

// Waiting is how many wait for a transaction to begin.
func (b *Batcher[T]) Waiting() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.waiting)
}

// lead writes the first of those that wait and lets the next one lead.
func (b *Batcher[T]) lead(ctx context.Context) {
	b.mu.Lock()
	n := min(len(b.waiting), b.Most)
	some := b.waiting[:n:n]
	b.waiting = b.waiting[n:]
	b.mu.Unlock()
	all := make([]T, n)
	for i, w := range some {
		all[i] = w.one
	}
	ended := false
	// Those that wait hear of the end whatever it is.
	defer func() {
		for _, w := range some {
			if !ended {
				b.Fail(w.one, errUnwritten)
			}
			close(w.done)
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		if len(b.waiting) > 0 {
			close(b.waiting[0].lead)
		} else {
			b.waiting, b.busy = nil, false
		}
	}()
	b.commit(ctx, all)
	ended = true
}

// commit writes some together; where something spoils that, each for itself.
func (b *Batcher[T]) commit(ctx context.Context, all []T) {
	ctx, cancel := context.WithTimeout(ctx, b.Patience)
	defer cancel()
	spoiled := b.Write(ctx, all)
	if spoiled == nil {
		return
	}
	for _, one := range all {
		err := spoiled
		if len(all) > 1 && !quern.Is(spoiled, quern.Unavailable) && ctx.Err() == nil {
			err = b.Write(ctx, []T{one})
		}
		if errors.Is(err, context.DeadlineExceeded) {
			// The patience is ours, so it is not the caller's work that took too long.
			err = quern.E(quern.Unavailable, quern.CodeUnavailable, "the metadata store does not answer").Because(err)
		}
		if err != nil {
			b.Fail(one, err)
		}
	}
}
