package auth

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"net/url"
	"strings"
	"time"

	"quern"
	"quern/store"
)

const (
	// maxSessions bounds a list of sessions, and maxUserAgent what is kept of how a
	// browser calls itself.
	maxSessions  = 100
	maxUserAgent = 256
	// renewTime is how long one server has to renew a session, and how often an
	// outside provider that does not answer is asked again. The session goes on
	// meanwhile: an outage is not a refusal.
	renewTime = 30 * time.Second
)

// Authorization is a browser on its way to the provider: what it has to bring back,
// and where to.
type Authorization struct {
	State, Nonce, Challenge string
	RedirectURI             string
}

// Return is what a browser brought back from the provider.
type Return struct {
	Code, RedirectURI string
	// Issuer is who says to have sent it; empty where the provider does not say.
	Issuer string
	// Verifier and Nonce belong to the Authorization that it was sent with.
	Verifier, Nonce string
	UserAgent       string
}

// SignsIn reports whether browsers can sign in: always with the embedded provider,
// and with an outside one that this server is a client of.
func (s *Service) SignsIn() bool { return s.issuer == nil || s.issuer.clientID != "" }

// AuthorizationAt returns the address at which a browser signs in. The embedded
// provider's is at path below the public URL. Unavailable while an outside provider
// has never answered.
func (s *Service) AuthorizationAt(ctx context.Context, path string, a Authorization) (string, error) {
	q := url.Values{
		"response_type": {"code"}, "client_id": {ClientID}, "redirect_uri": {a.RedirectURI}, "scope": {"openid profile"},
		"state": {a.State}, "nonce": {a.Nonce}, "code_challenge": {a.Challenge}, "code_challenge_method": {"S256"},
	}
	if s.issuer == nil {
		return s.options.PublicURL + path + "?" + q.Encode(), nil
	}
	found, err := s.issuer.discovered(ctx)
	if err != nil {
		return "", err
	}
	q.Set("client_id", s.issuer.clientID)
	q.Set("scope", found.scope())
	separator := "?"
	if strings.Contains(found.authorize, "?") {
		separator = "&"
	}
	return found.authorize + separator + q.Encode(), nil
}

// BeginSession signs a browser in with what it brought back and returns the session
// with the secret for its cookie. Unauthentic when the code is not good or the
// account may not come in, Unavailable when the provider does not answer.
func (s *Service) BeginSession(ctx context.Context, r Return) (quern.Session, string, error) {
	begin := s.beginHere
	if s.issuer != nil {
		begin = s.beginOutside
	}
	in, err := begin(ctx, r)
	if err != nil {
		return quern.Session{}, "", err
	}
	if in.User.Disabled {
		return quern.Session{}, "", refuse(detailDisabled)
	}
	now := s.now().UTC().Truncate(time.Microsecond)
	in.ID, in.UserAgent = quern.NewID[quern.BrowserID](), quern.Clip(strings.ToValidUTF8(r.UserAgent, ""), maxUserAgent)
	in.CreatedAt, in.SeenAt = now, now
	if in.ExpiresAt.IsZero() {
		in.ExpiresAt = now.Add(s.options.LoginLife)
	}
	secret, hash := newSecret()
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.InsertSession(ctx, in, hash); err != nil || s.issuer == nil {
			return err // the embedded provider has told of it
		}
		return signedIn(ctx, tx, in.User.ID, now)
	})
	return in.Session, secret, err
}

// beginHere redeems a code of the embedded provider, without leaving the process.
func (s *Service) beginHere(ctx context.Context, r Return) (in store.Session, err error) {
	if r.Issuer != s.options.PublicURL {
		return in, refuse("the code is not valid").Because(errors.New("code of another issuer"))
	}
	g, _, err := s.redeem(ctx, Redemption{Code: r.Code, RedirectURI: r.RedirectURI, Verifier: r.Verifier}, nil)
	if err != nil {
		return in, err
	}
	if !same(g.Nonce, r.Nonce) {
		return in, refuse("the code is not valid").Because(errors.New("code of another nonce"))
	}
	in.User, in.LoginID, in.ExpiresAt = g.Login.User, g.Login.ID, g.Login.At.Add(s.options.LoginLife)
	return in, nil
}

// beginOutside trades a code at the outside provider and believes the ID token that
// comes back.
func (s *Service) beginOutside(ctx context.Context, r Return) (in store.Session, err error) {
	found, err := s.issuer.discovered(ctx)
	switch {
	case err != nil:
		return in, err
	case r.Issuer != "" && r.Issuer != found.name:
		return in, refuse("the code is not valid").Because(errors.New("code of another issuer"))
	}
	issued, err := s.issuer.trade(ctx, found, url.Values{
		"grant_type": {"authorization_code"}, "code": {r.Code}, "redirect_uri": {r.RedirectURI}, "code_verifier": {r.Verifier},
	})
	if err != nil {
		return in, err
	}
	c, username, err := s.issuer.identity(ctx, found, issued)
	switch {
	case err != nil:
		return in, err
	case !same(c.Nonce, r.Nonce):
		return in, refuse("the code is not valid").Because(errors.New("ID token of another nonce"))
	}
	in.User, err = s.identified(ctx, found.name, c.Subject)
	if quern.Is(err, quern.NotFound) {
		in.User, err = s.identify(ctx, found.name, c.Subject, username)
	}
	in.IDToken, in.RefreshToken, in.RenewAt = issued.ID, issued.Refresh, s.renewAt(issued)
	return in, err
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// renewAt is when an outside provider is asked whether a session is still good: when
// the access token ends, where there is something to ask with.
func (s *Service) renewAt(issued tokens) time.Time {
	if issued.Refresh == "" {
		return time.Time{}
	}
	life := time.Duration(issued.ExpiresIn) * time.Second
	return s.now().Add(min(max(life, time.Minute), 24*time.Hour))
}

// Session returns the principal of a cookie's secret; Unauthentic when its session
// has ended, expired, gone unused for too long, or its user is disabled.
func (s *Service) Session(ctx context.Context, secret string) (quern.Principal, error) {
	if secret == "" || len(secret) > 100 {
		return quern.Principal{}, refuse("not signed in")
	}
	var in store.Session
	err := s.store.View(ctx, func(tx *store.Tx) error {
		var err error
		in, err = tx.SessionBySecret(ctx, "", hashSecret(secret))
		return err
	})
	now := s.now()
	switch {
	case quern.Is(err, quern.NotFound):
		return quern.Principal{}, refuse("not signed in").Because(err)
	case err != nil:
		return quern.Principal{}, err
	case in.User.Disabled:
		return quern.Principal{}, refuse(detailDisabled)
	case s.sessionEnding(in) != nil, now.Sub(in.SeenAt) >= s.options.LoginIdle:
		return quern.Principal{}, refuse("the session has ended")
	}
	if !in.RenewAt.IsZero() && !now.Before(in.RenewAt) {
		if err := s.renew(ctx, in); err != nil {
			return quern.Principal{}, err
		}
	}
	if now.Sub(in.SeenAt) >= loginTouch {
		err = s.store.Update(ctx, func(tx *store.Tx) error { return tx.TouchSession(ctx, in.ID, now) })
	}
	return quern.Principal{User: in.User, Session: in.ID, Admin: in.User.Admin}, err
}

// sessionEnding reports why a session is over for good; nil while it lasts.
func (s *Service) sessionEnding(in store.Session) *ending {
	if !in.EndedAt.IsZero() || !s.now().Before(in.ExpiresAt) {
		return endSession
	}
	return nil
}

// renew asks the outside provider whether a session is still good. One server asks;
// the others go on with the session meanwhile, and so does the one whose question is
// not answered. Unauthentic, with the session ended, when the provider says no.
func (s *Service) renew(ctx context.Context, in store.Session) error {
	if s.issuer == nil || s.issuer.clientID == "" {
		return refuse("the session has ended").Because(errors.New("session of a provider that is no longer used"))
	}
	var mine bool
	now := s.now()
	err := s.store.Update(ctx, func(tx *store.Tx) (err error) {
		mine, err = tx.ClaimRenewal(ctx, in.ID, now, now.Add(renewTime))
		return err
	})
	if err != nil || !mine {
		return err
	}
	// A browser that goes away must not lose the tokens that are on their way.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), renewTime)
	defer cancel()
	found, err := s.issuer.discovered(ctx)
	if err == nil {
		var issued tokens
		issued, err = s.issuer.trade(ctx, found, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {in.RefreshToken}})
		if err == nil {
			return s.renewed(ctx, in, issued)
		}
	}
	if !quern.Is(err, quern.Unauthentic) {
		s.log.WarnContext(ctx, "a session cannot be renewed at the moment", "error", err)
		return nil
	}
	ended := s.store.Update(ctx, func(tx *store.Tx) error { return tx.EndSession(ctx, in.ID, now) })
	return errors.Join(refuse("the session has ended").Because(err), ended)
}

func (s *Service) renewed(ctx context.Context, in store.Session, issued tokens) error {
	if issued.Refresh == "" {
		issued.Refresh = in.RefreshToken
	}
	if issued.ID != "" {
		in.IDToken = issued.ID
	}
	in.RefreshToken, in.RenewAt = issued.Refresh, s.renewAt(issued)
	return s.store.Update(ctx, func(tx *store.Tx) error { return tx.RenewSession(ctx, in) })
}

// Sessions lists the principal's sessions that last, newest first. Forbidden for a
// restricted principal.
func (s *Service) Sessions(ctx context.Context, p quern.Principal) ([]quern.Session, error) {
	if err := mayManageSessions(p); err != nil {
		return nil, err
	}
	var all []quern.Session
	now := s.now()
	err := s.store.View(ctx, func(tx *store.Tx) error {
		all = nil // this function may run again
		found, err := tx.Sessions(ctx, p.User.ID, now, maxSessions)
		for _, in := range found {
			if now.Sub(in.SeenAt) < s.options.LoginIdle {
				all = append(all, in.Session)
			}
		}
		return err
	})
	return all, err
}

func mayManageSessions(p quern.Principal) error {
	if p.Restricted() {
		return quern.E(quern.Forbidden, quern.CodeForbidden, "a restricted token cannot manage sessions")
	}
	return nil
}

// EndSession ends one of the principal's sessions, and with it what was asked from
// there; NotFound when there is none that lasts. Forbidden for a restricted or read-only
// principal.
func (s *Service) EndSession(ctx context.Context, p quern.Principal, id quern.BrowserID) error {
	if err := cmp.Or(mayManageSessions(p), p.MayChange()); err != nil {
		return err
	}
	return s.store.Update(ctx, func(tx *store.Tx) error {
		in, err := tx.Session(ctx, id)
		if err != nil {
			return err
		}
		if in.User.ID != p.User.ID || s.sessionEnding(in) != nil {
			return quern.E(quern.NotFound, quern.CodeNotFound, "there is no such session")
		}
		return tx.EndSession(ctx, id, s.now())
	})
}

// EndSessions ends all of the principal's sessions, and its sign-ins at the embedded
// provider. Forbidden for a restricted or read-only principal.
func (s *Service) EndSessions(ctx context.Context, p quern.Principal) error {
	if err := cmp.Or(mayManageSessions(p), p.MayChange()); err != nil {
		return err
	}
	return s.store.Update(ctx, func(tx *store.Tx) error { return tx.EndSessions(ctx, p.User.ID, s.now()) })
}

// Leave signs a browser out: it ends the session of a cookie's secret, or all of its
// user's, and returns where the outside provider signs people out; empty where there
// is nothing left to do. It is idempotent.
func (s *Service) Leave(ctx context.Context, secret, backTo string, everywhere bool) (string, error) {
	var in store.Session
	err := s.store.Update(ctx, func(tx *store.Tx) (err error) {
		if in, err = tx.SessionBySecret(ctx, "", hashSecret(secret)); err != nil {
			return err
		}
		if everywhere && s.sessionEnding(in) == nil {
			return tx.EndSessions(ctx, in.User.ID, s.now())
		}
		return tx.EndSession(ctx, in.ID, s.now())
	})
	switch {
	case quern.Is(err, quern.NotFound):
		return "", nil
	case err != nil || s.issuer == nil || in.IDToken == "":
		return "", err
	}
	return s.issuer.goodbye(in.IDToken, backTo), nil
}
