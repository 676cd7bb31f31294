package run

import (
	"context"

	"quern"
	"quern/store"
)

// Glance gives a run of the principal's without what it has done: no plan, steps
// or result.
func (s *Service) Glance(ctx context.Context, p quern.Principal, id quern.RunID) (r quern.Run, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		r, err = visible(ctx, tx, p, id)
		return err
	})
	return r, err
}
