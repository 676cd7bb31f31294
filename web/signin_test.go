package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/auth"
	"quern/auth/authtest"
	"quern/store"
	"quern/store/storetest"
)

func TestSignInAndOutWithTheEmbeddedProvider(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, st *store.Store) {
		s := newSite(t, st, nil)
		b := s.browser(t)
		landing := b.get("/")
		if !strings.Contains(landing.body, `href="/signin"`) || b.who() != "" {
			t.Fatalf("GET / = %s, want a way to sign in", landing.body)
		}
		// A deep link leads to the login page, and from there back to itself.
		in := b.submit(b.get("/data/ada/harbour/arrivals?sort=a:desc"), "username", "ada", "password", authtest.Password)
		if got := in.Request.URL.RequestURI(); got != "/data/ada/harbour/arrivals?sort=a:desc" || in.StatusCode != http.StatusOK {
			t.Fatalf("signing in leads to %s %d, want where it began", got, in.StatusCode)
		}
		if b.who() != "ada" {
			t.Fatalf("who after signing in = %q, want ada", b.who())
		}
		if again := b.get("/signin?to=/settings/tokens"); again.Request.URL.Path != "/settings/tokens" {
			t.Errorf("GET /signin when signed in leads to %s, want the goal at once", again.Request.URL)
		}
		other := s.browser(t)
		other.submit(other.get("/login"), "username", "ada", "password", authtest.Password)
		if other.who() != "ada" {
			t.Error("signing in at the login page itself does not sign in")
		}
		out := b.post(s.URL+"/signout", nil)
		if out.Request.URL.Path != "/" || b.who() != "" || b.cookie("quern_session") != "" {
			t.Errorf("signing out leads to %s as %q, want the landing page and nobody", out.Request.URL, b.who())
		}
		if p := b.get("/signin"); !strings.Contains(p.body, `name="password"`) {
			t.Errorf("GET /signin after signing out = %s, want the login page: the provider's sign-in ended too", p.body)
		}
		if other.who() != "ada" {
			t.Error("signing out of one browser signed another out")
		}
		b.submit(b.get("/signin"), "username", "ada", "password", authtest.Password)
		b.post(s.URL+"/signout", url.Values{"everywhere": {"1"}})
		if other.who() != "" {
			t.Error("signing out everywhere left a browser signed in")
		}
	})
}

func TestCookiesCountForOwnPagesOnly(t *testing.T) {
	t.Parallel()
	s := small(t)
	b := s.browser(t)
	b.submit(b.get("/signin"), "username", "ada", "password", authtest.Password)
	ask := func(headers ...string) int { return b.post(s.URL+"/api/v1/who", nil, headers...).StatusCode }
	for _, c := range []struct {
		name    string
		headers []string
		want    int
	}{
		{"own page", []string{"Sec-Fetch-Site", "same-origin", "Origin", s.URL}, 200},
		{"no browser at all", nil, 200},
		{"other site", []string{"Sec-Fetch-Site", "cross-site", "Origin", "https://attacker.example"}, 401},
		{"other port of the host", []string{"Sec-Fetch-Site", "same-site", "Origin", "http://127.0.0.1:1"}, 401},
		{"old browser, other origin", []string{"Origin", "https://attacker.example"}, 401},
		{"null origin", []string{"Origin", "null"}, 401},
		{"a token that is none beside the cookie", []string{"Authorization", "Bearer x"}, 401},
	} {
		if got := ask(c.headers...); got != c.want {
			t.Errorf("POST with the cookie, %s = %d, want %d", c.name, got, c.want)
		}
	}
	_, token := s.auth.NewToken(s.auth.Principal("ada"), quern.TokenSpec{})
	if got := ask("Authorization", "Bearer "+token, "Origin", "https://app.example"); got != 200 {
		t.Errorf("POST with a token from another origin = %d, want 200: tokens are not held to it", got)
	}
	if out := b.post(s.URL+"/signout", nil, "Sec-Fetch-Site", "cross-site"); out.StatusCode != http.StatusForbidden || b.who() != "ada" {
		t.Errorf("POST /signout of another site = %d, want 403 and ada signed in", out.StatusCode)
	}
	if p := b.get("/signout"); p.StatusCode != http.StatusMethodNotAllowed || b.who() != "ada" {
		t.Errorf("GET /signout = %d, want 405: a link signs nobody out", p.StatusCode)
	}
}

func TestGoalsStayHere(t *testing.T) {
	t.Parallel()
	s := small(t)
	b := s.browser(t)
	b.submit(b.get("/signin"), "username", "ada", "password", authtest.Password)
	for _, to := range []string{
		"", "https://attacker.example/", "//attacker.example", "/\\attacker.example", "\\\\attacker.example", "javascript:alert(1)", "/a\r\nb: c",
		"/signin", "/callback?code=x", "data", strings.Repeat("/x", 1000), "/%zz",
	} {
		if p := b.get("/signin?" + url.Values{"to": {to}}.Encode()); p.Request.URL.String() != s.URL+"/" {
			t.Errorf("GET /signin?to=%q leads to %s, want the start page", to, p.Request.URL)
		}
	}
}

func TestCallbacksOfOthers(t *testing.T) {
	t.Parallel()
	s := small(t)
	b, attacker := s.browser(t), s.browser(t)
	stop := func(r *http.Request, _ []*http.Request) error {
		if r.URL.Path == "/callback" {
			return http.ErrUseLastResponse
		}
		return nil
	}
	attacker.CheckRedirect = stop
	planted := attacker.submit(attacker.get("/signin"), "username", "ada", "password", authtest.Password).Header.Get("Location")
	if !strings.Contains(planted, "/callback?") {
		t.Fatalf("the attacker's own way ends at %q, want the callback", planted)
	}
	b.get("/signin")
	for name, address := range map[string]string{
		"another's callback": planted, "none": "/callback", "no state": "/callback?code=x", "a made-up state": "/callback?code=x&state=a.b.c",
		"bad base64": "/callback?code=x&state=a.%21.c",
	} {
		if p := b.get(address); p.StatusCode != http.StatusBadRequest || b.who() != "" {
			t.Errorf("%s = %d as %q, want 400 and nobody signed in", name, p.StatusCode, b.who())
		}
	}
	// A code is good once, and only with the state that it was asked for with.
	b.CheckRedirect = stop
	own := b.submit(b.get("/signin?to=/upload"), "username", "ada", "password", authtest.Password).Header.Get("Location")
	b.CheckRedirect = nil
	u, err := url.Parse(own)
	authtest.Must(t, err)
	q := u.Query()
	q.Set("code", "guess")
	if p := b.get("/callback?" + q.Encode()); p.StatusCode != http.StatusForbidden || !strings.Contains(p.body, "/signin?to=%2Fupload") {
		t.Errorf("a made-up code = %d %s, want 403 with a way to try again", p.StatusCode, p.body)
	}
	if p := b.get("/callback?error=access_denied&state=" + url.QueryEscape(q.Get("state"))); p.StatusCode != http.StatusForbidden {
		t.Errorf("a refusal = %d, want 403", p.StatusCode)
	}
	if p := b.get(own); p.Request.URL.Path != "/upload" || b.who() != "ada" {
		t.Errorf("the own callback leads to %s as %q, want /upload as ada", p.Request.URL, b.who())
	}
	if p := b.get(own); p.Request.URL.Path != "/upload" || b.who() != "ada" {
		t.Errorf("the callback, reloaded, leads to %s as %q, want no harm done", p.Request.URL, b.who())
	}
}

func TestSignInAndOutWithARealProvider(t *testing.T) {
	t.Parallel()
	port := authtest.FreePort(t)
	issuer := fmt.Sprintf("http://127.0.0.1:%d", port)
	s := newSite(t, nil, func(string) auth.Issuer {
		return auth.Issuer{URL: issuer, Audience: authtest.Audience, ClientID: authtest.ClientID, ClientSecret: authtest.ClientSecret}
	})
	b := s.browser(t)
	if p := b.get("/signin"); p.StatusCode != http.StatusServiceUnavailable || !strings.Contains(p.body, "try again") {
		t.Errorf("GET /signin with the provider down = %d %s, want 503 in words", p.StatusCode, p.body)
	}
	stop := authtest.StartProvider(t, port, s.URL)
	s.clock.Add(2 * time.Second)
	in := b.signInOutside("/ask/grace/harbour", "Grace")
	if in.Request.URL.Path != "/ask/grace/harbour" || b.who() != "grace" {
		t.Fatalf("signing in leads to %s as %q, want the goal as grace", in.Request.URL, b.who())
	}
	if policy := in.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "form-action 'self' "+issuer+";") {
		t.Errorf("policy = %s, want the provider's sign-out reachable", policy)
	}
	other := s.browser(t)
	if other.signInOutside("/", "Hedy"); other.who() != "hedy" {
		t.Fatalf("who = %q, want hedy", other.who())
	}
	// The provider is asked again when its token ends, and rotates what it is asked with.
	for range 2 {
		s.clock.Add(2 * time.Hour)
		if b.who() != "grace" {
			t.Fatal("a session that the provider renews is over")
		}
	}
	out := b.post(s.URL+"/signout", nil)
	if got := out.Request.URL.String(); !strings.HasPrefix(got, issuer+"/session/end?") ||
		!strings.Contains(got, "id_token_hint=") || out.StatusCode != 200 {
		t.Fatalf("signing out leads to %s %d, want the provider's sign-out", got, out.StatusCode)
	}
	if b.who() != "" {
		t.Error("signing out left the session")
	}
	if back := b.submit(out, "logout", "yes"); back.Request.URL.String() != s.URL+"/" {
		t.Errorf("the provider's sign-out leads to %s, want back here", back.Request.URL)
	}
	// A provider that is away ends nothing; one that says no does.
	s.clock.Add(2 * time.Hour)
	stop()
	if other.who() != "hedy" {
		t.Error("a session ended because the provider was away")
	}
	authtest.StartProvider(t, port, s.URL) // with nothing of what the first one knew
	s.clock.Add(time.Minute)
	if other.who() != "" {
		t.Error("a session goes on that the provider refused to renew")
	}
}

// signInOutside signs in with the real provider's own pages.
func (b *browser) signInOutside(goal, name string) page {
	b.t.Helper()
	p := b.get("/signin?" + url.Values{"to": {goal}}.Encode())
	for range 4 {
		if strings.HasPrefix(p.Request.URL.String(), b.s.URL+"/") {
			return p
		}
		p = b.submit(p, "login", name, "password", "x")
	}
	b.t.Fatalf("the provider does not let %s in: %s", name, p.body)
	return page{}
}

func TestOutsideProviderWithoutAClient(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil, func(string) auth.Issuer { return auth.Issuer{URL: "http://127.0.0.1:1", Audience: authtest.Audience} })
	b := s.browser(t)
	if p := b.get("/"); strings.Contains(p.body, "/signin") {
		t.Error("the landing page offers a sign-in that is not set up")
	}
	if p := b.get("/signin"); p.StatusCode != http.StatusNotFound || !strings.Contains(p.body, "not set up") {
		t.Errorf("GET /signin = %d %s, want 404 that says why", p.StatusCode, p.body)
	}
}
