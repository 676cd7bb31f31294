package admin

import (
	"context"
	"errors"
	"time"

	"quern"
	"quern/store"
)

const (
	// deleteEvery is how often users are looked for that are to be deleted.
	deleteEvery = 5 * time.Second
	// deleteSome is how many conversations go in one transaction.
	deleteSome = 100
)

// Delete begins to delete a user with all that is theirs: its datasets and their objects,
// definitions and knowledge, uploads, conversations and runs, those of others about its
// namespaces, grants given and got, tokens and sessions. It is disabled at once, and
// gone when nothing is left. Asking again is harmless. Conflict for the principal itself.
func (s *Service) Delete(ctx context.Context, p quern.Principal, username string) (quern.ManagedUser, error) {
	if err := mayChange(p); err != nil {
		return quern.ManagedUser{}, err
	}
	a, err := s.managed(ctx, username)
	if err != nil {
		return a, err
	}
	if a.ID == p.User.ID {
		return a, quern.E(quern.Conflict, quern.CodeConflict, "you cannot delete yourself; another administrator can")
	}
	if err := s.Store.Update(ctx, func(tx *store.Tx) error {
		begun := quern.AuditEntry{Actor: p.User.ID, Action: quern.AuditDeleteUser, User: a.ID}
		return errors.Join(tx.BeginDeletion(ctx, a.ID, s.Now()), s.audit(ctx, tx, begun))
	}); err != nil {
		return a, err
	}
	if err := s.stopWork(ctx, a.ID); err != nil {
		return a, err
	}
	return s.managed(ctx, a.Username)
}

// stopWork ends what is being done in a user's name.
func (s *Service) stopWork(ctx context.Context, user quern.UserID) error {
	var all []quern.Work
	err := s.Store.View(ctx, func(tx *store.Tx) (err error) {
		all, err = tx.WorkOf(ctx, user)
		return err
	})
	for _, w := range all {
		// What has ended meanwhile needs no end.
		if failed := s.cancel(ctx, w.ID); failed != nil && !quern.Is(failed, quern.Conflict) && !quern.Is(failed, quern.NotFound) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// Run deletes the users that are to be deleted, until ctx ends.
func (s *Service) Run(ctx context.Context) {
	tick := time.NewTicker(deleteEvery)
	defer tick.Stop()
	for {
		if err := s.DeleteDue(ctx); err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "the deletion of a user goes on later", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// DeleteDue goes on with every deletion, as far as it can now. One that fails does not
// keep the others.
func (s *Service) DeleteDue(ctx context.Context) error {
	var due []quern.User
	err := s.Store.View(ctx, func(tx *store.Tx) (err error) {
		due, err = tx.UsersInDeletion(ctx, s.Now().Add(-s.Settle))
		return err
	})
	for _, u := range due {
		err = errors.Join(err, s.delete(ctx, u))
	}
	return err
}

func (s *Service) delete(ctx context.Context, u quern.User) error {
	if err := errors.Join(s.stopWork(ctx, u.ID), s.Auth.ForgetName(ctx, u.Username)); err != nil {
		return err
	}
	if err := s.Catalog.DeleteOwned(ctx, u.ID); err != nil {
		return err
	}
	if err := s.deleteConversations(ctx, u); err != nil {
		return err
	}
	if done, err := s.Upload.DeleteOwned(ctx, u.ID); err != nil || !done {
		return err
	}
	gone := false
	err := s.Store.Update(ctx, func(tx *store.Tx) error {
		gone = false
		left, err := tx.CountGarbageFor(ctx, u.ID)
		if err != nil || left > 0 {
			return err // upkeep sweeps them; the next round comes soon
		}
		gone = true
		return errors.Join(tx.DeleteUser(ctx, u), s.audit(ctx, tx, quern.AuditEntry{Action: quern.AuditUserDeleted, User: u.ID}))
	})
	if quern.Is(err, quern.Conflict) {
		return nil // something of it came meanwhile: the next round finds it
	}
	if err == nil && gone {
		s.Log.InfoContext(ctx, "a user is deleted", "user", u.ID)
	}
	return err
}

func (s *Service) deleteConversations(ctx context.Context, u quern.User) error {
	for {
		var n int64
		err := s.Store.Update(ctx, func(tx *store.Tx) (err error) {
			n, err = tx.DeleteSomeConversations(ctx, u, deleteSome)
			return err
		})
		if err != nil || n == 0 {
			return err
		}
	}
}
