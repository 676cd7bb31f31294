package signin_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quern/client/signin"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// provider is a server with a provider of its own, which gives a token for any code and
// the next refresh token for the last one.
type provider struct {
	*httptest.Server
	client  *http.Client
	issuer  string // as the server names it
	renewed atomic.Int64
	down    atomic.Bool
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	p := &provider{}
	mux := http.NewServeMux()
	say := func(w http.ResponseWriter, status int, v any) {
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(v)
	}
	mux.HandleFunc("GET /api/v1/user/provider", func(w http.ResponseWriter, _ *http.Request) {
		say(w, 200, map[string]string{"issuer": p.issuer, "clientId": "cli", "scope": "openid", "codeUrl": p.URL + "/oauth2/code"})
	})
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		say(w, 200, map[string]any{
			"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token",
			"authorization_response_iss_parameter_supported": true,
		})
	})
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, r *http.Request) {
		n := p.renewed.Load()
		switch {
		case p.down.Load():
			say(w, 503, map[string]string{})
		case r.FormValue("grant_type") == "authorization_code":
			say(w, 200, map[string]any{"access_token": "a0", "refresh_token": "r0", "expires_in": 3600})
		case r.FormValue("refresh_token") != fmt.Sprintf("r%d", n):
			say(w, 400, map[string]string{"error": "invalid_grant"})
		default:
			p.renewed.Add(1)
			say(w, 200, map[string]any{"access_token": fmt.Sprintf("a%d", n+1), "refresh_token": fmt.Sprintf("r%d", n+1), "expires_in": 3600})
		}
	})
	p.Server = httptest.NewServer(mux)
	p.issuer, p.client = p.URL, &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	t.Cleanup(p.Close)
	return p
}

// begin finds the provider and begins a sign-in that comes back to this process.
func (p *provider) begin(t *testing.T) (*signin.Loopback, *signin.Flow, url.Values) {
	t.Helper()
	found, err := signin.Find(t.Context(), p.client, p.URL+"/")
	if err != nil {
		t.Fatal(err)
	}
	back, err := signin.Listen(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = back.Close() })
	flow := signin.Begin(found, p.client, "test", back.Redirect())
	address, err := url.Parse(flow.Address())
	if err != nil || address.Path != "/authorize" {
		t.Fatalf("Address() = %v, %v, want the provider's", address, err)
	}
	return back, flow, address.Query()
}

func accept(context.Context, signin.Login) error { return nil }

func TestAnswersThatDoNotBelongHereAreTurnedAway(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	back, flow, asked := p.begin(t)
	if asked.Get("code_challenge_method") != "S256" || len(asked.Get("code_challenge")) != 43 || len(asked.Get("state")) != 43 {
		t.Errorf("the request = %v, want PKCE and a state", asked)
	}
	type end struct {
		login signin.Login
		err   error
	}
	ended := make(chan end, 1)
	go func() {
		l, err := back.Await(t.Context(), flow, accept)
		ended <- end{l, err}
	}()
	good := url.Values{"code": {"c"}, "state": {asked.Get("state")}, "iss": {p.URL}}
	get := func(address, host string) int {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			req.Host = host
		}
		resp, err := p.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		return resp.StatusCode
	}
	for name, c := range map[string]struct {
		address, host string
		want          int
	}{
		"another state": {back.Redirect() + "?code=c&state=other&iss=" + url.QueryEscape(p.URL), "", 400},
		"no state":      {back.Redirect() + "?code=c", "", 400},
		"another path":  {strings.TrimSuffix(back.Redirect(), "/callback") + "/?" + good.Encode(), "", 404},
		"another host":  {back.Redirect() + "?" + good.Encode(), "attacker.example", 404},
	} {
		if got := get(c.address, c.host); got != c.want {
			t.Errorf("an answer with %s = %d, want %d", name, got, c.want)
		}
	}
	select {
	case e := <-ended:
		t.Fatalf("Await() ended with %+v, want it to wait on", e)
	default:
	}
	if got := get(back.Redirect()+"?"+good.Encode(), ""); got != 200 {
		t.Errorf("the answer = %d, want 200", got)
	}
	if e := <-ended; e.err != nil || e.login.Access != "a0" || e.login.Refresh != "r0" || e.login.Server != p.URL {
		t.Errorf("Await() = %+v, want the sign-in", e)
	}
}

func TestSignInsThatComeToNothing(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	for name, c := range map[string]struct {
		answer url.Values
		want   string
	}{
		"said no":        {url.Values{"error": {"access_denied"}, "iss": {p.URL}}, "not allowed"},
		"refused":        {url.Values{"error": {"x"}, "error_description": {"why"}, "iss": {p.URL}}, "refused: why"},
		"another issuer": {url.Values{"code": {"c"}, "iss": {"https://attacker.example"}}, "another identity provider"},
		"no issuer":      {url.Values{"code": {"c"}}, "another identity provider"},
		"no code":        {url.Values{"iss": {p.URL}}, "no code"},
	} {
		_, flow, asked := p.begin(t)
		c.answer.Set("state", asked.Get("state"))
		if _, err := flow.Finish(t.Context(), c.answer); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Finish(%s) = %v, want %q", name, err, c.want)
		}
	}
	back, flow, _ := p.begin(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := back.Await(ctx, flow, accept); !errors.Is(err, context.Canceled) {
		t.Errorf("Await(cancelled) = %v, want that", err)
	}
	taken, _, _ := p.begin(t)
	at, _ := url.Parse(taken.Redirect())
	var port int
	_, _ = fmt.Sscan(at.Port(), &port)
	if _, err := signin.Listen(t.Context(), port); err == nil || !strings.Contains(err.Error(), "is in use") {
		t.Errorf("Listen(taken) = %v, want that it is in use", err)
	}
	p.issuer = p.URL + "/other"
	if _, err := signin.Find(t.Context(), p.client, p.URL); err == nil {
		t.Error("Find() with a provider that is another = nil, want a failure")
	}
	for _, bad := range []string{"", "quern.example", "ftp://quern.example", "https://u:p@quern.example", "https://quern.example?x=1"} {
		if _, err := signin.Normalize(bad); err == nil {
			t.Errorf("Normalize(%q) = nil, want a failure", bad)
		}
	}
	if got, err := signin.Normalize("https://Quern.Example/api/v1/"); err != nil || got != "https://quern.example" {
		t.Errorf("Normalize() = %q, %v, want it in one spelling", got, err)
	}
}

func TestTheFileIsForItsOwner(t *testing.T) {
	t.Parallel()
	f := signin.File{Path: filepath.Join(t.TempDir(), "quern", "logins.json")}
	if _, err := f.Login("https://a"); !errors.Is(err, signin.ErrNone) {
		t.Errorf("Login() of no file = %v, want none", err)
	}
	for _, server := range []string{"https://a", "https://b", "https://a"} {
		if _, err := f.Keep(signin.Login{Server: server, Access: "t"}); err != nil {
			t.Fatal(err)
		}
	}
	if all, current, err := f.Logins(); err != nil || len(all) != 2 || current != "https://a" {
		t.Errorf("Logins() = %v, %q, %v, want two, a the last", all, current, err)
	}
	for _, mode := range []os.FileMode{0o640, 0o604, 0o660, 0o644} {
		if err := os.Chmod(f.Path, mode); err != nil {
			t.Fatal(err)
		}
		_, err := f.Login("https://a")
		if _, open := errors.AsType[*signin.ErrOpen](err); !open {
			t.Errorf("Login() with mode %v = %v, want it refused", mode, err)
		}
		if _, err := f.Keep(signin.Login{Server: "https://c"}); err == nil {
			t.Errorf("Keep() with mode %v = nil, want it refused", mode)
		}
	}
	if err := os.Chmod(f.Path, 0o600); err != nil {
		t.Fatal(err)
	}
	if l, err := f.Drop("https://a"); err != nil || l.Access != "t" {
		t.Errorf("Drop() = %+v, %v, want the sign-in", l, err)
	}
	if _, err := f.Drop("https://a"); !errors.Is(err, signin.ErrNone) {
		t.Errorf("Drop() twice = %v, want none", err)
	}
	if err := os.WriteFile(f.Path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Login("https://b"); err == nil || !strings.Contains(err.Error(), "cannot be read") {
		t.Errorf("Login() of half a file = %v, want a failure", err)
	}
}

func TestOneProcessRenewsForAll(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	f := signin.File{Path: filepath.Join(t.TempDir(), "logins.json")}
	old := signin.Login{Server: p.URL, ClientID: "cli", TokenURL: p.URL + "/token", Access: "a0", Refresh: "r0", ExpiresAt: time.Now().Add(-time.Hour)}
	if _, err := f.Keep(old); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			s, err := f.Open(p.URL, p.client, "test") // as each process does
			if err != nil {
				t.Error(err)
				return
			}
			if got, err := s.Token(t.Context()); err != nil || got != "a1" {
				t.Errorf("Token() = %q, %v, want a1", got, err)
			}
		})
	}
	all.Wait()
	if n := p.renewed.Load(); n != 1 {
		t.Errorf("the sign-in was renewed %d times, want once", n)
	}
	s, err := f.Open(p.URL, p.client, "test")
	if err != nil {
		t.Fatal(err)
	}
	l := s.Login()
	l.ExpiresAt = time.Now()
	if _, err := f.Keep(l); err != nil {
		t.Fatal(err)
	}
	if s, err = f.Open(p.URL, p.client, "test"); err != nil {
		t.Fatal(err)
	}
	// An outage is no end: the same is tried again later, cancelled or not.
	p.down.Store(true)
	if _, err := s.Token(t.Context()); err == nil || !strings.Contains(err.Error(), "at the moment") {
		t.Errorf("Token() while the provider is away = %v, want that it may come back", err)
	}
	p.down.Store(false)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := s.Token(ctx); err != nil || got != "a2" {
		t.Errorf("Token() of who gives up = %q, %v, want it renewed all the same", got, err)
	}
	p.renewed.Add(1) // somebody else was there
	l = s.Login()
	l.ExpiresAt = time.Now()
	if _, err := f.Keep(l); err != nil {
		t.Fatal(err)
	}
	if s, err = f.Open(p.URL, p.client, "test"); err != nil {
		t.Fatal(err)
	}
	_, err = s.Token(t.Context())
	if _, ended := errors.AsType[*signin.ErrEnded](err); !ended || !strings.Contains(err.Error(), "quern login") {
		t.Errorf("Token() of an ended sign-in = %v, want how to sign in again", err)
	}
}
