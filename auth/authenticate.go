package auth

import (
	"context"
	"errors"

	"quern"
	"quern/store"
)

// apiIssuer issues API tokens. It is not the public URL, so that they are good
// under any address of the server and can be made where none is known.
const apiIssuer = "quern"

// Authenticate returns the principal that a bearer token proves. A token that
// proves none, or is bound to a resource, is Unauthentic; the store or the outside
// issuer being away is Unavailable.
func (s *Service) Authenticate(ctx context.Context, bearer string) (quern.Principal, error) {
	return s.authenticate(ctx, bearer, "")
}

// At believes the tokens that are good at one resource of this server, a path below the
// public URL: those that are bound to it, and those that are bound to none.
func (s *Service) At(resource string) Bound { return Bound{s, resource} }

// Bound is a service at one resource.
type Bound struct {
	service  *Service
	resource string
}

// Authenticate is the service's, for tokens at the resource.
func (b Bound) Authenticate(ctx context.Context, bearer string) (quern.Principal, error) {
	return b.service.authenticate(ctx, bearer, b.resource)
}

// audienceOf is how a token names a resource of this server that it is bound to; empty
// for none.
func (s *Service) audienceOf(resource string) string {
	if resource == "" {
		return ""
	}
	return s.options.PublicURL + resource
}

func (s *Service) authenticate(ctx context.Context, bearer, resource string) (quern.Principal, error) {
	if bearer == "" {
		return quern.Principal{}, refuse(detailMissing)
	}
	e, err := open(bearer)
	if err != nil {
		return quern.Principal{}, refuse(detailInvalid).Because(err)
	}
	switch {
	case e.issuer == apiIssuer:
		return s.authenticateToken(ctx, e, resource)
	case s.issuer != nil && s.issuer.claims(e.issuer):
		return s.authenticateIdentity(ctx, e, resource)
	case s.issuer == nil && s.options.PublicURL != "" && e.issuer == s.options.PublicURL:
		return s.authenticateLogin(ctx, e)
	}
	return quern.Principal{}, refuse(detailInvalid).Because(errors.New("token of an unknown issuer"))
}

func (s *Service) authenticateToken(ctx context.Context, e *envelope, resource string) (quern.Principal, error) {
	c, err := s.own(ctx, e, typeAPI, expectation{issuer: apiIssuer, audience: apiIssuer, bound: s.audienceOf(resource), lasting: true})
	if err != nil {
		return quern.Principal{}, err
	}
	t, u, err := s.store.TokenHolder(ctx, quern.TokenID(c.ID))
	switch {
	case quern.Is(err, quern.NotFound):
		return quern.Principal{}, refuse(detailInvalid).Because(err)
	case err != nil:
		return quern.Principal{}, err
	case string(t.User) != c.Subject:
		return quern.Principal{}, refuse(detailInvalid).Because(errors.New("token of another user"))
	case t.Resource != "" && t.Resource != resource:
		return quern.Principal{}, refuse(detailInvalid).Because(errors.New("token for another resource"))
	}
	if over := s.ending(u, t); over != nil {
		return quern.Principal{}, refuse(over.now)
	}
	s.recorder.touch(t.ID, s.now())
	return holder(u, t), nil
}

// holder is the principal that holds an API token or, with the zero token, its
// user.
func holder(u quern.User, t quern.Token) quern.Principal {
	return quern.Principal{User: u, Token: t.ID, Scopes: t.Scopes, ReadOnly: t.ReadOnly, Admin: u.Admin && (t.ID == "" || t.Admin)}
}

// ending is why a user or a token is no longer good, in the words for a caller
// who comes now and for the reader of work that was asked for before.
type ending struct{ now, then string }

var (
	endRevoked  = &ending{detailRevoked, "the token that asked was revoked"}
	endExpired  = &ending{detailExpired, "the token that asked has expired"}
	endDisabled = &ending{detailDisabled, "the user who asked is disabled"}
	endSession  = &ending{detailEnded, "the session that asked was ended"}
	endGone     = &ending{detailInvalid, "the user or the token that asked is gone"}
)

// ending reports why a user, or its API token unless that is the zero one, is no
// longer good; nil while it is.
func (s *Service) ending(u quern.User, t quern.Token) *ending {
	switch {
	case !t.RevokedAt.IsZero():
		return endRevoked
	case !t.ExpiresAt.IsZero() && !s.now().Before(t.ExpiresAt):
		return endExpired
	case u.Disabled:
		return endDisabled
	}
	return nil
}

func (s *Service) authenticateLogin(ctx context.Context, e *envelope) (quern.Principal, error) {
	c, err := s.own(ctx, e, typeAccess, expectation{issuer: s.options.PublicURL, audience: s.options.PublicURL})
	if err != nil {
		return quern.Principal{}, err
	}
	if c.Client == CommandLineID {
		return s.authenticateCommandLine(ctx, c)
	}
	var l store.Login
	var replayed bool
	err = s.store.View(ctx, func(tx *store.Tx) error {
		var err error
		l, replayed, err = tx.LoginOfToken(ctx, c.Login, c.ID)
		return err
	})
	switch {
	case quern.Is(err, quern.NotFound):
		return quern.Principal{}, refuse(detailEnded).Because(err)
	case err != nil:
		return quern.Principal{}, err
	case string(l.User.ID) != c.Subject:
		return quern.Principal{}, refuse(detailInvalid).Because(errors.New("token of another user"))
	case replayed:
		return quern.Principal{}, refuse(detailRevoked)
	case l.User.Disabled:
		return quern.Principal{}, refuse(detailDisabled)
	case !l.EndedAt.IsZero() || !s.now().Before(l.ExpiresAt):
		return quern.Principal{}, refuse(detailEnded)
	}
	return quern.Principal{User: l.User, Admin: l.User.Admin}, nil
}

// own checks a token that this service signed, and reads what else it says into more.
func (s *Service) own(ctx context.Context, e *envelope, kind string, want expectation, more ...any) (claims, error) {
	var c claims
	if e.kind != kind || e.header.Algorithm != string(signingAlgorithm) {
		return c, refuse(detailInvalid).Because(errors.New("token of another type"))
	}
	key, err := s.keys.public(ctx, e.header.KeyID)
	if err != nil {
		return c, err
	}
	if err := s.signatures.verify(e, key, append(more, &c)...); err != nil {
		return c, refuse(detailInvalid).Because(err)
	}
	want.now = s.now()
	return c, believe(c.check(want))
}

// believe turns a failed check into the answer for it.
func believe(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errExpired):
		return refuse(detailExpired).Because(err)
	}
	return refuse(detailInvalid).Because(err)
}
