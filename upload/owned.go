package upload

import (
	"context"

	"quern"
	"quern/store"
)

// DeleteOwned frees and forgets every upload session of a user, for whoever deletes the
// user: it asks for nobody's rights. It reports whether nothing is left; while a backup
// runs it leaves all as it is. It may be called again after a failure.
func (s *Service) DeleteOwned(ctx context.Context, user quern.UserID) (done bool, err error) {
	for {
		ids, err := s.find(ctx, func(tx *store.Tx) ([]quern.SessionID, error) { return tx.SomeUploads(ctx, user, batch) })
		if err != nil || len(ids) == 0 {
			return err == nil, err
		}
		if held, err := s.held(ctx); held || err != nil {
			return false, err
		}
		for _, id := range ids {
			if err := s.deleteOne(ctx, id); err != nil {
				return false, err
			}
		}
	}
}

func (s *Service) deleteOne(ctx context.Context, id quern.SessionID) error {
	session, err := s.session(ctx, id)
	if quern.Is(err, quern.NotFound) {
		return nil // another server was faster
	}
	if err != nil {
		return err
	}
	if err := s.free(ctx, session); err != nil {
		return err
	}
	return s.store.Update(ctx, func(tx *store.Tx) error { return tx.DeleteUploadSession(ctx, id) })
}
