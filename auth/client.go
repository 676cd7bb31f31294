package auth

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"quern"
	"quern/store"
)

// The scopes that a client of somebody else can be granted: to read and ask, and to
// change things too.
const (
	ScopeRead  = "read"
	ScopeWrite = "write"
)

const (
	// grantLife is how long the token of a client of somebody else is good. It is
	// listed among the user's tokens and can be revoked at any time, so nothing is won
	// by a shorter life and a second secret that renews it.
	grantLife = 30 * 24 * time.Hour
	// maxClientID bounds the id of a registered client, which holds all that is kept
	// of it: what is longer fits into no address.
	maxClientID = 1800
	// clientPrefix begins the ids of registered clients.
	clientPrefix = "quern-client."
	// clientSecret names the secret that ids of clients are sealed with.
	clientSecret = "clients"
)

// Client is an application of somebody else that users may let in.
type Client struct {
	ID           string   `json:"-"`
	Name         string   `json:"n"`
	RedirectURIs []string `json:"r"`
}

// RegisterClient returns a client with an id. The id holds what was registered, sealed,
// so that nothing is stored: anybody may register, and nobody can fill anything up.
// Invalid when there is too much of it.
func (s *Service) RegisterClient(ctx context.Context, c Client) (Client, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return c, err
	}
	seal, err := s.sealClient(ctx, string(text))
	if err != nil {
		return c, err
	}
	c.ID = clientPrefix + base64.RawURLEncoding.EncodeToString(text) + "." + seal
	if len(c.ID) > maxClientID {
		return c, quern.E(quern.Invalid, quern.CodeInvalid, "the client's name and addresses are too long together")
	}
	return c, nil
}

// RegisteredClient returns the client of an id that RegisterClient made; NotFound for
// any other.
func (s *Service) RegisteredClient(ctx context.Context, id string) (c Client, err error) {
	unknown := quern.E(quern.NotFound, quern.CodeNotFound, "the client is not registered")
	body, sealed, ok := strings.Cut(strings.TrimPrefix(id, clientPrefix), ".")
	text, err := base64.RawURLEncoding.Strict().DecodeString(body)
	if !ok || err != nil || len(id) > maxClientID || !strings.HasPrefix(id, clientPrefix) {
		return c, unknown
	}
	seal, err := s.sealClient(ctx, string(text))
	if err != nil {
		return c, err
	}
	if !hmac.Equal([]byte(seal), []byte(sealed)) {
		return c, unknown
	}
	c.ID = id
	return c, json.Unmarshal(text, &c)
}

// sealClient authenticates text with a secret that all servers share.
func (s *Service) sealClient(ctx context.Context, text string) (string, error) {
	secret, err := s.clientKey(ctx)
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, secret)
	_, _ = mac.Write([]byte(text))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)), nil
}

// clientKey returns the secret that ids of clients are sealed with, making it once for
// all servers.
func (s *Service) clientKey(ctx context.Context) ([]byte, error) {
	s.clientMu.Lock()
	secret := s.clientSecret
	s.clientMu.Unlock()
	if secret != nil {
		return secret, nil
	}
	fresh := make([]byte, sha256.Size)
	_, _ = rand.Read(fresh) // it never fails
	var shared string
	err := s.store.Update(ctx, func(tx *store.Tx) (err error) {
		shared, err = tx.Secret(ctx, clientSecret, hex.EncodeToString(fresh))
		return err
	})
	if err != nil {
		return nil, err
	}
	if secret, err = hex.DecodeString(shared); err != nil {
		return nil, err
	}
	s.clientMu.Lock()
	defer s.clientMu.Unlock()
	s.clientSecret = secret
	return secret, nil
}

// issueToClient gives a client of somebody else what it was granted: an API token of the
// user's, good at one resource, with the id of the code that it was made from.
func (s *Service) issueToClient(ctx context.Context, tx *store.Tx, g Grant, id string) (Issued, error) {
	if g.Resource == "" || s.options.PublicURL == "" {
		return Issued{}, errors.New("auth: a client of somebody else needs a resource")
	}
	now := s.now().UTC().Truncate(time.Microsecond)
	t := quern.Token{
		ID: quern.TokenID(id), User: g.Login.User.ID, Name: quern.Clip(g.Client.Name, maxTokenName), Resource: g.Resource,
		ReadOnly: !slices.Contains(strings.Fields(g.Scope), ScopeWrite), CreatedAt: now, ExpiresAt: now.Add(grantLife),
	}
	said := map[string]any{"client_id": g.Client.ID, "scope": g.Scope}
	secret, err := s.addToken(ctx, tx, g.Login.User, t, s.audienceOf(g.Resource), said)
	return Issued{Access: secret, ExpiresIn: grantLife, Scope: g.Scope}, err
}

// IssuerURL names who signs people in: the outside issuer as it spells itself, once it
// was reached, or this server.
func (s *Service) IssuerURL() string {
	if s.issuer == nil {
		return s.options.PublicURL
	}
	s.issuer.mu.Lock()
	defer s.issuer.mu.Unlock()
	if s.issuer.found.name != "" {
		return s.issuer.found.name
	}
	return s.issuer.url
}
