package opentable

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quern"
	"quern/store"
)

// Wake has the upkeep look for segments to rewrite now.
func (s *Service) Wake() {
	select {
	case s.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// Upkeep rewrites segments that other engines cannot read and forgets versions whose
// time has come, until ctx ends. Every replica may run it.
func (s *Service) Upkeep(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-s.wake:
		}
		if err := s.WidenAll(ctx); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "rewriting segments for other engines failed", "error", err)
		}
		if err := s.Forget(ctx); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "forgetting versions of tables failed", "error", err)
		}
	}
}

// WidenAll rewrites what keeps tables that other engines asked for from being read. A
// dataset that cannot be rewritten does not keep the others from it.
func (s *Service) WidenAll(ctx context.Context) error {
	const batch = 64
	var errs []error
	for after := quern.DatasetID(""); ; {
		var ids []quern.DatasetID
		err := s.Store.View(ctx, func(tx *store.Tx) (err error) {
			ids, err = tx.UnpublishedDatasets(ctx, after, batch)
			return err
		})
		if err != nil {
			return errors.Join(append(errs, err)...)
		}
		for _, id := range ids {
			after = id
			if err := s.Rewrite.Widen(ctx, id, Narrow); err != nil {
				errs = append(errs, fmt.Errorf("dataset %s: %w", id, err))
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		if len(ids) < batch {
			return errors.Join(errs...)
		}
	}
}

// Forget lets go of versions whose objects have gone, with what was written for them.
func (s *Service) Forget(ctx context.Context) error {
	const batch = 200
	for {
		var spent []store.Published
		err := s.Store.Update(ctx, func(tx *store.Tx) (err error) {
			if spent, err = tx.SpentPublished(ctx, s.Now(), batch); err != nil {
				return err
			}
			for _, p := range spent {
				if err := tx.DeletePublished(ctx, p, s.Now()); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || len(spent) < batch {
			return err
		}
	}
}
