package catalog

import (
	"context"
	"time"

	"quern"
	"quern/store"
)

// stagedGrace is how long objects that somebody may still be writing outlive the deletion
// of their owner: longer than a write that has lost its dataset goes on.
const stagedGrace = 10 * time.Minute

// DeleteOwned removes every namespace of a user, with all datasets, for whoever deletes
// the user: it asks for nobody's rights. The objects become garbage that bears the
// user's id until it is swept. It may be called again after a failure.
func (s *Service) DeleteOwned(ctx context.Context, user quern.UserID) error {
	for {
		var n quern.NamespaceID
		var ids []quern.DatasetID
		err := s.store.View(ctx, func(tx *store.Tx) (err error) {
			if n, err = tx.SomeNamespace(ctx, user); err == nil {
				ids, err = tx.DatasetsIn(ctx, n)
			}
			return err
		})
		if quern.Is(err, quern.NotFound) {
			return nil
		}
		for _, id := range ids {
			if err == nil {
				err = s.deleteFor(ctx, user, id)
			}
		}
		if err == nil {
			err = s.store.Update(ctx, func(tx *store.Tx) error { return tx.DeleteNamespace(ctx, n) })
		}
		// A dataset may have come meanwhile; then the namespace stays for another round.
		if err != nil && !quern.Is(err, quern.Conflict) {
			return err
		}
	}
}

// deleteFor removes a dataset whose owner is being deleted.
func (s *Service) deleteFor(ctx context.Context, user quern.UserID, id quern.DatasetID) error {
	return s.store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.LockDataset(ctx, id); err != nil {
			return err
		}
		if err := tx.GarbageFor(ctx, user, id, s.now().Add(stagedGrace)); err != nil {
			return err
		}
		segments, err := tx.Segments(ctx, id)
		if err != nil {
			return err
		}
		// Nobody reads what is left of it: it goes without grace.
		if _, err := tx.DeleteSegments(ctx, segments, s.now()); err != nil {
			return err
		}
		published, err := tx.AllPublished(ctx, id)
		if err != nil {
			return err
		}
		for _, p := range published {
			if err := tx.DeletePublished(ctx, p, s.now()); err != nil {
				return err
			}
		}
		if err := tx.GarbageFor(ctx, user, id, s.now().Add(stagedGrace)); err != nil {
			return err
		}
		if err := s.empty(ctx, tx, id); err != nil {
			return err
		}
		return tx.DeleteDataset(ctx, id)
	})
}
