package auth

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4/jwt"

	"quern"
	"quern/store"
)

// CommandLineID names the command line, this server's own client on other machines.
const CommandLineID = "quern-cli"

// CodePath is where, below the public URL, a code is shown to whoever types it into a
// command line that no browser reaches.
const CodePath = "/oauth2/code"

// scopeOffline is what a command line asks for, and gets: access that can be renewed.
const scopeOffline = "offline_access"

// typedCodeLife is how long a code of the command line can be redeemed: somebody may have
// to type it.
const typedCodeLife = 5 * time.Minute

// CommandLineProvider is where and as what a command line signs in.
type CommandLineProvider struct {
	Issuer   string
	ClientID string // empty: it cannot
	Scope    string // to ask for
	CodeURL  string // the redirect address that shows a code
}

// CommandLine tells how a command line signs in. Unavailable while an outside provider has
// never answered.
func (s *Service) CommandLine(ctx context.Context) (CommandLineProvider, error) {
	told := CommandLineProvider{Issuer: s.options.PublicURL, ClientID: CommandLineID, Scope: scopeOffline, CodeURL: s.options.PublicURL + CodePath}
	if s.issuer == nil {
		return told, nil
	}
	found, err := s.issuer.discovered(ctx)
	if err != nil {
		return told, err
	}
	told.Issuer, told.ClientID, told.Scope = found.name, s.options.Issuer.CommandLineID, found.scope()
	return told, nil
}

// beginCommandLine begins the session of a command line, with the id of the code that it
// was made from. It hangs on the sign-in of the browser that said yes, and ends with it.
func (s *Service) beginCommandLine(ctx context.Context, tx *store.Tx, g Grant, id, userAgent string) (Issued, error) {
	now := s.now().UTC().Truncate(time.Microsecond)
	chain, chainHash := newSecret()
	turn, turnHash := newSecret()
	in := store.Session{
		Session: quern.Session{
			ID: quern.BrowserID(id), User: g.Login.User, Client: CommandLineID,
			UserAgent: quern.Clip(strings.ToValidUTF8(userAgent, ""), maxUserAgent),
			CreatedAt: now, SeenAt: now, ExpiresAt: g.Login.At.Add(s.options.LoginLife),
		},
		LoginID: g.Login.ID, RefreshHash: hex.EncodeToString(turnHash),
	}
	if err := tx.InsertSession(ctx, in, chainHash); err != nil {
		return Issued{}, err
	}
	if err := signedIn(ctx, tx, in.User.ID, now); err != nil {
		return Issued{}, err
	}
	return s.issueToCommandLine(ctx, tx, in, chain+"."+turn)
}

// issueToCommandLine signs an access token that proves a session.
func (s *Service) issueToCommandLine(ctx context.Context, tx *store.Tx, in store.Session, refresh string) (Issued, error) {
	if s.options.PublicURL == "" {
		return Issued{}, errors.New("auth: sessions need a public URL")
	}
	now := s.now()
	out := Issued{Refresh: refresh, ExpiresIn: min(s.options.TokenLife, in.ExpiresAt.Sub(now)), Scope: scopeOffline}
	access := jwt.Claims{
		Issuer: s.options.PublicURL, Audience: jwt.Audience{s.options.PublicURL}, Subject: string(in.User.ID), ID: quern.NewID[string](),
		IssuedAt: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(s.options.TokenLife)),
	}
	said := map[string]any{"sid": in.ID, "client_id": CommandLineID, "scope": scopeOffline}
	var err error
	out.Access, _, err = s.keys.sign(ctx, tx, typeAccess, access, nameClaims(in.User), said)
	return out, err
}

// authenticateCommandLine returns the principal of a command line's session.
func (s *Service) authenticateCommandLine(ctx context.Context, c claims) (quern.Principal, error) {
	var in store.Session
	err := s.store.View(ctx, func(tx *store.Tx) (err error) {
		in, err = tx.Session(ctx, quern.BrowserID(c.Login))
		return err
	})
	switch {
	case quern.Is(err, quern.NotFound):
		return quern.Principal{}, refuse(detailEnded).Because(err)
	case err != nil:
		return quern.Principal{}, err
	case in.Client != CommandLineID || string(in.User.ID) != c.Subject:
		return quern.Principal{}, refuse(detailInvalid).Because(errors.New("token of another user or client"))
	case in.User.Disabled:
		return quern.Principal{}, refuse(detailDisabled)
	case s.sessionEnding(in) != nil:
		return quern.Principal{}, refuse(detailEnded)
	}
	if now := s.now(); now.Sub(in.SeenAt) >= loginTouch {
		err = s.store.Update(ctx, func(tx *store.Tx) error { return tx.TouchSession(ctx, in.ID, now) })
	}
	return quern.Principal{User: in.User, Session: in.ID, Admin: in.User.Admin}, err
}

// Renew trades what a command line renews its access with for a fresh access token and the
// next of its kind. Unauthentic when it is not good, or the session has ended, expired, gone
// unused for too long, or its user is disabled. One that was used before ends the session:
// somebody else has it, or had it.
func (s *Service) Renew(ctx context.Context, refresh string) (Issued, error) {
	chain, turn, ok := strings.Cut(refresh, ".")
	if !ok || len(refresh) > 100 {
		return Issued{}, refuse("the refresh token is not valid")
	}
	if err := s.keys.ensure(ctx); err != nil {
		return Issued{}, err
	}
	next, nextHash := newSecret()
	now := s.now()
	var issued Issued
	var refused error
	err := s.store.Update(ctx, func(tx *store.Tx) error {
		refused = nil // this function may run again
		in, err := tx.SessionBySecret(ctx, CommandLineID, hashSecret(chain))
		if err != nil {
			return err
		}
		idle := now.Sub(in.SeenAt) >= s.options.LoginIdle
		if s.sessionEnding(in) != nil || idle || in.User.Disabled {
			refused = errors.New("session that has ended, or of a disabled user")
			return nil
		}
		current, err := tx.RotateRefresh(ctx, in.ID, hex.EncodeToString(hashSecret(turn)), hex.EncodeToString(nextHash), now)
		if err != nil {
			return err
		}
		if !current {
			refused = errors.New("refresh token used twice")
			return tx.EndSession(ctx, in.ID, now)
		}
		issued, err = s.issueToCommandLine(ctx, tx, in, chain+"."+next)
		return err
	})
	switch {
	case quern.Is(err, quern.NotFound):
		return Issued{}, refuse("the refresh token is not valid").Because(err)
	case err != nil:
		return Issued{}, err
	case refused != nil:
		return Issued{}, refuse("the refresh token is not valid").Because(refused)
	}
	return issued, nil
}

// Forget ends the session that a command line's refresh token belongs to, an old one
// included. What belongs to none is no failure.
func (s *Service) Forget(ctx context.Context, refresh string) error {
	chain, _, ok := strings.Cut(refresh, ".")
	if !ok || len(refresh) > 100 {
		return nil
	}
	err := s.store.Update(ctx, func(tx *store.Tx) error {
		in, err := tx.SessionBySecret(ctx, CommandLineID, hashSecret(chain))
		if err != nil {
			return err
		}
		return tx.EndSession(ctx, in.ID, s.now())
	})
	if quern.Is(err, quern.NotFound) {
		return nil
	}
	return err
}

// endCommandLine ends the session that was made from a code; other codes made none.
func (s *Service) endCommandLine(ctx context.Context, tx *store.Tx, c store.LoginCode, at time.Time) error {
	if c.Client != CommandLineID {
		return nil
	}
	return tx.EndSession(ctx, quern.BrowserID(c.ID), at)
}
