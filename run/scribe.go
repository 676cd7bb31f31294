package run

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"quern"
	"quern/store"
)

const (
	// mostEntries is how many writes share a transaction, at most.
	mostEntries = 64
	// writePatience is how long a transaction may take.
	writePatience = 30 * time.Second
)

// scribe writes to the store for many at once: whatever has gathered while one
// transaction commits goes into the next. Commits cost more than what is in
// them, so that runs which go on at the same time share them.
type scribe struct {
	store    *store.Store
	patience time.Duration // how long a transaction may take

	mu    sync.Mutex
	queue []*entry
	busy  bool // somebody is writing
}

// entry is one write that waits.
type entry struct {
	do   func(context.Context, *store.Tx) error
	err  error
	done chan struct{} // closed when it is written or refused
	lead chan struct{} // closed when it is its turn to write what has gathered
}

// write runs do in a transaction that others may share. do must have written
// nothing when it refuses: when it fails with errLost, Invalid, NotFound or
// Throttled. It must stand being run again.
func (s *scribe) write(ctx context.Context, do func(context.Context, *store.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	e := &entry{do: do, done: make(chan struct{}), lead: make(chan struct{})}
	s.mu.Lock()
	s.queue = append(s.queue, e)
	first := !s.busy
	s.busy = true
	s.mu.Unlock()
	if !first {
		select {
		case <-e.done:
			return e.err
		case <-e.lead:
		}
	}
	s.writeSome(context.WithoutCancel(ctx))
	return e.err
}

// writeSome writes the first entries of the queue and lets the next one lead.
func (s *scribe) writeSome(ctx context.Context) {
	s.mu.Lock()
	n := min(len(s.queue), mostEntries)
	batch := s.queue[:n:n]
	s.queue = s.queue[n:]
	s.mu.Unlock()
	s.commit(ctx, batch)
	for _, e := range batch {
		close(e.done)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) > 0 {
		close(s.queue[0].lead)
	} else {
		s.queue, s.busy = nil, false
	}
}

// commit writes entries together; where one of them spoils that, each for itself.
func (s *scribe) commit(ctx context.Context, batch []*entry) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	err := s.store.Update(ctx, func(tx *store.Tx) error {
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
			e.err = s.store.Update(ctx, func(tx *store.Tx) error { return e.try(ctx, tx) })
		}
		if errors.Is(e.err, context.DeadlineExceeded) {
			// The patience is ours, so it is not the asker's work that took too long.
			e.err = quern.E(quern.Unavailable, quern.CodeUnavailable, "the metadata store does not answer").Because(e.err)
		}
	}
}

// try runs an entry. One that panics fails like any other: those that wait for
// the same transaction must hear of its end.
func (e *entry) try(ctx context.Context, tx *store.Tx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("run: a write panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return e.do(ctx, tx)
}

// refused reports whether an entry had nothing to write.
func refused(err error) bool {
	if errors.Is(err, errLost) {
		return true
	}
	switch quern.KindOf(err) {
	case quern.Invalid, quern.NotFound, quern.Throttled:
		return true
	}
	return false
}
