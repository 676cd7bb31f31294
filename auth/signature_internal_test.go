package auth

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// A signature that was found to be right is not checked again; one that is kept of another token
// says nothing, and of no more than so many it is kept.
func TestSignaturesAreKept(t *testing.T) {
	t.Parallel()
	key, err := rsa.GenerateKey(rand.Reader, signingBits)
	if err != nil {
		t.Fatal(err)
	}
	token := func(subject string) *envelope {
		t.Helper()
		with, err := jose.NewSigner(jose.SigningKey{Algorithm: signingAlgorithm, Key: key}, nil)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := jwt.Signed(with).Claims(jwt.Claims{Subject: subject}).Serialize()
		if err != nil {
			t.Fatal(err)
		}
		e, err := open(raw)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	var s signatures
	ada, bob := token("ada"), token("bob")
	for _, under := range []any{&key.PublicKey, nil} { // the second time nobody looks at the key
		var c claims
		if err := s.verify(ada, under, &c); err != nil || c.Subject != "ada" {
			t.Errorf("verify(ada, %v) = %v, %v, want her claims", under, c.Subject, err)
		}
	}
	if err := s.verify(bob, nil); err == nil || len(s.right) != 1 {
		t.Errorf("verify(bob, no key) = %v, %d are kept, want an error and ada's alone", err, len(s.right))
	}
	for i := range maxSignatures - 1 {
		s.right[sha256.Sum256([]byte{byte(i), byte(i >> 8)})] = struct{}{}
	}
	if err := s.verify(bob, &key.PublicKey); err != nil || len(s.right) != 1 {
		t.Errorf("verify(bob) = %v, %d are kept when there is no room, want bob's alone", err, len(s.right))
	}
}
