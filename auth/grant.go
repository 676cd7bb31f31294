package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4/jwt"

	"quern"
	"quern/store"
)

// ClientID names the console, which is this server's own client.
const ClientID = "quern-console"

// codeLife is how long an authorization code can be redeemed.
const codeLife = time.Minute

// Grant is what a signed-in user gave a client.
type Grant struct {
	Login       Login
	Client      Client // the zero one is the console
	Resource    string // the path below the public URL that the client's token is good at
	Scope       string // separated by spaces
	Nonce       string
	RedirectURI string // of the request that asked for a code
	Challenge   string // PKCE, S256
}

// Issued is what a client gets for a grant.
type Issued struct {
	Access    string
	ID        string // empty unless the scope has openid
	Refresh   string // what the command line renews its access with; empty for others
	ExpiresIn time.Duration
	Scope     string
}

// NewCode returns an authorization code for a grant.
func (s *Service) NewCode(ctx context.Context, g Grant) (string, error) {
	now := s.now()
	secret, hash := newSecret()
	c := store.LoginCode{
		ID: quern.NewID[string](), LoginID: g.Login.ID, RedirectURI: g.RedirectURI, Challenge: g.Challenge,
		Nonce: g.Nonce, Scope: g.Scope, Client: g.Client.ID, ClientName: g.Client.Name, Resource: g.Resource,
		ExpiresAt: now.Add(codeLife),
		PurgeAt:   now.Add(codeLife + s.options.TokenLife + skew),
	}
	switch g.Client.ID {
	case "":
	case CommandLineID:
		c.ExpiresAt, c.PurgeAt = now.Add(typedCodeLife), now.Add(typedCodeLife+s.options.LoginLife)
	default:
		c.PurgeAt = now.Add(codeLife + grantLife) // as long as its token can be ended by a second use
	}
	return secret, s.store.Update(ctx, func(tx *store.Tx) error { return tx.InsertLoginCode(ctx, c, hash) })
}

// Redemption is a code and what was said when it was asked for.
type Redemption struct {
	Client            string // the id of the client; empty: the console
	Code, RedirectURI string
	Verifier          string
	Resource          string // empty: the one that was granted
	UserAgent         string // how the client calls itself
}

// Redeem returns the tokens of the console's authorization code, once. Unauthentic when
// the code is unknown, expired, used, or was given to another client or to a request
// with another redirect address or PKCE challenge; a second use also ends the tokens of
// the first.
func (s *Service) Redeem(ctx context.Context, code, redirectURI, verifier string) (Issued, error) {
	return s.RedeemFor(ctx, Redemption{Code: code, RedirectURI: redirectURI, Verifier: verifier})
}

// RedeemFor is Redeem for any client. The command line gets a session of its own; one of
// somebody else an API token of the user's that is good at the granted resource only.
func (s *Service) RedeemFor(ctx context.Context, r Redemption) (Issued, error) {
	var issued Issued
	g, id, err := s.redeem(ctx, r, func(tx *store.Tx, g Grant, id string) (err error) {
		switch g.Client.ID {
		case "":
		case CommandLineID:
			issued, err = s.beginCommandLine(ctx, tx, g, id, r.UserAgent)
		default:
			issued, err = s.issueToClient(ctx, tx, g, id)
		}
		return err
	})
	if err != nil || g.Client.ID != "" {
		return issued, err
	}
	return s.issue(ctx, g, id)
}

// redeem uses an authorization code up and returns what it was given for, and its id.
// What use does with them, if there is one, is done together with that, or not at all.
func (s *Service) redeem(ctx context.Context, r Redemption, use func(*store.Tx, Grant, string) error) (g Grant, id string, err error) {
	if err := s.keys.ensure(ctx); err != nil {
		return g, "", err
	}
	var refused error
	now := s.now()
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		refused = nil // this function may run again
		c, err := tx.LoginCode(ctx, hashSecret(r.Code))
		if err != nil {
			return err
		}
		if !c.UsedAt.IsZero() {
			refused = errors.New("code used twice")
			return errors.Join(tx.RevokeLoginCode(ctx, c.ID, now), tx.RevokeGrantedToken(ctx, quern.TokenID(c.ID), now),
				s.endCommandLine(ctx, tx, c, now))
		}
		if refused = checkCode(c, r, now); refused != nil {
			return nil //nolint:nilerr // the refusal is no failure of the transaction
		}
		l, _, err := tx.LoginOfToken(ctx, c.LoginID, c.ID)
		if err != nil {
			return err
		}
		if !l.EndedAt.IsZero() || l.User.Disabled {
			refused = errors.New("code of an ended sign-in")
			return nil
		}
		id, g = c.ID, Grant{
			Login: Login{l.ID, l.User, l.CreatedAt}, Scope: c.Scope, Nonce: c.Nonce,
			Client: Client{ID: c.Client, Name: c.ClientName}, Resource: c.Resource,
		}
		if err := tx.UseLoginCode(ctx, c.ID, now); err != nil || use == nil {
			return err
		}
		return use(tx, g, id)
	})
	switch {
	case quern.Is(err, quern.NotFound):
		return g, "", refuse("the code is not valid").Because(err)
	case err != nil:
		return g, "", err
	case refused != nil:
		return g, "", refuse("the code is not valid").Because(refused)
	}
	return g, id, nil
}

func checkCode(c store.LoginCode, r Redemption, now time.Time) error {
	sum := sha256.Sum256([]byte(r.Verifier))
	challenge := base64.RawURLEncoding.EncodeToString(sum[:])
	switch {
	case !now.Before(c.ExpiresAt):
		return errors.New("code expired")
	case r.Client != c.Client:
		return errors.New("code of another client")
	case r.Resource != "" && r.Resource != c.Resource:
		return errors.New("code of another resource")
	case r.RedirectURI != c.RedirectURI:
		return errors.New("code of another redirect address")
	case subtle.ConstantTimeCompare([]byte(challenge), []byte(c.Challenge)) != 1:
		return errors.New("code of another PKCE challenge")
	}
	return nil
}

// Issue returns the tokens of a grant without a code between.
func (s *Service) Issue(ctx context.Context, g Grant) (Issued, error) {
	return s.issue(ctx, g, quern.NewID[string]())
}

func (s *Service) issue(ctx context.Context, g Grant, id string) (Issued, error) {
	if s.options.PublicURL == "" {
		return Issued{}, errors.New("auth: sessions need a public URL")
	}
	if err := s.keys.ensure(ctx); err != nil {
		return Issued{}, err
	}
	now := s.now()
	out := Issued{ExpiresIn: s.options.TokenLife, Scope: g.Scope}
	base := jwt.Claims{
		Issuer: s.options.PublicURL, Subject: string(g.Login.User.ID),
		IssuedAt: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(s.options.TokenLife)),
	}
	err := s.store.View(ctx, func(tx *store.Tx) error {
		access := base
		access.ID, access.Audience = id, jwt.Audience{s.options.PublicURL}
		extra := map[string]any{"sid": g.Login.ID, "client_id": ClientID, "scope": g.Scope}
		var err error
		if out.Access, _, err = s.keys.sign(ctx, tx, typeAccess, access, nameClaims(g.Login.User), extra); err != nil {
			return err
		}
		if !slices.Contains(strings.Fields(g.Scope), "openid") {
			return nil
		}
		identity := base
		identity.Audience = jwt.Audience{ClientID}
		out.ID, _, err = s.keys.sign(ctx, tx, strings.ToUpper(typeID), identity, nameClaims(g.Login.User), identityClaims(g, out.Access))
		return err
	})
	return out, err
}

// nameClaims are how a token names its user for people.
func nameClaims(u quern.User) map[string]any {
	return map[string]any{"preferred_username": u.Username}
}

func identityClaims(g Grant, access string) map[string]any {
	sum := sha256.Sum256([]byte(access))
	c := map[string]any{
		"sid": g.Login.ID, "azp": ClientID, "auth_time": g.Login.At.Unix(),
		"at_hash": base64.RawURLEncoding.EncodeToString(sum[:len(sum)/2]),
	}
	if g.Nonce != "" {
		c["nonce"] = g.Nonce
	}
	return c
}

// LoginOfHint returns the id of the sign-in that an ID token of ours speaks of,
// expired or not; Unauthentic when it is not one.
func (s *Service) LoginOfHint(ctx context.Context, idToken string) (string, error) {
	e, err := open(idToken)
	if err != nil {
		return "", refuse(detailInvalid).Because(err)
	}
	c, err := s.own(ctx, e, typeID, expectation{issuer: s.options.PublicURL, audience: ClientID})
	if err != nil && !errors.Is(err, errExpired) {
		return "", err
	}
	return c.Login, nil
}
