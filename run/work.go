package run

import (
	"context"
	"errors"
	"time"

	"quern"
	"quern/store"
)

const (
	// leaseLife is how long a run stays with a server that is not heard of.
	leaseLife = 5 * time.Second
	// beat is how often a server is heard of, and hears that a run is no longer its own.
	beat = 500 * time.Millisecond
	// look is how often a server looks for runs that others queued, or left.
	look = time.Second
	// sweep is how often old runs are looked for, and sweepRuns how many at a time.
	sweep     = 10 * time.Second
	sweepRuns = 500
	// maxAttempts is how often work is begun before it is given up.
	maxAttempts = 5
	// goodbye is how long a stopping server takes to hand its runs back.
	goodbye = 5 * time.Second
)

// stored gives a time as the store keeps it.
func stored(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

func (s *Service) lease() store.Lease {
	return store.Lease{Holder: quern.NewID[string](), Until: s.now().Add(leaseLife)}
}

// Work works on runs until ctx ends, and then hands back what it could not
// finish soon. Every server runs it, once.
func (s *Service) Work(ctx context.Context) {
	if s.alone {
		err := s.store.Update(ctx, func(tx *store.Tx) error { return tx.FreeRuns(ctx, s.now()) })
		if err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "runs that were cut off wait for their lease to end", "error", err)
		}
	}
	work, interrupt := context.WithCancelCause(context.WithoutCancel(ctx))
	s.crew.open(work)
	beating, still := context.WithCancel(work)
	quiet := make(chan struct{})
	go func() {
		defer close(quiet)
		every(beating, beat, s.keep)
	}()
	swept := make(chan struct{})
	go func() {
		defer close(swept)
		every(ctx, sweep, s.sweep)
	}()
	s.dispatch(ctx)
	s.crew.shut()
	patience := time.AfterFunc(s.limits.Finish, func() { interrupt(errStopping) })
	s.crew.working.Wait()
	patience.Stop()
	interrupt(nil)
	still()
	<-quiet
	<-swept
	s.crew.close()
}

func every(ctx context.Context, d time.Duration, do func(context.Context)) {
	tick := time.NewTicker(d)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			do(ctx)
		}
	}
}

// dispatch hands runs that are due to free places. While it waits for a place,
// the next free one is its own: no question passes those that wait.
func (s *Service) dispatch(ctx context.Context) {
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case s.crew.slots <- struct{}{}:
		}
		if s.takeOne(ctx) {
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-s.crew.woken:
		case <-tick.C:
		}
	}
}

// takeOne takes the run that is due longest, in a place that is free. It reports
// whether there was one. What is worked on here is left alone: its lease may run
// out where the store is slow, and to begin it again would only add to that.
func (s *Service) takeOne(ctx context.Context) bool {
	work, ok := s.crew.begin()
	if !ok {
		return false
	}
	l := s.lease()
	var r quern.Run
	err := s.scribe.write(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		if r, err = tx.TakeRun(ctx, l, s.now(), s.crew.ids()...); err != nil {
			return err
		}
		return tx.RunContent(ctx, &r, true)
	})
	if err != nil {
		s.crew.leave()
		if !missing(err) && ctx.Err() == nil {
			s.log.WarnContext(ctx, "no run can be taken", "error", err)
		}
		return false
	}
	go s.hold(work, r, l.Holder)
	return true
}

// keep extends the leases of the runs that are worked on, and stops the work on
// those that are lost. It writes where the work on them writes: two transactions
// over the same runs, each in an order of its own, would wait for each other.
func (s *Service) keep(ctx context.Context) {
	all := s.crew.all()
	if len(all) == 0 {
		return
	}
	now := s.now()
	var lost []*held
	err := s.scribe.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		lost = lost[:0]
		for _, h := range all {
			kept, err := tx.KeepRun(ctx, h.run.ID, store.Lease{Holder: h.holder, Until: now.Add(leaseLife)})
			if err != nil {
				return err
			}
			if !kept {
				lost = append(lost, h)
			}
		}
		return nil
	})
	if err != nil {
		s.log.WarnContext(ctx, "the leases of runs cannot be kept", "error", err)
	}
	for _, h := range lost {
		h.stop(errLost)
	}
	for _, h := range all {
		switch {
		case err == nil:
			h.kept = now
		case now.Sub(h.kept) >= leaseLife:
			h.stop(errLost)
		}
	}
}

// sweep ends runs that are past their life and deletes those past their
// retention.
func (s *Service) sweep(ctx context.Context) {
	var overdue []quern.RunID
	err := s.store.View(ctx, func(tx *store.Tx) (err error) {
		overdue, err = tx.OverdueRuns(ctx, s.now().Add(-s.limits.Life), sweepRuns)
		return err
	})
	for _, id := range overdue {
		// One that cannot be ended must not keep the others.
		_, failed := s.end(ctx, id, quern.RunExpired, expiry)
		err = errors.Join(err, failed)
	}
	if s.limits.Retention > 0 {
		err = errors.Join(err, s.store.Update(ctx, func(tx *store.Tx) error {
			_, err := tx.DeleteEndedRuns(ctx, s.now().Add(-s.limits.Retention), sweepRuns)
			return err
		}))
	}
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "old runs cannot be swept", "error", err)
	}
}

var expiry = quern.Failure{Code: quern.CodeTimeout, Message: "the run took longer than it may"}
