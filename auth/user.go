package auth

import (
	"context"
	"errors"
	"time"

	"quern"
	"quern/store"
)

// AddUser adds a user. The password may be empty when users sign in at an
// outside issuer: the first account there with this username becomes the
// user's. Conflict when the name is taken.
func (s *Service) AddUser(ctx context.Context, username, password string) (quern.User, error) {
	name, ok := quern.Username(username)
	if !ok {
		return quern.User{}, invalid("username", "name",
			"must be 1 to 64 letters, digits, '.', '_', '@', '+' and '-', starting with a letter or digit, and not a reserved word")
	}
	var hash string
	if s.Embedded() || password != "" {
		var err error
		if hash, err = s.newHash(ctx, password); err != nil {
			return quern.User{}, err
		}
	}
	u := quern.User{ID: quern.NewID[quern.UserID](), Username: name, CreatedAt: s.now().UTC().Truncate(time.Microsecond)}
	err := s.store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.InsertUser(ctx, u, hash); err != nil {
			return err
		}
		return s.audit(ctx, tx, quern.AuditAddUser, u)
	})
	if quern.Is(err, quern.Conflict) {
		err = quern.E(quern.Conflict, quern.CodeNameTaken, "user %s exists already", name).Because(err)
	}
	return u, err
}

func (s *Service) newHash(ctx context.Context, password string) (string, error) {
	if err := validPassword(password); err != nil {
		return "", err
	}
	return s.hasher.hash(ctx, password)
}

// Users lists all users by name.
func (s *Service) Users(ctx context.Context) (all []quern.User, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		all, err = tx.Users(ctx)
		return err
	})
	return all, err
}

// User returns the user of a username in any case; NotFound when there is none.
func (s *Service) User(ctx context.Context, username string) (u quern.User, err error) {
	name, ok := quern.Username(username)
	if !ok {
		return u, unknownUser(username)
	}
	err = s.store.View(ctx, func(tx *store.Tx) error {
		u, err = tx.UserNamed(ctx, name)
		return err
	})
	if quern.Is(err, quern.NotFound) {
		return u, unknownUser(username).Because(err)
	}
	return u, err
}

func unknownUser(username string) *quern.Error {
	return quern.E(quern.NotFound, quern.CodeNotFound, "there is no user %q", username)
}

// As returns the principal of a user, for the operator who acts in its name.
func (s *Service) As(ctx context.Context, username string) (quern.Principal, error) {
	u, err := s.User(ctx, username)
	return quern.Principal{User: u, Admin: u.Admin}, err
}

// Still returns the principal that a user is now, with the API token or the session
// that it acted with, if any: what Principal.Proof said then. It is what work done in
// somebody's name asks before it goes on. Forbidden, with a reason for the reader of
// that work, when a request of theirs would be refused by now. A browser that is shut
// does not end its session: only signing out does, and its time.
func (s *Service) Still(ctx context.Context, user quern.UserID, proof quern.TokenID) (quern.Principal, error) {
	var t quern.Token
	var u quern.User
	var in store.Session
	err := s.store.View(ctx, func(tx *store.Tx) (err error) {
		t, in = quern.Token{}, store.Session{} // this function may run again
		if u, err = tx.User(ctx, user); err != nil || proof == "" {
			return err
		}
		if t, err = tx.Token(ctx, proof); quern.Is(err, quern.NotFound) {
			in, err = tx.Session(ctx, quern.BrowserID(proof))
		}
		return err
	})
	switch {
	case quern.Is(err, quern.NotFound):
		return quern.Principal{}, over(endGone).Because(err)
	case err != nil:
		return quern.Principal{}, err
	}
	why := s.ending(u, t)
	if why == nil && in.ID != "" {
		why = s.sessionEnding(in)
	}
	if why != nil {
		return quern.Principal{}, over(why)
	}
	p := holder(u, t)
	p.Session = in.ID
	return p, nil
}

// over is the error of work whose asker is no longer good.
func over(why *ending) *quern.Error {
	return quern.E(quern.Forbidden, quern.CodeForbidden, "%s", why.then)
}

// DisableUser refuses every token of a user from now on and ends its sign-ins and
// sessions.
// It is idempotent.
func (s *Service) DisableUser(ctx context.Context, username string) error {
	return s.changeUser(ctx, username, func(tx *store.Tx, u quern.User) error {
		return errors.Join(s.Disable(ctx, tx, u), s.audit(ctx, tx, quern.AuditDisableUser, u))
	})
}

// Disable is DisableUser in a transaction of the caller's, which tells the audit trail.
func (s *Service) Disable(ctx context.Context, tx *store.Tx, u quern.User) error {
	if err := tx.SetUserDisabled(ctx, u.ID, s.now()); err != nil {
		return err
	}
	return tx.EndSessions(ctx, u.ID, s.now())
}

// audit tells the audit trail what the operator did to a user.
func (s *Service) audit(ctx context.Context, tx *store.Tx, action quern.AuditAction, u quern.User) error {
	return tx.Audit(ctx, quern.AuditEntry{At: s.now(), Action: action, User: u.ID})
}

// EnableUser lets a user in again. API tokens that were not revoked work again;
// sign-ins do not come back. It is idempotent.
func (s *Service) EnableUser(ctx context.Context, username string) error {
	return s.changeUser(ctx, username, func(tx *store.Tx, u quern.User) error {
		return errors.Join(tx.SetUserDisabled(ctx, u.ID, time.Time{}), s.audit(ctx, tx, quern.AuditEnableUser, u))
	})
}

// SetAdmin gives a user the role admin, or takes it away, from the next request on. It
// is idempotent.
func (s *Service) SetAdmin(ctx context.Context, username string, admin bool) error {
	action := quern.AuditGrantRole
	if !admin {
		action = quern.AuditRevokeRole
	}
	return s.changeUser(ctx, username, func(tx *store.Tx, u quern.User) error {
		return errors.Join(tx.SetUserAdmin(ctx, u.ID, admin), s.audit(ctx, tx, action, u))
	})
}

// ForgetName forgets failed sign-ins under a username.
func (s *Service) ForgetName(ctx context.Context, username string) error {
	return s.store.Update(ctx, func(tx *store.Tx) error { return tx.ForgetLoginFailures(ctx, subject("account", username)) })
}

// SetPassword replaces a user's password, ends its sign-ins and forgets failed
// ones. API tokens stay.
func (s *Service) SetPassword(ctx context.Context, username, password string) error {
	hash, err := s.newHash(ctx, password)
	if err != nil {
		return err
	}
	return s.changeUser(ctx, username, func(tx *store.Tx, u quern.User) error {
		if err := errors.Join(tx.SetUserPassword(ctx, u.ID, hash), s.audit(ctx, tx, quern.AuditSetPassword, u)); err != nil {
			return err
		}
		if err := tx.ForgetLoginFailures(ctx, subject("account", u.Username)); err != nil {
			return err
		}
		return tx.EndSessions(ctx, u.ID, s.now())
	})
}

func (s *Service) changeUser(ctx context.Context, username string, change func(*store.Tx, quern.User) error) error {
	u, err := s.User(ctx, username)
	if err != nil {
		return err
	}
	return s.store.Update(ctx, func(tx *store.Tx) error { return change(tx, u) })
}
