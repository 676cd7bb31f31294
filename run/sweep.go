package run

import (
	"context"
	"errors"
	"time"

	"quern"
	"quern/store"
)

// sweepEvery is how often old runs are looked for, and sweepRuns how many at a time.
const (
	sweepEvery = 10 * time.Second
	sweepRuns  = 500
)

var expiry = quern.Failure{Kind: quern.Timeout, Code: quern.CodeTimeout, Message: "the run took longer than it may"}

// sweepUntil sweeps from time to time until ctx ends.
func (s *Service) sweepUntil(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.sweep(ctx)
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
	err = errors.Join(err, s.store.Update(ctx, func(tx *store.Tx) error {
		keep, err := tx.Retention(ctx, quern.RetainRuns, s.limits.Retention)
		if err == nil && keep > 0 {
			_, err = tx.DeleteEndedRuns(ctx, s.now().Add(-keep), sweepRuns)
		}
		return err
	}))
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "old runs cannot be swept", "error", err)
	}
}

// stored returns a time as the store keeps it.
func stored(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }
