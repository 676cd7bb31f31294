package auth_test

import (
	"testing"
	"time"

	"quern"
	"quern/auth"
	"quern/auth/authtest"
	"quern/store"
	"quern/store/storetest"
)

func TestSessions(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, st *store.Store) {
		ctx, c := t.Context(), authtest.StoppedClock()
		here := authtest.New(t, auth.Options{Store: st, Now: c.Now})
		there := authtest.New(t, auth.Options{Store: st, Now: c.Now}) // another replica
		ada := here.Principal("ada")
		bob := here.Principal("bob")
		first, firstSecret := here.Browser("ada")
		second, secondSecret := there.Browser("ada")
		p, err := there.Session(ctx, firstSecret)
		if err != nil || p.User.ID != ada.User.ID || p.Session != first.ID || p.Restricted() || p.Token != "" {
			t.Fatalf("Session(%s) on another replica = %+v, %v, want ada's", first.ID, p, err)
		}
		if p.Proof() != quern.TokenID(first.ID) {
			t.Errorf("Proof() = %s, want the session's id", p.Proof())
		}
		list, err := here.Sessions(ctx, ada)
		if err != nil || len(list) != 2 || list[0].ID != second.ID || list[0].UserAgent != "a browser" {
			t.Errorf("Sessions() = %+v, %v, want both, newest first", list, err)
		}
		if list, err := here.Sessions(ctx, bob); err != nil || len(list) != 0 {
			t.Errorf("Sessions() of another user = %+v, %v, want none", list, err)
		}
		authtest.WantKind(t, "EndSession() of another's", here.EndSession(ctx, bob, first.ID), quern.NotFound)
		authtest.WantKind(t, "EndSession() of none", here.EndSession(ctx, ada, "nothing"), quern.NotFound)
		narrow := quern.Principal{User: ada.User, Token: "t", Scopes: []quern.Scope{}}
		authtest.WantKind(t, "EndSession() with a restricted token", here.EndSession(ctx, narrow, first.ID), quern.Forbidden)
		authtest.WantKind(t, "EndSessions() with a restricted token", here.EndSessions(ctx, narrow), quern.Forbidden)
		_, err = here.Sessions(ctx, narrow)
		authtest.WantKind(t, "Sessions() with a restricted token", err, quern.Forbidden)

		authtest.Must(t, here.EndSession(ctx, ada, first.ID))
		wantSignedOut(t, there, "ended on another replica", firstSecret)
		authtest.WantKind(t, "EndSession() again", here.EndSession(ctx, ada, first.ID), quern.NotFound)
		if _, err := there.Session(ctx, secondSecret); err != nil {
			t.Errorf("Session() of the other browser = %v, want it signed in", err)
		}
		authtest.Must(t, here.EndSessions(ctx, ada))
		wantSignedOut(t, there, "ended everywhere", secondSecret)
		for name, secret := range map[string]string{"no secret": "", "a guess": "guess", "an id": string(second.ID), "very long": string(make([]byte, 1000))} {
			wantSignedOut(t, here, name, secret)
		}
	})
}

func wantSignedOut(t *testing.T, svc *authtest.Service, what, secret string) {
	t.Helper()
	if p, err := svc.Session(t.Context(), secret); !quern.Is(err, quern.Unauthentic) {
		t.Errorf("Session() %s = %+v, %v, want it refused", what, p, err)
	}
}

func TestWhatEndsASession(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(s *authtest.Service, c *authtest.Clock, user, secret string) error{
		"its life":     func(_ *authtest.Service, c *authtest.Clock, _, _ string) error { c.Add(8 * 24 * time.Hour); return nil },
		"a day unused": func(_ *authtest.Service, c *authtest.Clock, _, _ string) error { c.Add(24 * time.Hour); return nil },
		"a new password": func(s *authtest.Service, _ *authtest.Clock, user, _ string) error {
			return s.SetPassword(t.Context(), user, "another long password")
		},
		"a disabled user": func(s *authtest.Service, _ *authtest.Clock, user, _ string) error {
			return s.DisableUser(t.Context(), user)
		},
		"signing out": func(s *authtest.Service, _ *authtest.Clock, _, secret string) error {
			_, err := s.Leave(t.Context(), secret, "", false)
			return err
		},
		"signing out everywhere": func(s *authtest.Service, _ *authtest.Clock, _, secret string) error {
			_, err := s.Leave(t.Context(), secret, "", true)
			return err
		},
	} {
		c := authtest.StoppedClock()
		svc := authtest.New(t, auth.Options{Store: onSQLite(t), Now: c.Now}) // none that another clock sweeps
		user := quern.NewID[string]()
		session, secret := svc.Browser(user)
		who, err := svc.Still(t.Context(), session.User.ID, quern.TokenID(session.ID))
		if err != nil || who.Session != session.ID {
			t.Errorf("%s: Still() before = %+v, %v, want the session", name, who, err)
		}
		authtest.Must(t, end(svc, c, user, secret))
		wantSignedOut(t, svc, "after "+name, secret)
		_, err = svc.Still(t.Context(), session.User.ID, quern.TokenID(session.ID))
		if name == "a day unused" {
			if err != nil {
				t.Errorf("Still() after %s = %v, want work to go on: a shut browser is no sign-out", name, err)
			}
			continue
		}
		authtest.WantKind(t, "Still() after "+name, err, quern.Forbidden)
	}
	// A session that is used stays, and counts as used.
	c := authtest.StoppedClock()
	svc := authtest.New(t, auth.Options{Store: onSQLite(t), Now: c.Now})
	session, secret := svc.Browser("busy")
	for range 6 {
		c.Add(23 * time.Hour)
		if _, err := svc.Session(t.Context(), secret); err != nil {
			t.Fatalf("Session() of a busy browser = %v, want it signed in", err)
		}
	}
	if list, err := svc.Sessions(t.Context(), quern.Principal{User: session.User}); err != nil || len(list) != 1 || !list[0].SeenAt.Equal(c.Now()) {
		t.Errorf("Sessions() = %+v, %v, want it seen just now", list, err)
	}
}

func TestSigningOutAtTheProviderEndsTheSession(t *testing.T) {
	t.Parallel()
	c := authtest.StoppedClock()
	svc := authtest.New(t, auth.Options{Store: onSQLite(t), Now: c.Now})
	_, secret := svc.Browser("ada")
	var login string
	authtest.Must(t, svc.Store.View(t.Context(), func(tx *store.Tx) error {
		p, err := svc.Session(t.Context(), secret)
		if err != nil {
			return err
		}
		in, err := tx.Session(t.Context(), p.Session)
		login = in.LoginID
		return err
	}))
	authtest.Must(t, svc.SignOut(t.Context(), login))
	wantSignedOut(t, svc, "after the provider's sign-out", secret)
}

func TestCodesOfOthersBeginNoSession(t *testing.T) {
	t.Parallel()
	svc := authtest.New(t, auth.Options{Store: onSQLite(t)})
	svc.Principal("ada")
	for name, change := range map[string]func(*auth.Return){
		"another issuer":   func(r *auth.Return) { r.Issuer = "https://attacker.example" },
		"no issuer":        func(r *auth.Return) { r.Issuer = "" },
		"another nonce":    func(r *auth.Return) { r.Nonce = "other" },
		"another verifier": func(r *auth.Return) { r.Verifier += "x" },
		"another address":  func(r *auth.Return) { r.RedirectURI += "x" },
		"a made-up code":   func(r *auth.Return) { r.Code = "x" },
	} {
		r := authtest.Return(t, svc.Service, "ada")
		change(&r)
		_, _, err := svc.BeginSession(t.Context(), r)
		authtest.WantKind(t, "BeginSession() with "+name, err, quern.Unauthentic)
	}
	r := authtest.Return(t, svc.Service, "ada")
	if _, _, err := svc.BeginSession(t.Context(), r); err != nil {
		t.Errorf("BeginSession() = %v, want a session", err)
	}
	_, _, err := svc.BeginSession(t.Context(), r)
	authtest.WantKind(t, "BeginSession() with the same code again", err, quern.Unauthentic)
}
