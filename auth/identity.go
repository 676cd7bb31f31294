package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"quern"
	"quern/store"
)

// authenticateIdentity believes a token of the outside issuer and returns the
// user its account is tied to, tying it at the first sign-in. A token that is bound to
// the resource alone is read-only unless it has the scope write.
func (s *Service) authenticateIdentity(ctx context.Context, e *envelope, resource string) (quern.Principal, error) {
	issuer, c, username, err := s.issuer.verify(ctx, e, s.audienceOf(resource))
	if err != nil {
		return quern.Principal{}, err
	}
	u, err := s.identified(ctx, issuer, c.Subject)
	if quern.Is(err, quern.NotFound) {
		u, err = s.identify(ctx, issuer, c.Subject, username)
	}
	switch {
	case err != nil:
		return quern.Principal{}, err
	case u.Disabled:
		return quern.Principal{}, refuse(detailDisabled)
	}
	narrow := !slices.Contains(c.Audience, s.issuer.audience)
	// A token for one resource is an application's, which administers nothing.
	admin := !narrow && (u.Admin || c.admin)
	return quern.Principal{User: u, ReadOnly: narrow && !c.grants(ScopeWrite), Admin: admin}, nil
}

// grantsAdmin reports whether claims say what want does, CLAIM=VALUE.
func grantsAdmin(all map[string]json.RawMessage, want string) bool {
	claim, value, _ := strings.Cut(want, "=")
	raw, found := all[claim]
	for path := strings.Split(claim, "."); !found && len(path) > 1; path = path[1:] {
		var inner map[string]json.RawMessage
		if json.Unmarshal(all[path[0]], &inner) != nil {
			return false
		}
		all = inner
		raw, found = all[strings.Join(path[1:], ".")]
	}
	var said any
	if !found || json.Unmarshal(raw, &said) != nil {
		return false
	}
	list, several := said.([]any)
	if !several {
		list = []any{said}
	}
	return slices.ContainsFunc(list, func(one any) bool {
		yes, isBool := one.(bool)
		return one == any(value) || isBool && yes && value == "true"
	})
}

func (s *Service) identified(ctx context.Context, issuer, subject string) (u quern.User, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		u, err = tx.UserIdentified(ctx, issuer, subject)
		return err
	})
	return u, err
}

// identify ties an account to the user of its username, adding the user when
// there is none. A username whose user is tied to another account is refused:
// the issuer may have given it to someone else.
func (s *Service) identify(ctx context.Context, issuer, subject, username string) (u quern.User, err error) {
	name, ok := quern.Username(username)
	if !ok {
		return u, refuse("the token names no username that can be used here").
			Because(fmt.Errorf("claim %s is not a username", s.issuer.usernameClaim))
	}
	now := s.now().UTC().Truncate(time.Microsecond)
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		u, err = tx.UserNamed(ctx, name)
		if quern.Is(err, quern.NotFound) {
			u = quern.User{ID: quern.NewID[quern.UserID](), Username: name, CreatedAt: now}
			if err = tx.InsertUser(ctx, u, ""); err == nil {
				err = s.audit(ctx, tx, quern.AuditAddUser, u)
			}
		}
		if err != nil {
			return err
		}
		return tx.InsertIdentity(ctx, issuer, subject, u.ID, now)
	})
	if !quern.Is(err, quern.Conflict) {
		return u, err
	}
	// Either the same account was tied by another request at this moment, or
	// the username belongs to another account.
	if u, again := s.identified(ctx, issuer, subject); again == nil {
		return u, nil
	}
	return quern.User{}, refuse("the username belongs to another account").Because(err)
}

// claimed reads the username out of a token's claims.
func claimed(all map[string]json.RawMessage, claim string, c claims) (string, error) {
	if claim == "email" && c.Verified != nil && !*c.Verified {
		return "", errors.New("email not verified")
	}
	var name string
	if raw, found := all[claim]; found {
		if err := json.Unmarshal(raw, &name); err != nil {
			return "", fmt.Errorf("claim %s is not text", claim)
		}
	}
	return name, nil
}
