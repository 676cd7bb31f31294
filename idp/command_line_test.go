package idp_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/auth"
	"quern/idp"
	"quern/store"
	"quern/store/storetest"
)

const cliBack = "http://127.0.0.1:4711/callback"

// asCommandLine is the authorization request of a command line.
func (s *site) asCommandLine(changes ...string) string {
	return s.authorize(append([]string{"client_id", auth.CommandLineID, "redirect_uri", cliBack, "scope", "offline_access", "nonce", ""}, changes...)...)
}

// tokens are what the token endpoint gives a command line.
type tokens struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
	Error   string `json:"error"`
}

func (b *browser) tokens(form url.Values) tokens {
	b.t.Helper()
	form.Set("client_id", auth.CommandLineID)
	p := b.post(b.s.URL+"/oauth2/token", form)
	var got tokens
	if err := json.Unmarshal([]byte(p.body), &got); err != nil {
		b.t.Fatalf("token = %s %s, want JSON", p.Status, p.body)
	}
	return got
}

func (b *browser) renew(refresh string) tokens {
	b.t.Helper()
	return b.tokens(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh}})
}

// code signs a command line in, as far as a code.
func (b *browser) code(p page) string {
	b.t.Helper()
	if !strings.Contains(p.body, "Sign the command line in?") {
		b.t.Fatalf("the page is %s, want to be asked:\n%s", p.Status, p.body)
	}
	return b.post(b.s.URL+"/oauth2/consent", p.fields("answer", "allow")).answer(b.t, cliBack).Get("code")
}

// begin signs a command line in.
func (b *browser) begin(p page) tokens {
	b.t.Helper()
	got := b.tokens(url.Values{"grant_type": {"authorization_code"}, "code": {b.code(p)}, "code_verifier": {verifier}, "redirect_uri": {cliBack}})
	if got.Access == "" || got.Refresh == "" {
		b.t.Fatalf("tokens = %+v, want access and what renews it", got)
	}
	return got
}

func TestTheCommandLineSignsInAndRenews(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, st *store.Store) {
		s := newSite(t, st)
		b := s.browser(t)
		b.Client.Transport = agent{b.Client.Transport}
		first := b.begin(b.signIn(b.get(s.asCommandLine()), "ada"))
		who, err := s.auth.Authenticate(t.Context(), first.Access)
		if err != nil || who.User.Username != "ada" || who.Session == "" || who.ReadOnly || who.Restricted() {
			t.Fatalf("Authenticate() = %+v, %v, want ada with a session", who, err)
		}
		list, err := s.auth.Sessions(t.Context(), who)
		if err != nil || len(list) != 1 || list[0].ID != who.Session || list[0].Client != auth.CommandLineID || list[0].UserAgent != "quern/1 (desk; linux)" {
			t.Errorf("Sessions() = %+v, %v, want the command line's", list, err)
		}
		// What renews is no cookie, and no bearer token.
		chain, _, _ := strings.Cut(first.Refresh, ".")
		for _, secret := range []string{first.Refresh, chain} {
			if _, err := s.auth.Session(t.Context(), secret); !quern.Is(err, quern.Unauthentic) {
				t.Errorf("Session(what renews) = %v, want a refusal", err)
			}
			if _, err := s.auth.Authenticate(t.Context(), secret); !quern.Is(err, quern.Unauthentic) {
				t.Errorf("Authenticate(what renews) = %v, want a refusal", err)
			}
		}
		second := b.renew(first.Refresh)
		if second.Access == "" || second.Refresh == "" || second.Refresh == first.Refresh {
			t.Fatalf("renew() = %+v, want other tokens", second)
		}
		s.clock.Add(2 * time.Hour)
		if _, err := s.auth.Authenticate(t.Context(), second.Access); !quern.Is(err, quern.Unauthentic) {
			t.Errorf("Authenticate() two hours later = %v, want a refusal", err)
		}
		third := b.renew(second.Refresh)
		if _, err := s.auth.Authenticate(t.Context(), third.Access); err != nil {
			t.Errorf("Authenticate(renewed) = %v, want nil", err)
		}
		// An old one ends them all.
		if got := b.renew(second.Refresh); got.Error != "invalid_grant" {
			t.Errorf("renew(used) = %+v, want invalid_grant", got)
		}
		if got := b.renew(third.Refresh); got.Error != "invalid_grant" {
			t.Errorf("renew() after a second use = %+v, want invalid_grant", got)
		}
		if _, err := s.auth.Authenticate(t.Context(), third.Access); !quern.Is(err, quern.Unauthentic) {
			t.Errorf("Authenticate() after a second use = %v, want a refusal", err)
		}
		// The browser itself stays signed in, so the next needs no password.
		if got := b.begin(b.get(s.asCommandLine())); b.renew(got.Refresh).Access == "" {
			t.Error("a second command line cannot renew")
		}
	})
}

// agent calls itself as a command line does.
type agent struct{ http.RoundTripper }

func (a agent) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("User-Agent", "quern/1 (desk; linux)")
	return a.RoundTripper.RoundTrip(r)
}

func TestTheCommandLineEndsWithItsSignIn(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(s *site, b *browser, in tokens) error{
		"signing out of the browser": func(s *site, b *browser, _ tokens) error {
			b.post(s.URL+"/oauth2/logout", b.get(s.URL+"/oauth2/logout").fields())
			return nil
		},
		"ending the session": func(s *site, b *browser, in tokens) error {
			who, err := s.auth.Authenticate(b.t.Context(), in.Access)
			if err != nil {
				return err
			}
			return s.auth.EndSession(b.t.Context(), who, who.Session)
		},
		"revocation": func(s *site, b *browser, in tokens) error {
			p := b.post(s.URL+"/oauth2/revoke", url.Values{"client_id": {auth.CommandLineID}, "token": {in.Refresh}})
			if p.StatusCode != http.StatusOK {
				b.t.Errorf("revoke = %s %s, want 200", p.Status, p.body)
			}
			return nil
		},
		"a code that is used twice": func(_ *site, b *browser, _ tokens) error { return nil },
		"a disabled user":           func(s *site, b *browser, _ tokens) error { return s.auth.DisableUser(b.t.Context(), "ada") },
		"a new password": func(s *site, b *browser, _ tokens) error {
			return s.auth.SetPassword(b.t.Context(), "ada", "another password")
		},
		"disuse": func(s *site, _ *browser, _ tokens) error { s.clock.Add(25 * time.Hour); return nil },
		"its time": func(s *site, b *browser, in tokens) error {
			for range 8 {
				s.clock.Add(22 * time.Hour)
				in = b.renew(in.Refresh)
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := small(t)
			b := s.browser(t)
			code := b.code(b.signIn(b.get(s.asCommandLine()), "ada"))
			form := url.Values{"grant_type": {"authorization_code"}, "code": {code}, "code_verifier": {verifier}, "redirect_uri": {cliBack}}
			in := b.tokens(form)
			if name == "a code that is used twice" {
				if again := b.tokens(form); again.Error != "invalid_grant" {
					t.Errorf("a code again = %+v, want invalid_grant", again)
				}
			}
			if err := end(s, b, in); err != nil {
				t.Fatal(err)
			}
			if _, err := s.auth.Authenticate(t.Context(), in.Access); !quern.Is(err, quern.Unauthentic) {
				t.Errorf("Authenticate() = %v, want a refusal", err)
			}
			if got := b.renew(in.Refresh); got.Error != "invalid_grant" {
				t.Errorf("renew() = %+v, want invalid_grant", got)
			}
		})
	}
}

func TestTheCommandLineIsNotSignedInUnasked(t *testing.T) {
	t.Parallel()
	s := small(t)
	b := s.browser(t)
	asked := b.signIn(b.get(s.asCommandLine()), "ada")
	if got := b.post(s.URL+"/oauth2/consent", asked.fields("answer", "deny")).answer(t, cliBack); got.Get("error") != "access_denied" || got.Get("code") != "" {
		t.Errorf("saying no = %v, want access_denied", got)
	}
	for name, changes := range map[string][]string{
		"other path":                     {"redirect_uri", "http://127.0.0.1:4711/other"},
		"other host":                     {"redirect_uri", "http://attacker.example/callback"},
		"other code page":                {"redirect_uri", "https://attacker.example/oauth2/code"},
		"address given twice, so to say": {"redirect_uri", s.URL + "/oauth2/code?x=1"},
	} {
		if p := b.get(s.asCommandLine(changes...)); p.StatusCode != http.StatusBadRequest {
			t.Errorf("a command line with %s = %s, want it refused", name, p.Status)
		}
	}
	for want, changes := range map[string][]string{
		"unsupported_response_type": {"response_type", "token"},
		"invalid_request":           {"code_challenge", ""},
		"invalid_target":            {"resource", s.URL + "/mcp"},
		"consent_required":          {"prompt", "none"},
	} {
		if got := b.get(s.asCommandLine(changes...)).answer(t, cliBack); got.Get("error") != want {
			t.Errorf("a command line with %v = %v, want %s", changes, got, want)
		}
	}
	// The code page is the server's own; the code there is typed with its state.
	typed := b.get(s.asCommandLine("redirect_uri", s.URL+"/oauth2/code", "state", "a-state"))
	if !strings.Contains(typed.body, "Never give that code to anybody else") {
		t.Errorf("the page for a code to type = %s, want a warning", typed.body)
	}
	// Tokens are for who has the code's secret, once, and only for the command line.
	code := b.code(b.get(s.asCommandLine()))
	for name, form := range map[string]url.Values{
		"other verifier": {"code_verifier": {strings.Repeat("x", 43)}, "redirect_uri": {cliBack}},
		"other address":  {"code_verifier": {verifier}, "redirect_uri": {"http://127.0.0.1:4712/callback"}},
	} {
		form.Set("grant_type", "authorization_code")
		form.Set("code", code)
		if got := b.tokens(form); got.Error != "invalid_grant" {
			t.Errorf("a code with %s = %+v, want invalid_grant", name, got)
		}
	}
	for _, refresh := range []string{"", "x", "x.y", strings.Repeat("x", 2000) + ".y"} {
		if got := b.renew(refresh); got.Error != "invalid_grant" {
			t.Errorf("renew(%.10q) = %+v, want invalid_grant", refresh, got)
		}
	}
	p := b.post(s.URL+"/oauth2/token", url.Values{"client_id": {"quern-console"}, "grant_type": {"refresh_token"}, "refresh_token": {"x.y"}})
	if p.StatusCode != http.StatusBadRequest || !strings.Contains(p.body, "unsupported_grant_type") {
		t.Errorf("renewing as the console = %s %s, want it refused", p.Status, p.body)
	}
	for want, form := range map[int]url.Values{400: {"client_id": {auth.CommandLineID}}, 401: {"token": {"x.y"}}, 200: {"client_id": {auth.CommandLineID}, "token": {"x.y"}}} {
		if p := b.post(s.URL+"/oauth2/revoke", form); p.StatusCode != want {
			t.Errorf("revoke(%v) = %s, want %d", form, p.Status, want)
		}
	}
}

func TestTheCodePageShowsCodesOnly(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"code=a%2Bb&state=s":                "<code>a%2Bb~s</code>",
		"code=%3Cscript%3E&state=s":         "<code>%3Cscript%3E~s</code>",
		"code=a&state=%3Cb%3E":              "<code>a~&lt;b&gt;</code>",
		"code=a%0Ab&state=s":                "not signed in",
		"error=access_denied&state=s":       "not signed in",
		"":                                  "not signed in",
		"code=" + strings.Repeat("a", 3000): "not signed in",
	} {
		w := httptest.NewRecorder()
		idp.CodePage{}.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/oauth2/code?"+query, nil))
		if !strings.Contains(w.Body.String(), want) || w.Header().Get("Content-Security-Policy") == "" || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("the code page of %q = %s, want %q", query, w.Body, want)
		}
	}
}
