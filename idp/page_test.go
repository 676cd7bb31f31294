package idp_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"quern/auth"
	"quern/auth/authtest"
	"quern/idp"
)

func TestLoginPage(t *testing.T) {
	t.Parallel()
	s := small(t)
	p := s.browser(t).get(s.authorize("login_hint", `"><script>alert(1)</script>`))
	for name, want := range map[string]string{
		"X-Frame-Options": "DENY", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
	} {
		if got := p.Header.Get(name); got != want {
			t.Errorf("login page has %s: %q, want %q", name, got, want)
		}
	}
	policy := p.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self' " + s.URL} {
		if !strings.Contains(policy, want) {
			t.Errorf("Content-Security-Policy = %q, want %q in it", policy, want)
		}
	}
	if strings.Contains(p.body, "<script") || !strings.Contains(p.body, `href="/assets/quern.css"`) {
		t.Errorf("login page = %s, want no script and the stylesheet", p.body)
	}
	// The browser follows the form's redirects only to where they may lead.
	app := s.browser(t).get(s.authorize("redirect_uri", "https://app.example/cb?tenant=1"))
	if got := app.Header.Get("Content-Security-Policy"); !strings.HasSuffix(got, " https://app.example") {
		t.Errorf("Content-Security-Policy = %q, want the application's origin at its end", got)
	}
	stray := s.browser(t).get(s.URL + "/login?" + url.Values{"request": {"redirect_uri=https://attacker.example/"}}.Encode())
	if got := stray.Header.Get("Content-Security-Policy"); strings.Contains(got, "attacker") {
		t.Errorf("Content-Security-Policy = %q, want no unregistered origin", got)
	}
}

func TestLoginWithoutARequest(t *testing.T) {
	t.Parallel()
	s := small(t)
	b := s.browser(t)
	for range 2 {
		p := b.get(s.URL + "/login")
		if p.StatusCode == http.StatusOK {
			p = b.signIn(p, "ada")
		}
		if got := p.Header.Get("Location"); got != s.URL+"/" {
			t.Errorf("signing in without a request leads to %q, want %q", got, s.URL+"/")
		}
	}
}

func TestWrongPasswordsLookAlike(t *testing.T) {
	t.Parallel()
	s := small(t)
	if err := s.auth.DisableUser(t.Context(), "bob"); err != nil {
		t.Fatal(err)
	}
	b := s.browser(t)
	login := b.get(s.authorize())
	bodies := map[string]bool{}
	for _, name := range []string{"ada", "bob", "eve"} {
		given := "wrong"
		if name == "bob" {
			given = authtest.Password
		}
		p := b.post(s.URL+"/login", login.fields("username", name, "password", given))
		if p.StatusCode != http.StatusForbidden || len(p.Cookies()) > 0 {
			t.Errorf("login(%s) = %s with %v, want 403 without a cookie", name, p.Status, p.Cookies())
		}
		bodies[strings.ReplaceAll(p.body, `value="`+name+`"`, "")] = true
	}
	if len(bodies) != 1 {
		t.Errorf("wrong, disabled and unknown give %d different pages, want 1", len(bodies))
	}
	if got := b.signIn(login, "ada").answer(t, s.URL+"/callback"); got.Get("code") == "" {
		t.Errorf("login(ada) after failures = %v, want a code", got)
	}
}

func TestLoginThrottle(t *testing.T) {
	t.Parallel()
	s := small(t)
	known := s.browser(t)
	known.signIn(known.get(s.authorize()), "ada")
	b := s.browser(t)
	login := b.get(s.authorize())
	var p page
	for range 7 {
		p = b.post(s.URL+"/login", login.fields("username", "ada", "password", "wrong"))
	}
	if p.StatusCode != http.StatusTooManyRequests || p.Header.Get("Retry-After") != "2" || !strings.Contains(p.body, "2 seconds") {
		t.Errorf("seventh failure = %s, Retry-After %q, want 429 and 2", p.Status, p.Header.Get("Retry-After"))
	}
	if got := known.post(s.URL+"/login", known.get(s.authorize()+"&prompt=login").fields("username", "ada", "password", authtest.Password)).answer(t, s.URL+"/callback"); got.Get("code") == "" {
		t.Errorf("login(ada) with a browser of hers while strangers are throttled = %v, want a code", got)
	}
	s.clock.Add(2 * time.Second)
	if got := b.signIn(login, "ada").answer(t, s.URL+"/callback"); got.Get("code") == "" {
		t.Errorf("login(ada) after the wait = %v, want a code", got)
	}
}

func TestForgedForms(t *testing.T) {
	t.Parallel()
	s := small(t)
	post := func(b *browser, path string, form url.Values, header ...string) page {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+path, strings.NewReader(form.Encode()))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		return b.read(b.Do(r))
	}
	credentials := []string{"username", "ada", "password", authtest.Password}
	b := s.browser(t)
	login := b.get(s.authorize())
	for name, p := range map[string]page{
		"no token":       post(b, "/login", login.fields(append(credentials, "form_token", "")...)),
		"wrong token":    post(b, "/login", login.fields(append(credentials, "form_token", "x")...)),
		"no cookie":      post(s.browser(t), "/login", login.fields(credentials...)),
		"another origin": post(b, "/login", login.fields(credentials...), "Origin", "https://attacker.example"),
		"cross site":     post(b, "/login", login.fields(credentials...), "Sec-Fetch-Site", "cross-site"),
	} {
		if p.StatusCode != http.StatusForbidden || strings.Contains(strings.Join(p.Header.Values("Set-Cookie"), ""), "quern_login") {
			t.Errorf("login(%s) = %s, want 403 and nobody signed in", name, p.Status)
		}
	}
	if p := post(b, "/login", login.fields(credentials...), "Origin", s.URL, "Sec-Fetch-Site", "same-origin"); p.StatusCode != http.StatusSeeOther {
		t.Errorf("login(genuine) = %s, want a redirect", p.Status)
	}
	for name, p := range map[string]page{
		"get":      b.get(s.URL + "/oauth2/logout"),
		"no token": post(b, "/oauth2/logout", url.Values{}),
	} {
		if p.StatusCode != http.StatusOK || !strings.Contains(p.body, "Sign out?") {
			t.Errorf("logout(%s) = %s, want to be asked", name, p.Status)
		}
	}
	if got := b.get(s.authorize("prompt", "none")).answer(t, s.URL+"/callback"); got.Get("code") == "" {
		t.Errorf("authorize() after forged sign-outs = %v, want a code", got)
	}
}

func TestLogout(t *testing.T) {
	t.Parallel()
	s := small(t)
	begin := func() (*browser, url.Values) {
		b := s.browser(t)
		b.signIn(b.get(s.authorize()), "ada")
		return b, b.get(s.authorize("response_type", "id_token token")).answer(t, s.URL+"/callback#")
	}
	ended := func(what string, b *browser, tokens url.Values) {
		t.Helper()
		if _, err := s.auth.Authenticate(t.Context(), tokens.Get("access_token")); err == nil {
			t.Errorf("Authenticate() after %s = nil, want a refusal", what)
		}
		if got := b.get(s.authorize("prompt", "none")).answer(t, s.URL+"/callback"); got.Get("error") != "login_required" {
			t.Errorf("authorize() after %s = %v, want login_required", what, got)
		}
	}
	out := func(parameters ...string) string {
		q := url.Values{}
		for i := 0; i < len(parameters); i += 2 {
			q.Set(parameters[i], parameters[i+1])
		}
		return s.URL + "/oauth2/logout?" + q.Encode()
	}

	b, tokens := begin()
	ask := b.get(out("post_logout_redirect_uri", "https://app.example/bye", "client_id", "quern-console", "state", "s"))
	if got := b.post(s.URL+"/oauth2/logout", ask.fields()).Header.Get("Location"); got != "https://app.example/bye?state=s" {
		t.Errorf("confirmed logout leads to %q, want the registered address with the state", got)
	}
	ended("a confirmed logout", b, tokens)

	b, tokens = begin()
	s.clock.Add(2 * time.Hour) // an expired hint is still a hint
	hint := tokens.Get("id_token")
	if got := b.get(out("id_token_hint", hint, "post_logout_redirect_uri", s.URL+"/")).Header.Get("Location"); got != s.URL+"/" {
		t.Errorf("logout with a hint leads to %q, want %s/", got, s.URL)
	}
	ended("a logout with a hint", b, tokens)

	b, tokens = begin()
	p := b.get(out("id_token_hint", tokens.Get("id_token"), "post_logout_redirect_uri", "https://attacker.example/"))
	if p.StatusCode != http.StatusOK || p.Header.Get("Location") != "" || !strings.Contains(p.body, "You are signed out") {
		t.Errorf("logout to an unregistered address = %s to %q, want a page", p.Status, p.Header.Get("Location"))
	}
	ended("a logout to nowhere", b, tokens)

	b, tokens = begin()
	if p := b.get(out("id_token_hint", hint)); !strings.Contains(p.body, "Sign out?") {
		t.Errorf("logout with the hint of another sign-in = %s, want to be asked", p.Status)
	}
	if _, err := s.auth.Authenticate(t.Context(), tokens.Get("access_token")); err != nil {
		t.Errorf("Authenticate() before the answer = %v, want nil", err)
	}
}

func TestOpenToScriptsOfAnyOrigin(t *testing.T) {
	t.Parallel()
	s := small(t)
	b := s.browser(t)
	for _, path := range []string{"/.well-known/openid-configuration", "/.well-known/oauth-authorization-server", "/oauth2/jwks", "/oauth2/token", "/oauth2/userinfo"} {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodOptions, s.URL+path, nil)
		p := b.read(b.Do(r))
		if p.StatusCode != http.StatusNoContent || p.Header.Get("Access-Control-Allow-Origin") != "*" || p.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("OPTIONS %s = %s %v, want it open without credentials", path, p.Status, p.Header)
		}
	}
	for _, path := range []string{"/login", "/oauth2/authorize", "/oauth2/logout"} {
		if p := b.get(s.URL + path); p.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("GET %s is open to other origins, want it closed", path)
		}
	}
}

func TestUserinfoRefusals(t *testing.T) {
	t.Parallel()
	s := small(t)
	b := s.browser(t)
	for header, want := range map[string]string{"": "Bearer", "Bearer x": `Bearer error="invalid_token"`, "Basic eDp5": `Bearer error="invalid_token"`} {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/oauth2/userinfo", nil)
		if header != "" {
			r.Header.Set("Authorization", header)
		}
		if p := b.read(b.Do(r)); p.StatusCode != http.StatusUnauthorized || p.Header.Get("WWW-Authenticate") != want {
			t.Errorf("userinfo(%q) = %s %q, want 401 %q", header, p.Status, p.Header.Get("WWW-Authenticate"), want)
		}
	}
	for path, method := range map[string]string{"/oauth2/token": "GET", "/oauth2/jwks": "POST", "/login": "DELETE"} {
		r, _ := http.NewRequestWithContext(t.Context(), method, s.URL+path, nil)
		if p := b.read(b.Do(r)); p.StatusCode != http.StatusMethodNotAllowed || !strings.Contains(p.body, "METHOD_NOT_ALLOWED") {
			t.Errorf("%s %s = %s %s, want 405", method, path, p.Status, p.body)
		}
	}
}

func TestCookies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		publicURL, prefix string
		secure            bool
	}{{"https://quern.example", "__Host-", true}, {"http://quern.example", "", false}} {
		svc := authtest.New(t, auth.Options{PublicURL: c.publicURL})
		svc.Principal("ada")
		provider, err := idp.New(idp.Options{Auth: svc.Service})
		if err != nil {
			t.Fatal(err)
		}
		shown := httptest.NewRecorder()
		provider.ServeHTTP(shown, httptest.NewRequest(http.MethodGet, c.publicURL+"/login", nil))
		form := page{shown.Result(), shown.Body.String()}.fields("username", "ada", "password", authtest.Password)
		r := httptest.NewRequest(http.MethodPost, c.publicURL+"/login", strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for _, cookie := range shown.Result().Cookies() {
			r.AddCookie(cookie)
		}
		w := httptest.NewRecorder()
		provider.ServeHTTP(w, r)
		var found bool
		for _, cookie := range w.Result().Cookies() {
			if cookie.Name != c.prefix+"quern_login" {
				continue
			}
			found = true
			if !cookie.HttpOnly || cookie.Secure != c.secure || cookie.SameSite != http.SameSiteLaxMode || cookie.Path != "/" || cookie.Domain != "" || cookie.MaxAge != 7*24*3600 {
				t.Errorf("%s sets %v, want HttpOnly, Lax, Secure %v, for a week", c.publicURL, cookie, c.secure)
			}
		}
		if !found {
			t.Errorf("%s sets %v, want %squern_login", c.publicURL, w.Result().Cookies(), c.prefix)
		}
	}
}

func TestBadAddressesAreNotRegistered(t *testing.T) {
	t.Parallel()
	svc := authtest.New(t, auth.Options{})
	for _, address := range []string{"", "/callback", "javascript:alert(1)", "https://app.example/#x", "https://u@app.example/", "https://*.example/", "custom://app"} {
		if _, err := idp.New(idp.Options{Auth: svc.Service, RedirectURIs: []string{address}}); err == nil {
			t.Errorf("New(redirect %q) = nil, want an error", address)
		}
	}
}
