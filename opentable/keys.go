package opentable

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"quern"
	"quern/blob"
	"quern/catalog"
	"quern/store"
)

const (
	// KeyLife is how long a key of this server's opens its table at most.
	KeyLife = time.Hour
	// lentLife is how long a key of the object store's does, which nobody can take back.
	lentLife = 15 * time.Minute
)

// secretName is under what the secret that keys are made with is kept.
const secretName = "table keys"

// grant is what a session token says, to every server alike.
type grant struct {
	User    quern.UserID    `json:"u"`
	Proof   quern.TokenID   `json:"p,omitempty"`
	Dataset quern.DatasetID `json:"d"`
	Expires int64           `json:"e"` // in seconds
}

// NewKey makes a key for one table and its caller, which ends with the caller at the
// latest.
func (s *Service) NewKey(ctx context.Context, p quern.Principal, id quern.DatasetID) (blob.Key, error) {
	secret, err := s.sharedSecret(ctx)
	if err != nil {
		return blob.Key{}, err
	}
	expires := s.Now().Add(KeyLife)
	if !p.Until.IsZero() && p.Until.Before(expires) {
		expires = p.Until
	}
	expires = expires.Truncate(time.Second)
	said, err := json.Marshal(grant{p.User.ID, p.Proof(), id, expires.Unix()})
	if err != nil {
		return blob.Key{}, err
	}
	token := base64.RawURLEncoding.EncodeToString(said)
	token += "." + base64.RawURLEncoding.EncodeToString(sum(secret, "token", token))
	return blob.Key{
		AccessKeyID: keyID(secret, token), SecretAccessKey: keySecret(secret, token), SessionToken: token, ExpiresAt: expires,
	}, nil
}

func keyID(secret []byte, token string) string {
	return "QUERN" + strings.ToUpper(hex.EncodeToString(sum(secret, "id", token))[:15])
}

func keySecret(secret []byte, token string) string {
	return base64.RawURLEncoding.EncodeToString(sum(secret, "secret", token))
}

// sum authenticates text for one purpose.
func sum(secret []byte, purpose, text string) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(purpose + "\x00" + text))
	return mac.Sum(nil)
}

var (
	errForged  = quern.E(quern.Unauthentic, quern.CodeUnauthorized, "the key is not one of this server's")
	errExpired = quern.E(quern.Gone, quern.CodeGone, "the key has expired")
)

// Open returns what a key opens now: its secret and the folder of objects that it may
// read. It fails with Unauthentic for a key that is forged, Gone for one that has
// expired, and NotFound when its caller may no longer read the table.
func (s *Service) Open(ctx context.Context, accessKeyID, sessionToken string) (secret, folder string, err error) {
	shared, err := s.sharedSecret(ctx)
	if err != nil {
		return "", "", err
	}
	g, err := readGrant(shared, accessKeyID, sessionToken)
	if err != nil {
		return "", "", err
	}
	if s.Now().Unix() >= g.Expires {
		return "", "", errExpired
	}
	p, err := s.Still(ctx, g.User, g.Proof)
	if err != nil {
		return "", "", errNoTable.Because(err)
	}
	if _, err := s.Catalog.ByID(ctx, p, g.Dataset, catalog.Read); err != nil {
		return "", "", err
	}
	return keySecret(shared, sessionToken), tableFolder(g.Dataset), nil
}

func tableFolder(id quern.DatasetID) string { return folder(id) + "/" }

func readGrant(secret []byte, accessKeyID, token string) (grant, error) {
	said, mac, ok := strings.Cut(token, ".")
	given, err := base64.RawURLEncoding.DecodeString(mac)
	if !ok || err != nil || !hmac.Equal(given, sum(secret, "token", said)) ||
		!hmac.Equal([]byte(accessKeyID), []byte(keyID(secret, token))) {
		return grant{}, errForged
	}
	var g grant
	text, err := base64.RawURLEncoding.DecodeString(said)
	if err != nil || json.Unmarshal(text, &g) != nil {
		return grant{}, errForged
	}
	return g, nil
}

// sharedSecret is the same on every server of a store.
func (s *Service) sharedSecret(ctx context.Context) ([]byte, error) {
	s.mu.Lock()
	secret := s.secret
	s.mu.Unlock()
	if secret != nil {
		return secret, nil
	}
	fresh := make([]byte, sha256.Size)
	_, _ = rand.Read(fresh) // it never fails
	var shared string
	err := s.Store.Update(ctx, func(tx *store.Tx) (err error) {
		shared, err = tx.Secret(ctx, secretName, hex.EncodeToString(fresh))
		return err
	})
	if err != nil {
		return nil, err
	}
	if secret, err = hex.DecodeString(shared); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.secret = secret
	return secret, nil
}

// Location is where readers find the objects of a table.
func (s *Service) Location(id quern.DatasetID) string { return s.Place(folder(id)) }

// Credentials are the settings with which a reader reads the objects of a table.
func (s *Service) Credentials(ctx context.Context, p quern.Principal, id quern.DatasetID) (map[string]string, error) {
	key, err := s.key(ctx, p, id)
	if err != nil {
		return nil, err
	}
	return map[string]string{
		"s3.access-key-id": key.AccessKeyID, "s3.secret-access-key": key.SecretAccessKey, "s3.session-token": key.SessionToken,
		"s3.session-token-expires-at-ms": strconv.FormatInt(key.ExpiresAt.UnixMilli(), 10),
		"s3.endpoint":                    s.Endpoint, "s3.path-style-access": "true", "s3.region": s.Region, "client.region": s.Region,
		"s3.remote-signing-enabled": "false",
	}, nil
}

// key returns a key of the object store's own where it lends them, else one of ours.
func (s *Service) key(ctx context.Context, p quern.Principal, id quern.DatasetID) (blob.Key, error) {
	if s.Lender != nil {
		return s.Lender.Lend(ctx, folder(id), lentLife)
	}
	return s.NewKey(ctx, p, id)
}
