package run

import (
	"context"
	"iter"
	"time"

	"quern"
	"quern/store"
)

const (
	// lookAfar is how often a run that another server works on is looked at.
	lookAfar = 250 * time.Millisecond
	// lookHere is the same for a run of this server's, which says itself when
	// there is something to see.
	lookHere = 5 * time.Second
	// batchEvents and batchBytes bound what a reader holds of a run at a time.
	batchEvents = 16
	batchBytes  = 32 << 10
	// readPatience is how long a look at the store may take.
	readPatience = 30 * time.Second
)

// await looks at a run in the store, again after each change, until look has
// what it wants or fails. The end of ctx ends the waiting; a look that has begun
// is not cut off, for it is short and its connection would be lost.
func (s *Service) await(ctx context.Context, id quern.RunID, look func(context.Context, *store.Tx) (bool, error)) error {
	changed, done := s.broadcast.watch(id)
	defer done()
	timer := time.NewTimer(lookHere)
	defer timer.Stop()
	for {
		signal := changed() // before the look, so that no change falls between
		enough, err := s.look(context.WithoutCancel(ctx), look)
		if err != nil || enough {
			return err
		}
		pause := lookAfar
		if s.workers.Has(string(id)) {
			pause = lookHere
		}
		timer.Reset(pause)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-signal:
		case <-timer.C:
		}
	}
}

func (s *Service) look(ctx context.Context, look func(context.Context, *store.Tx) (bool, error)) (enough bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, readPatience)
	defer cancel()
	err = s.store.View(ctx, func(tx *store.Tx) (err error) {
		enough, err = look(ctx, tx)
		return err
	})
	return enough, err
}

// Next returns some of a run's events behind a number, in order. It waits until
// there is one, the run has ended, or ctx does. last says that nothing follows. While
// questions are being stored it lets them: the work on runs waits for them too.
func (s *Service) Next(ctx context.Context, p quern.Principal, id quern.RunID, after int64) (
	events []quern.RunEvent, last bool, err error,
) {
	s.arrivals.wait(ctx)
	err = s.await(ctx, id, func(ctx context.Context, tx *store.Tx) (bool, error) {
		r, err := visible(ctx, tx, p, id)
		if err != nil {
			return false, err
		}
		if r.Last > after {
			if events, err = tx.RunEvents(ctx, id, after, batchEvents, batchBytes); err != nil {
				return false, err
			}
		}
		last = r.Status.Final() && after+int64(len(events)) >= r.Last
		return last || len(events) > 0, nil
	})
	return events, last, err
}

// Events returns a run's events behind a number, in order: those that are stored,
// then the others as they happen, on whichever server, until the last one or an
// error. Readers hold a small batch at a time and never hold up the run.
func (s *Service) Events(ctx context.Context, p quern.Principal, id quern.RunID, after int64) iter.Seq2[quern.RunEvent, error] {
	return func(yield func(quern.RunEvent, error) bool) {
		for last := false; !last; {
			var events []quern.RunEvent
			var err error
			if events, last, err = s.Next(ctx, p, id, after); err != nil {
				yield(quern.RunEvent{}, err)
				return
			}
			for _, e := range events {
				if after = e.Seq; !yield(e, nil) {
					return
				}
			}
		}
	}
}

// Wait returns a run once it has ended. Unavailable when this server stops first.
func (s *Service) Wait(ctx context.Context, p quern.Principal, id quern.RunID) (r quern.Run, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(s.workers.Over(), func() {
		cancel(quern.E(quern.Unavailable, quern.CodeUnavailable, "this server stops; the run %s goes on", id))
	})()
	err = s.await(ctx, id, func(ctx context.Context, tx *store.Tx) (bool, error) {
		if r, err = visible(ctx, tx, p, id); err != nil || !r.Status.Final() {
			return false, err
		}
		return true, tx.RunContent(ctx, &r, true)
	})
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return r, err
}
