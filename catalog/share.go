package catalog

import (
	"context"

	"quern"
	"quern/store"
)

// Target addresses what a share is on: a namespace when Dataset is empty.
type Target = quern.DatasetPath

// target returns the id of what the principal may see the shares of, or why it may not.
func target(ctx context.Context, tx *store.Tx, p quern.Principal, t Target) (string, error) {
	if t.Dataset == "" {
		access, err := namespaceAccess(ctx, tx, p, t.In())
		return string(access.Namespace.ID), decide(p, Audit, access, err)
	}
	d, err := dataset(ctx, tx, p, t, Audit)
	return string(d.ID), err
}

// lockTarget is target for a change of shares: the thing stays until the transaction ends.
func lockTarget(ctx context.Context, tx *store.Tx, p quern.Principal, t Target) (string, error) {
	if t.Dataset == "" {
		n, err := lockNamespace(ctx, tx, p, t.In(), Share)
		return string(n.ID), err
	}
	access, err := lockDataset(ctx, tx, p, t, Share)
	return string(access.Dataset.ID), err
}

// Shares lists who was granted what, by username.
func (s *Service) Shares(ctx context.Context, p quern.Principal, t Target) (shares []quern.Share, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		id, err := target(ctx, tx, p, t)
		if err != nil {
			return err
		}
		shares, err = tx.Shares(ctx, id)
		return err
	})
	return shares, err
}

// Share grants a role, in place of any the grantee had.
func (s *Service) Share(ctx context.Context, p quern.Principal, t Target, share quern.Share) (quern.Share, error) {
	err := s.store.Update(ctx, func(tx *store.Tx) error {
		id, err := lockTarget(ctx, tx, p, t)
		if err != nil {
			return err
		}
		grantee, err := knownUser(ctx, tx, share.Username)
		switch {
		case quern.Is(err, quern.NotFound):
			return refuse("unknown", "username: there is no such user")
		case err != nil:
			return err
		case grantee.ID == p.User.ID:
			return refuse("self", "username: you own it; it cannot be shared with yourself")
		}
		share.Username = grantee.Username
		return s.change(ctx, tx, p, id, grantee.ID, share.Role)
	})
	return share, err
}

// Revoke takes a grantee's role away, whichever it is, and returns what it was.
// NotFound when there is none.
func (s *Service) Revoke(ctx context.Context, p quern.Principal, t Target, username string) (revoked quern.Share, err error) {
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		id, err := lockTarget(ctx, tx, p, t)
		if err != nil {
			return err
		}
		grantee, err := knownUser(ctx, tx, username)
		if err != nil {
			return err
		}
		role, err := tx.Grant(ctx, id, grantee.ID)
		if err != nil {
			return err
		}
		if role == quern.Nobody {
			return notFound()
		}
		revoked = quern.Share{Username: grantee.Username, Role: role}
		return s.change(ctx, tx, p, id, grantee.ID, quern.Nobody)
	})
	return revoked, err
}

// change moves a grantee's role and records it. A change to the same role is
// none and leaves no record.
func (s *Service) change(ctx context.Context, tx *store.Tx, p quern.Principal, id string, grantee quern.UserID, after quern.Role) error {
	before, err := tx.Grant(ctx, id, grantee)
	if err != nil || before == after {
		return err
	}
	if after == quern.Nobody {
		err = tx.DeleteGrant(ctx, id, grantee)
	} else {
		err = tx.PutGrant(ctx, id, grantee, after, s.now())
	}
	if err != nil {
		return err
	}
	if err := tx.InsertGrantChange(ctx, store.GrantChange{Resource: id, Actor: p.User.ID, User: grantee, Before: before, After: after,
		At: s.now()}); err != nil {
		return err
	}
	return tx.Audit(ctx, quern.AuditEntry{At: s.now(), Actor: p.User.ID, Action: quern.AuditShare, User: grantee, Object: id,
		Detail: map[string]string{"before": string(before), "after": string(after)}})
}

// ShareAudit lists the changes of rights, newest first. before is the cursor
// the previous page gave; next is empty at the end.
func (s *Service) ShareAudit(
	ctx context.Context, p quern.Principal, t Target, before string, limit int,
) (changes []quern.ShareChange, next string, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		id, err := target(ctx, tx, p, t)
		if err != nil {
			return err
		}
		var ids []string
		if changes, ids, err = tx.ShareChanges(ctx, id, before, limit+1); err != nil {
			return err
		}
		next = ""
		if len(changes) > limit {
			changes, next = changes[:limit], ids[limit-1]
		}
		return nil
	})
	return changes, next, err
}

// knownUser returns the user a body names, in whatever capitals.
func knownUser(ctx context.Context, tx *store.Tx, username string) (quern.User, error) {
	name, ok := quern.Username(username)
	if !ok {
		return quern.User{}, notFound()
	}
	u, err := tx.UserNamed(ctx, name)
	if quern.Is(err, quern.NotFound) {
		return u, notFound()
	}
	return u, err
}

func refuse(code, message string) error {
	return quern.E(quern.Invalid, quern.CodeInvalid, "the request fails validation").With(quern.SubError{Code: code, Message: message})
}
