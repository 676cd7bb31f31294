package auth

import (
	"context"
	"time"

	"github.com/go-jose/go-jose/v4/jwt"

	"quern"
	"quern/store"
)

// deviceLife is how long a browser counts as one that its user has signed in
// with.
const deviceLife = 365 * 24 * time.Hour

// newDevice makes the proof that a browser was signed in to an account. It opens
// nothing: it only keeps strangers' failures from being held against the browser.
func (s *Service) newDevice(ctx context.Context, user quern.UserID) (device string, err error) {
	if s.options.PublicURL == "" {
		return "", nil // without an address there are no browsers
	}
	if err := s.keys.ensure(ctx); err != nil {
		return "", err
	}
	now := s.now()
	proof := jwt.Claims{
		Issuer: s.options.PublicURL, Audience: jwt.Audience{s.options.PublicURL}, Subject: string(user), ID: quern.NewID[string](),
		IssuedAt: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(deviceLife)),
	}
	err = s.store.View(ctx, func(tx *store.Tx) error {
		device, _, err = s.keys.sign(ctx, tx, typeDevice, proof)
		return err
	})
	return device, err
}

// deviceID returns the id of a device that a user has signed in with before, ""
// when the proof does not hold or is another user's.
func (s *Service) deviceID(ctx context.Context, proof string, user quern.UserID) string {
	if proof == "" || user == "" {
		return ""
	}
	e, err := open(proof)
	if err != nil {
		return ""
	}
	c, err := s.own(ctx, e, typeDevice, expectation{issuer: s.options.PublicURL, audience: s.options.PublicURL})
	if err != nil || c.Subject != string(user) {
		return ""
	}
	return c.ID
}
