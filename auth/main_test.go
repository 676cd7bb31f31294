package auth_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quern"
	"quern/auth"
	"quern/store"
	"quern/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const publicURL = "https://quern.example"

// cheap makes hashing fast enough for tests.
var cheap = auth.Cost{Memory: 64, Time: 1, Threads: 1}

// clock is a time that only moves when told to.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Now().Truncate(time.Second)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// bench is a service on its store with a clock and a user.
type bench struct {
	*auth.Service
	store *store.Store
	clock *clock
	ada   quern.Principal
}

const adaPassword = "correct horse battery"

func start(t testing.TB, s *store.Store, c *clock, change ...func(*auth.Options)) *auth.Service {
	t.Helper()
	o := auth.Options{Store: s, Now: c.now, PublicURL: publicURL, Cost: cheap}
	for _, f := range change {
		f(&o)
	}
	svc, err := auth.New(o)
	if err != nil {
		t.Fatalf("New() = %v, want a service", err)
	}
	t.Cleanup(func() {
		if err := svc.Close(); err != nil {
			t.Errorf("Close() = %v, want nil", err)
		}
	})
	return svc
}

func newBench(t testing.TB, s *store.Store, change ...func(*auth.Options)) *bench {
	t.Helper()
	c := newClock()
	b := &bench{Service: start(t, s, c, change...), store: s, clock: c}
	b.ada = b.add(t, "ada")
	return b
}

func (b *bench) add(t testing.TB, name string) quern.Principal {
	t.Helper()
	u, err := b.AddUser(context.Background(), name, adaPassword)
	if err != nil {
		t.Fatalf("AddUser(%s) = %v, want nil", name, err)
	}
	return quern.Principal{User: u}
}

func (b *bench) token(t testing.TB, p quern.Principal, spec quern.TokenSpec) (quern.Token, string) {
	t.Helper()
	if spec.Name == "" {
		spec.Name = "test"
	}
	token, secret, err := b.CreateToken(context.Background(), p, spec)
	if err != nil {
		t.Fatalf("CreateToken(%+v) = %v, want a token", spec, err)
	}
	return token, secret
}

// session signs ada in and returns the tokens of the sign-in.
func (b *bench) session(t testing.TB) (auth.Login, auth.Issued) {
	t.Helper()
	in, err := b.SignIn(context.Background(), auth.Attempt{Username: "ada", Password: adaPassword, Address: "192.0.2.1"})
	if err != nil {
		t.Fatalf("SignIn(ada) = %v, want a sign-in", err)
	}
	issued, err := b.Issue(context.Background(), auth.Grant{Login: in.Login, Scope: "openid", Nonce: "n"})
	if err != nil {
		t.Fatalf("Issue() = %v, want tokens", err)
	}
	return in.Login, issued
}

func wantKind(t testing.TB, what string, err error, want quern.Kind) {
	t.Helper()
	if err == nil || quern.KindOf(err) != want {
		t.Errorf("%s = %v, want an error of kind %v", what, err, want)
	}
}

// wantRefused checks that a token is refused with the one code for that.
func wantRefused(t testing.TB, svc *auth.Service, what, token string) {
	t.Helper()
	p, err := svc.Authenticate(context.Background(), token)
	e, ok := err.(*quern.Error)
	if !ok || e.Kind != quern.Unauthentic || e.Code != quern.CodeUnauthorized {
		t.Errorf("Authenticate(%s) = %+v, %v, want %s", what, p.User.Username, err, quern.CodeUnauthorized)
	}
}

func each(t *testing.T, fn func(*testing.T, *bench)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, s *store.Store) { fn(t, newBench(t, s)) })
}

func onSQLite(t testing.TB) *store.Store { return storetest.Open(t, storetest.SQLite(t)) }
