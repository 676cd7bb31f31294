// Package authtest makes users for tests: a service of identity on a real store, whose
// hashes are cheap, and a clock that tests move.
//
// It owns no behaviour. What it makes is closed when the test ends.
package authtest

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/auth"
	"quern/store"
	"quern/store/storetest"
)

// PublicURL is where tokens say that they come from.
const PublicURL = "https://quern.example"

// Password is that of every user.
const Password = "correct horse battery"

// Clock is a time that tests move. The zero value is the real time until then.
type Clock struct {
	mu      sync.Mutex
	stopped time.Time // zero: it runs
	ahead   time.Duration
}

// StoppedClock makes a clock that moves only when it is told to.
func StoppedClock() *Clock { return &Clock{stopped: time.Now().Truncate(time.Second)} }

// Now is what the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stopped.IsZero() {
		return time.Now().Add(c.ahead)
	}
	return c.stopped.Add(c.ahead)
}

// Add moves the clock.
func (c *Clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
}

// Service is a service of identity and what it stands on.
type Service struct {
	*auth.Service
	Store *store.Store
	t     testing.TB
}

// New makes a service that ends with the test; changes come last.
func New(t testing.TB, o auth.Options, change ...func(*auth.Options)) *Service {
	t.Helper()
	if o.Store == nil {
		o.Store = storetest.Open(t, storetest.SQLite(t))
	}
	if o.PublicURL == "" {
		o.PublicURL = PublicURL
	}
	if o.Cost == (auth.Cost{}) {
		// A cheap hash is right here: no test depends on its strength.
		o.Cost = auth.Cost{Memory: 64, Time: 1, Threads: 1}
	}
	for _, fn := range change {
		fn(&o)
	}
	service, err := auth.New(o)
	if err != nil {
		t.Fatalf("auth.New() = %v, want a service", err)
	}
	t.Cleanup(func() {
		if err := service.Close(); err != nil {
			t.Errorf("Close() = %v, want nil", err)
		}
	})
	return &Service{Service: service, Store: o.Store, t: t}
}

// Principal returns the principal of a user, who is added on first use.
func (u *Service) Principal(name string) quern.Principal {
	u.t.Helper()
	p, err := u.As(context.Background(), name)
	if quern.Is(err, quern.NotFound) {
		var added quern.User
		added, err = u.AddUser(context.Background(), name, Password)
		p = quern.Principal{User: added}
	}
	if err != nil {
		u.t.Fatalf("user %s = %v, want one", name, err)
	}
	return p
}

// NewToken makes a token of a user's; its name is filled in.
func (u *Service) NewToken(p quern.Principal, spec quern.TokenSpec) (quern.Token, string) {
	u.t.Helper()
	if spec.Name == "" {
		spec.Name = "test"
	}
	token, secret, err := u.CreateToken(context.Background(), p, spec)
	if err != nil {
		u.t.Fatalf("CreateToken(%+v) = %v, want a token", spec, err)
	}
	return token, secret
}

// Must fails the test on an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// WantKind fails the test unless an error is of a kind.
func WantKind(t testing.TB, what string, err error, want quern.Kind) {
	t.Helper()
	if err == nil || quern.KindOf(err) != want {
		t.Errorf("%s = %v, want an error of kind %v", what, err, want)
	}
}

// Browser signs a browser of a user's in, who is added on first use, at the embedded
// provider, and returns its session and the secret of its cookie.
func (u *Service) Browser(name string) (quern.Session, string) {
	u.t.Helper()
	u.Principal(name)
	return SignIn(u.t, u.Service, name)
}

// SignIn signs a browser of a user's in whose password is Password.
func SignIn(t testing.TB, service *auth.Service, name string) (quern.Session, string) {
	t.Helper()
	session, secret, err := service.BeginSession(context.Background(), Return(t, service, name))
	Must(t, err)
	return session, secret
}

// Return is what a browser of a user's brings back from the embedded provider.
func Return(t testing.TB, service *auth.Service, name string) auth.Return {
	t.Helper()
	const verifier = "a-verifier-that-is-long-enough-to-be-taken-for-one"
	sum := sha256.Sum256([]byte(verifier))
	back := service.PublicURL() + "/callback"
	in, err := service.SignIn(context.Background(), auth.Attempt{Username: name, Password: Password, Address: "127.0.0.1"})
	Must(t, err)
	code, err := service.NewCode(context.Background(), auth.Grant{
		Login: in.Login, Scope: "openid", Nonce: "n", RedirectURI: back, Challenge: base64.RawURLEncoding.EncodeToString(sum[:]),
	})
	Must(t, err)
	return auth.Return{Code: code, Issuer: service.PublicURL(), RedirectURI: back, Verifier: verifier, Nonce: "n", UserAgent: "a browser"}
}
