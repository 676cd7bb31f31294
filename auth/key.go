package auth

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"quern"
	"quern/store"
)

// signingAlgorithm is the one that every OpenID client must know.
const (
	signingAlgorithm = jose.RS256
	signingBits      = 2048
)

// keyCheck is how long a public key is believed before the store is asked again.
const keyCheck = time.Minute

// keyring signs with the key in use and checks with the ones still needed. The
// store is the truth, so that replicas agree; the maps only save work.
type keyring struct {
	store     *store.Store
	now       func() time.Time
	life      time.Duration // of a key
	tokenLife time.Duration

	mu      sync.Mutex
	publics map[string]knownKey
	signer  *signer
}

type knownKey struct {
	key *rsa.PublicKey
	at  time.Time
}

type signer struct {
	id  string
	key *rsa.PrivateKey
}

func newKeyring(o Options) *keyring {
	return &keyring{store: o.Store, now: o.Now, life: o.KeyLife, tokenLife: o.TokenLife, publics: map[string]knownKey{}}
}

// public returns the key of a kid; Unauthentic when no such key is trusted. An
// unknown kid costs one read by primary key, no more than a known one's token.
func (r *keyring) public(ctx context.Context, kid string) (*rsa.PublicKey, error) {
	if !quern.ValidID(kid) {
		return nil, refuse(detailInvalid).Because(errors.New("token with a malformed kid"))
	}
	now := r.now()
	r.mu.Lock()
	known, found := r.publics[kid]
	r.mu.Unlock()
	if found && now.Sub(known.at) < keyCheck {
		return known.key, nil
	}
	var k store.Key
	err := r.store.View(ctx, func(tx *store.Tx) error {
		var err error
		k, err = tx.Key(ctx, kid, now)
		return err
	})
	if err != nil {
		r.mu.Lock()
		delete(r.publics, kid)
		r.mu.Unlock()
		if quern.Is(err, quern.NotFound) {
			return nil, refuse(detailInvalid).Because(errors.New("token with an unknown kid"))
		}
		return nil, err
	}
	key, err := parsePublic(k)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	r.publics[kid] = knownKey{key, now}
	r.mu.Unlock()
	return key, nil
}

func parsePublic(k store.Key) (*rsa.PublicKey, error) {
	parsed, err := x509.ParsePKIXPublicKey(k.Public)
	if err != nil {
		return nil, fmt.Errorf("auth: signing key %s: %w", k.ID, err)
	}
	key, ok := parsed.(*rsa.PublicKey)
	if !ok {
		return nil, fmt.Errorf("auth: signing key %s is not an RSA key", k.ID)
	}
	return key, nil
}

// ensure makes the first key, and a new one when the one in use is old.
func (r *keyring) ensure(ctx context.Context) error {
	k, err := r.current(ctx)
	switch {
	case quern.Is(err, quern.NotFound):
		return r.replace(ctx, "")
	case err != nil:
		return err
	case r.now().Sub(k.CreatedAt) >= r.life:
		return r.replace(ctx, k.ID)
	}
	return nil
}

func (r *keyring) current(ctx context.Context) (k store.Key, err error) {
	err = r.store.View(ctx, func(tx *store.Tx) error {
		k, err = tx.SigningKey(ctx)
		return err
	})
	return k, err
}

// replace puts a new key in the place of the one named, unless another replica
// already did.
func (r *keyring) replace(ctx context.Context, old string) error {
	key, err := rsa.GenerateKey(rand.Reader, signingBits)
	if err != nil {
		return err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return err
	}
	now := r.now()
	next := store.Key{ID: quern.NewID[string](), Private: private, Public: public, CreatedAt: now}
	err = r.store.Update(ctx, func(tx *store.Tx) error {
		if old != "" {
			// A token that is being signed right now still gets its full life.
			retired, err := tx.RetireKey(ctx, old, now.Add(max(r.tokenLife, maxTablesLife)+skew))
			if err != nil || !retired {
				return err
			}
		}
		if err := tx.InsertKey(ctx, next); err != nil {
			return err
		}
		return tx.DeleteSpentKeys(ctx, now)
	})
	if quern.Is(err, quern.Conflict) {
		return nil
	}
	return err
}

// sign makes a token with the key in use and tells which one that was.
func (r *keyring) sign(ctx context.Context, tx *store.Tx, kind string, claims ...any) (token, kid string, err error) {
	k, err := tx.SigningKey(ctx)
	if err != nil {
		return "", "", err
	}
	private, err := r.private(k)
	if err != nil {
		return "", "", err
	}
	made, err := jose.NewSigner(jose.SigningKey{Algorithm: signingAlgorithm, Key: jose.JSONWebKey{Key: private, KeyID: k.ID}},
		(&jose.SignerOptions{}).WithType(jose.ContentType(kind)))
	if err != nil {
		return "", "", err
	}
	builder := jwt.Signed(made)
	for _, c := range claims {
		builder = builder.Claims(c)
	}
	token, err = builder.Serialize()
	return token, k.ID, err
}

func (r *keyring) private(k store.Key) (*rsa.PrivateKey, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.signer != nil && r.signer.id == k.ID {
		return r.signer.key, nil
	}
	parsed, err := x509.ParsePKCS8PrivateKey(k.Private)
	if err != nil {
		return nil, fmt.Errorf("auth: signing key %s: %w", k.ID, err)
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("auth: signing key %s is not an RSA key", k.ID)
	}
	r.signer = &signer{k.ID, key}
	return key, nil
}

// RotateKey signs with a new key from now on. Tokens of the old one stay good.
func (s *Service) RotateKey(ctx context.Context) error {
	k, err := s.keys.current(ctx)
	if err != nil && !quern.Is(err, quern.NotFound) {
		return err
	}
	return s.keys.replace(ctx, k.ID)
}

// JWKS returns the public keys as a JSON Web Key Set, the one in use first.
func (s *Service) JWKS(ctx context.Context) ([]byte, error) {
	if err := s.keys.ensure(ctx); err != nil {
		return nil, err
	}
	var keys []store.Key
	err := s.store.View(ctx, func(tx *store.Tx) error {
		var err error
		keys, err = tx.Keys(ctx, s.now())
		return err
	})
	if err != nil {
		return nil, err
	}
	set := jose.JSONWebKeySet{Keys: make([]jose.JSONWebKey, 0, len(keys))}
	for _, k := range keys {
		public, err := parsePublic(k)
		if err != nil {
			return nil, err
		}
		set.Keys = append(set.Keys, jose.JSONWebKey{Key: public, KeyID: k.ID, Algorithm: string(signingAlgorithm), Use: "sig"})
	}
	return json.Marshal(set)
}
