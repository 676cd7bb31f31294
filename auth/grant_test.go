package auth_test

import (
	"crypto/sha256"
	"encoding/base64"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quern"
	"quern/auth"
	"quern/auth/authtest"
)

const verifier = "a-verifier-that-is-long-enough-for-the-rules-of-pkce"

func challenge(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func (b *bench) code(t testing.TB, login auth.Login) string {
	t.Helper()
	code, err := b.NewCode(t.Context(), auth.Grant{
		Login: login, Scope: "openid", RedirectURI: "https://app.example/", Challenge: challenge(verifier),
	})
	if err != nil {
		t.Fatalf("NewCode() = %v, want a code", err)
	}
	return code
}

func TestRedeem(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		ctx := t.Context()
		login, _ := b.session(t)
		code := b.code(t, login)
		for name, c := range map[string][3]string{
			"unknown code":     {"x", "https://app.example/", verifier},
			"another redirect": {code, "https://app.example", verifier},
			"another verifier": {code, "https://app.example/", verifier + "x"},
			"no verifier":      {code, "https://app.example/", ""},
			"the challenge":    {code, "https://app.example/", challenge(verifier)},
		} {
			_, err := b.Redeem(ctx, c[0], c[1], c[2])
			wantKind(t, "Redeem("+name+")", err, quern.Unauthentic)
		}
		issued, err := b.Redeem(ctx, code, "https://app.example/", verifier)
		if err != nil || issued.ID == "" {
			t.Fatalf("Redeem() = %+v, %v, want tokens", issued, err)
		}
		if p, err := b.Authenticate(ctx, issued.Access); err != nil || p.User != b.ada.User {
			t.Fatalf("Authenticate(access) = %+v, %v, want ada", p, err)
		}
		_, other := b.session(t)
		_, err = b.Redeem(ctx, code, "https://app.example/", verifier)
		wantKind(t, "second Redeem()", err, quern.Unauthentic)
		wantRefused(t, b.Service, "token of a code used twice", issued.Access)
		if _, err := b.Authenticate(ctx, other.Access); err != nil {
			t.Errorf("Authenticate(token of another grant) = %v, want nil", err)
		}
	})
}

func TestCodeExpiresAndEndsWithItsSignIn(t *testing.T) {
	t.Parallel()
	b := newBench(t, onSQLite(t))
	login, _ := b.session(t)
	late := b.code(t, login)
	b.clock.Add(time.Minute)
	_, err := b.Redeem(t.Context(), late, "https://app.example/", verifier)
	wantKind(t, "Redeem(expired)", err, quern.Unauthentic)
	ended := b.code(t, login)
	if err := b.SignOut(t.Context(), login.ID); err != nil {
		t.Fatal(err)
	}
	_, err = b.Redeem(t.Context(), ended, "https://app.example/", verifier)
	wantKind(t, "Redeem(signed out)", err, quern.Unauthentic)
}

func TestCodeIsRedeemedOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		login, _ := b.session(t)
		code := b.code(t, login)
		var wins atomic.Int64
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if _, err := b.Redeem(t.Context(), code, "https://app.example/", verifier); err == nil {
					wins.Add(1)
				} else if !quern.Is(err, quern.Unauthentic) {
					t.Errorf("Redeem() = %v, want tokens or a refusal", err)
				}
			})
		}
		wg.Wait()
		if wins.Load() != 1 {
			t.Errorf("8 at once redeemed a code %d times, want once", wins.Load())
		}
	})
}

func TestLogin(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		ctx := t.Context()
		signIn := func() (auth.Login, string) {
			in, err := b.SignIn(ctx, auth.Attempt{Username: "ada", Password: authtest.Password, Address: ""})
			if err != nil {
				t.Fatalf("SignIn() = %v, want nil", err)
			}
			return in.Login, in.Secret
		}
		login, secret := signIn()
		for range 7 * 24 * 2 / 47 {
			b.clock.Add(23*time.Hour + 30*time.Minute)
			if got, err := b.Login(ctx, secret); err != nil || got != login {
				t.Fatalf("Login(used daily) = %+v, %v, want %+v", got, err, login)
			}
		}
		b.clock.Add(12 * time.Hour)
		_, err := b.Login(ctx, secret)
		wantKind(t, "Login(older than its life)", err, quern.Unauthentic)

		_, secret = signIn()
		b.clock.Add(24 * time.Hour)
		_, err = b.Login(ctx, secret)
		wantKind(t, "Login(unused for a day)", err, quern.Unauthentic)

		login, issued := b.session(t)
		if got, err := b.LoginOfHint(ctx, issued.ID); err != nil || got != login.ID {
			t.Errorf("LoginOfHint() = %s, %v, want %s", got, err, login.ID)
		}
		_, err = b.LoginOfHint(ctx, issued.Access)
		wantKind(t, "LoginOfHint(access token)", err, quern.Unauthentic)
		for range 2 {
			if err := b.SignOut(ctx, login.ID); err != nil {
				t.Fatalf("SignOut() = %v, want nil", err)
			}
		}
		wantRefused(t, b.Service, "token of an ended sign-in", issued.Access)
		for _, secret := range []string{"", "x", login.ID} {
			_, err := b.Login(ctx, secret)
			wantKind(t, "Login("+secret+")", err, quern.Unauthentic)
		}
	})
}
