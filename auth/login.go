package auth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"quern"
	"quern/store"
)

// Login is one sign-in at the embedded provider.
type Login struct {
	ID   string
	User quern.User
	At   time.Time // when the password was given
}

// loginTouch is how often a sign-in's use is written down.
const loginTouch = time.Minute

// newSecret makes an unguessable text and the hash under which it is kept.
func newSecret() (secret string, hash []byte) {
	random := make([]byte, 32)
	_, _ = rand.Read(random)
	secret = base64.RawURLEncoding.EncodeToString(random)
	return secret, hashSecret(secret)
}

func hashSecret(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// SignedIn is a sign-in that has just begun. Secret and Device go into cookies of
// the browser and are kept nowhere else.
type SignedIn struct {
	Login
	Secret string // proves the sign-in
	Device string // proves to later attempts that this browser was signed in before
}

// SignIn checks an attempt as CheckPassword does and begins a sign-in.
func (s *Service) SignIn(ctx context.Context, a Attempt) (SignedIn, error) {
	u, err := s.CheckPassword(ctx, a)
	if err != nil {
		return SignedIn{}, err
	}
	device, err := s.newDevice(ctx, u.ID)
	if err != nil {
		return SignedIn{}, err
	}
	now := s.now().UTC().Truncate(time.Microsecond)
	secret, hash := newSecret()
	l := store.Login{ID: quern.NewID[string](), User: u, CreatedAt: now, SeenAt: now, ExpiresAt: now.Add(s.options.LoginLife)}
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.InsertLogin(ctx, l, hash); err != nil {
			return err
		}
		return signedIn(ctx, tx, u.ID, now)
	})
	if err != nil {
		return SignedIn{}, err
	}
	return SignedIn{Login{l.ID, u, now}, secret, device}, nil
}

// signedIn tells the audit trail of a sign-in.
func signedIn(ctx context.Context, tx *store.Tx, user quern.UserID, at time.Time) error {
	return tx.Audit(ctx, quern.AuditEntry{At: at, Actor: user, Action: quern.AuditSignIn, User: user})
}

// Login returns the sign-in of a cookie's secret; Unauthentic when it has ended,
// expired, gone unused for too long, or its user is disabled.
func (s *Service) Login(ctx context.Context, secret string) (Login, error) {
	if secret == "" || len(secret) > 100 {
		return Login{}, refuse("not signed in")
	}
	var l store.Login
	err := s.store.View(ctx, func(tx *store.Tx) error {
		var err error
		l, err = tx.LoginBySecret(ctx, hashSecret(secret))
		return err
	})
	now := s.now()
	switch {
	case quern.Is(err, quern.NotFound):
		return Login{}, refuse("not signed in").Because(err)
	case err != nil:
		return Login{}, err
	case !l.EndedAt.IsZero(), l.User.Disabled, !now.Before(l.ExpiresAt), now.Sub(l.SeenAt) >= s.options.LoginIdle:
		return Login{}, refuse("the sign-in has ended")
	}
	if now.Sub(l.SeenAt) >= loginTouch {
		err = s.store.Update(ctx, func(tx *store.Tx) error { return tx.TouchLogin(ctx, l.ID, now) })
	}
	return Login{l.ID, l.User, l.CreatedAt}, err
}

// LoginLife is how long a sign-in lasts at most.
func (s *Service) LoginLife() time.Duration { return s.options.LoginLife }

// SignOut ends a sign-in and all tokens that came from it. It is idempotent.
func (s *Service) SignOut(ctx context.Context, id string) error {
	return s.store.Update(ctx, func(tx *store.Tx) error { return tx.EndLogin(ctx, id, s.now()) })
}
