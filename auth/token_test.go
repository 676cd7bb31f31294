package auth_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/auth"
	"quern/auth/authtest"
	"quern/store"
	"quern/store/storetest"
)

func TestTokenLife(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		ctx := t.Context()
		token, secret := b.NewToken(b.ada, quern.TokenSpec{Name: " laptop ", ExpiresAt: b.clock.Now().Add(time.Hour)})
		if token.Name != "laptop" || strings.Contains(secret, "laptop") {
			t.Errorf("CreateToken(laptop) = %+v, %s, want the name kept apart from the secret", token, secret)
		}
		p, err := b.Authenticate(ctx, secret)
		if err != nil || p.User != b.ada.User || p.Token != token.ID || p.Restricted() {
			t.Fatalf("Authenticate(secret) = %+v, %v, want ada by token %s", p, err, token.ID)
		}
		if err := b.Flush(ctx); err != nil {
			t.Fatalf("Flush() = %v, want nil", err)
		}
		got, err := b.Token(ctx, b.ada, token.ID)
		if err != nil || !got.LastUsedAt.Equal(b.clock.Now()) {
			t.Errorf("Token(%s) = %+v, %v, want last use %v", token.ID, got, err, b.clock.Now())
		}
		if err := b.RevokeToken(ctx, b.ada, token.ID); err != nil {
			t.Fatalf("RevokeToken() = %v, want nil", err)
		}
		wantRefused(t, b.Service, "revoked", secret)
		wantKind(t, "second RevokeToken()", b.RevokeToken(ctx, b.ada, token.ID), quern.NotFound)
		if all, err := b.Tokens(ctx, b.ada); err != nil || len(all) != 0 {
			t.Errorf("Tokens() = %v, %v, want none", all, err)
		}
		_, secret = b.NewToken(b.ada, quern.TokenSpec{ExpiresAt: b.clock.Now().Add(time.Hour)})
		if _, err := b.Authenticate(ctx, secret); err != nil {
			t.Errorf("Authenticate(new token) = %v, want nil", err)
		}
		b.clock.Add(time.Hour)
		wantRefused(t, b.Service, "expired", secret)
	})
}

func TestTokenIsGoodUnderAnyAddress(t *testing.T) {
	t.Parallel()
	s, c := onSQLite(t), authtest.StoppedClock()
	commandLine := start(t, s, c, func(o *auth.Options) { o.PublicURL = "" })
	_, secret := commandLine.NewToken(commandLine.Principal("ada"), quern.TokenSpec{})
	server := start(t, s, c)
	if p, err := server.Authenticate(t.Context(), secret); err != nil || p.User.Username != "ada" {
		t.Errorf("Authenticate(token of the command line) = %+v, %v, want ada", p, err)
	}
}

func TestLastUseIsWrittenOnceAMinute(t *testing.T) {
	t.Parallel()
	b := newBench(t, onSQLite(t))
	ctx, begin := t.Context(), b.clock.Now()
	token, secret := b.NewToken(b.ada, quern.TokenSpec{})
	used := func() time.Time {
		if _, err := b.Authenticate(ctx, secret); err != nil {
			t.Fatalf("Authenticate() = %v, want nil", err)
		}
		if err := b.Flush(ctx); err != nil {
			t.Fatal(err)
		}
		got, err := b.Token(ctx, b.ada, token.ID)
		if err != nil {
			t.Fatal(err)
		}
		return got.LastUsedAt
	}
	for _, c := range []struct{ wait, want time.Duration }{
		{0, 0}, {59 * time.Second, 0}, {time.Second, time.Minute}, {30 * time.Second, time.Minute}, {time.Hour, time.Hour + 90*time.Second},
	} {
		b.clock.Add(c.wait)
		if got := used().Sub(begin); got != c.want {
			t.Errorf("last use %v after the last = start+%v, want start+%v", c.wait, got, c.want)
		}
	}
}

func TestTokenSpecs(t *testing.T) {
	t.Parallel()
	b := newBench(t, onSQLite(t))
	scope := quern.Scope{Username: "self", Namespace: "sales"}
	for name, c := range map[string]struct {
		spec quern.TokenSpec
		want []string // codes of the sub errors
	}{
		"no name":          {quern.TokenSpec{}, []string{"required"}},
		"blank name":       {quern.TokenSpec{Name: " \t "}, []string{"required"}},
		"long name":        {quern.TokenSpec{Name: strings.Repeat("ä", 101)}, []string{"too_long"}},
		"control in name":  {quern.TokenSpec{Name: "a\x00b"}, []string{"format"}},
		"past":             {quern.TokenSpec{Name: "x", ExpiresAt: b.clock.Now()}, []string{"past"}},
		"empty scopes":     {quern.TokenSpec{Name: "x", Scopes: []quern.Scope{}}, []string{"empty"}},
		"many scopes":      {quern.TokenSpec{Name: "x", Scopes: slices.Repeat([]quern.Scope{scope}, 101)}, []string{"too_long"}},
		"bad names":        {quern.TokenSpec{Name: "x", Scopes: []quern.Scope{{Username: "a b", Namespace: "_", Dataset: "/"}}}, []string{"name", "name", "name"}},
		"reserved user":    {quern.TokenSpec{Name: "x", Scopes: []quern.Scope{{Username: "new", Namespace: "a"}}}, []string{"name"}},
		"all wrong":        {quern.TokenSpec{ExpiresAt: time.Unix(1, 0), Scopes: []quern.Scope{}}, []string{"required", "past", "empty"}},
		"long but allowed": {quern.TokenSpec{Name: strings.Repeat("ä", 100)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := b.CreateToken(t.Context(), b.ada, c.spec)
			if c.want == nil {
				if err != nil {
					t.Errorf("CreateToken(%+v) = %v, want nil", c.spec, err)
				}
				return
			}
			e, ok := err.(*quern.Error)
			if !ok || e.Kind != quern.Invalid || e.Code != quern.CodeInvalid {
				t.Fatalf("CreateToken(%+v) = %v, want %s", c.spec, err, quern.CodeInvalid)
			}
			var got []string
			for _, sub := range e.Sub {
				got = append(got, sub.Code)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("CreateToken(%+v) has sub errors %v, want codes %v", c.spec, e.Sub, c.want)
			}
		})
	}
}

func TestRestrictedToken(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		ctx := t.Context()
		token, secret := b.NewToken(b.ada, quern.TokenSpec{Scopes: []quern.Scope{
			{Username: "self", Namespace: "Sales"}, {Username: "BOB", Namespace: "hr", Dataset: "people"}, {Username: "ada", Namespace: "Sales"},
		}})
		want := []quern.Scope{{Username: "ada", Namespace: "Sales"}, {Username: "bob", Namespace: "hr", Dataset: "people"}}
		p, err := b.Authenticate(ctx, secret)
		if err != nil || !p.Restricted() || !slices.Equal(p.Scopes, want) {
			t.Fatalf("Authenticate(restricted) = %+v, %v, want scopes %v", p, err, want)
		}
		_, _, err = b.CreateToken(ctx, p, quern.TokenSpec{Name: "wider"})
		wantKind(t, "CreateToken() by a restricted token", err, quern.Forbidden)
		_, err = b.Tokens(ctx, p)
		wantKind(t, "Tokens() by a restricted token", err, quern.Forbidden)
		_, err = b.Token(ctx, p, token.ID)
		wantKind(t, "Token() by a restricted token", err, quern.Forbidden)
		wantKind(t, "RevokeToken() by a restricted token", b.RevokeToken(ctx, p, token.ID), quern.Forbidden)
	})
}

func TestTokensOfOthersAreNotFound(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		ctx, bob := t.Context(), b.Principal("bob")
		token, secret := b.NewToken(b.ada, quern.TokenSpec{})
		for _, id := range []quern.TokenID{token.ID, quern.NewID[quern.TokenID](), "", "x\x00"} {
			_, err := b.Token(ctx, bob, id)
			wantKind(t, "Token() of another", err, quern.NotFound)
			wantKind(t, "RevokeToken() of another", b.RevokeToken(ctx, bob, id), quern.NotFound)
		}
		if all, err := b.Tokens(ctx, bob); err != nil || len(all) != 0 {
			t.Errorf("Tokens(bob) = %v, %v, want none", all, err)
		}
		if _, err := b.Authenticate(ctx, secret); err != nil {
			t.Errorf("Authenticate(ada's token) = %v, want nil", err)
		}
	})
}

func TestDisabledUserIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		ctx := t.Context()
		_, issued := b.session(t)
		_, secret := b.NewToken(b.ada, quern.TokenSpec{})
		if err := b.DisableUser(ctx, "Ada"); err != nil {
			t.Fatalf("DisableUser(Ada) = %v, want nil", err)
		}
		wantRefused(t, b.Service, "API token of a disabled user", secret)
		wantRefused(t, b.Service, "session of a disabled user", issued.Access)
		_, err := b.CheckPassword(ctx, auth.Attempt{Username: "ada", Password: authtest.Password, Address: ""})
		wantKind(t, "CheckPassword(disabled)", err, quern.Unauthentic)
		if err := b.EnableUser(ctx, "ada"); err != nil {
			t.Fatalf("EnableUser(ada) = %v, want nil", err)
		}
		if _, err := b.Authenticate(ctx, secret); err != nil {
			t.Errorf("Authenticate(API token of an enabled user) = %v, want nil", err)
		}
		wantRefused(t, b.Service, "session from before", issued.Access)
	})
}

func TestUnknownUserIsRefused(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		b := newBench(t, s)
		for _, err := range []error{
			b.DisableUser(t.Context(), "nobody"), b.EnableUser(t.Context(), "x y"),
			b.SetPassword(t.Context(), "nobody", authtest.Password),
		} {
			wantKind(t, "change of an unknown user", err, quern.NotFound)
		}
	})
}

func BenchmarkAuthenticate(b *testing.B) {
	for name, options := range storetest.Databases() {
		b.Run(name, func(b *testing.B) {
			s := newBench(b, storetest.Open(b, options(b)))
			_, secret := s.NewToken(s.ada, quern.TokenSpec{})
			_, session := s.session(b)
			for sort, token := range map[string]string{"token": secret, "session": session.Access} {
				b.Run(sort, func(b *testing.B) {
					for b.Loop() {
						if _, err := s.Authenticate(b.Context(), token); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}
