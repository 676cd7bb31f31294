package auth_test

import (
	"context"
	"testing"

	"go.uber.org/goleak"

	"quern"
	"quern/auth"
	"quern/auth/authtest"
	"quern/store"
	"quern/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bench is a service on its store with a clock and a user.
type bench struct {
	*authtest.Service
	clock *authtest.Clock
	ada   quern.Principal
}

func start(t testing.TB, s *store.Store, c *authtest.Clock, change ...func(*auth.Options)) *authtest.Service {
	t.Helper()
	return authtest.New(t, auth.Options{Store: s, Now: c.Now}, change...)
}

func newBench(t testing.TB, s *store.Store) *bench {
	t.Helper()
	c := authtest.StoppedClock()
	b := &bench{Service: start(t, s, c), clock: c}
	b.ada = b.Principal("ada")
	return b
}

// session signs ada in and returns the tokens of the sign-in.
func (b *bench) session(t testing.TB) (auth.Login, auth.Issued) {
	t.Helper()
	in, err := b.SignIn(context.Background(), auth.Attempt{Username: "ada", Password: authtest.Password, Address: "192.0.2.1"})
	if err != nil {
		t.Fatalf("SignIn(ada) = %v, want a sign-in", err)
	}
	issued, err := b.Issue(context.Background(), auth.Grant{Login: in.Login, Scope: "openid", Nonce: "n"})
	if err != nil {
		t.Fatalf("Issue() = %v, want tokens", err)
	}
	return in.Login, issued
}

var wantKind = authtest.WantKind

// wantRefused checks that a token is refused with the one code for that.
func wantRefused(t testing.TB, svc *authtest.Service, what, token string) {
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
