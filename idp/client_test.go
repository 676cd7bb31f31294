package idp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"quern"
	"quern/idp"
	"quern/store"
	"quern/store/storetest"
)

// register registers an application and returns its id.
func (b *browser) register(metadata string) string {
	b.t.Helper()
	p := b.read(b.Post(b.s.URL+"/oauth2/register", "application/json", strings.NewReader(metadata)))
	var made struct {
		ID string `json:"client_id"`
	}
	if err := json.Unmarshal([]byte(p.body), &made); err != nil || p.StatusCode != http.StatusCreated || made.ID == "" {
		b.t.Fatalf("register(%s) = %s %s, want an id", metadata, p.Status, p.body)
	}
	return made.ID
}

const loopback = "http://127.0.0.1:4711/cb"

// asClient is the authorization request of an application.
func (s *site) asClient(id string, changes ...string) string {
	return s.authorize(append([]string{
		"client_id", id, "redirect_uri", loopback, "scope", "read write", "nonce", "", "resource", s.URL + "/mcp",
	}, changes...)...)
}

// redeem trades a code as an application.
func (b *browser) redeem(id, code string, changes ...string) page {
	b.t.Helper()
	form := url.Values{
		"grant_type": {"authorization_code"}, "client_id": {id}, "code": {code}, "code_verifier": {verifier},
		"redirect_uri": {loopback}, "resource": {b.s.URL + "/mcp"},
	}
	for i := 0; i < len(changes); i += 2 {
		form.Set(changes[i], changes[i+1])
	}
	return b.post(b.s.URL+"/oauth2/token", form)
}

// consent answers the page on which a user is asked.
func (b *browser) consent(p page, more ...string) page {
	b.t.Helper()
	if p.StatusCode != http.StatusOK || !strings.Contains(p.body, "Let an application in?") {
		b.t.Fatalf("the page is %s, want to be asked:\n%s", p.Status, p.body)
	}
	return b.post(b.s.URL+"/oauth2/consent", p.fields(more...))
}

func accessToken(t *testing.T, p page) (token, scope string) {
	t.Helper()
	var issued struct {
		Token   string `json:"access_token"`
		Scope   string `json:"scope"`
		Refresh string `json:"refresh_token"`
		ID      string `json:"id_token"`
	}
	if err := json.Unmarshal([]byte(p.body), &issued); err != nil || p.StatusCode != http.StatusOK || issued.Refresh+issued.ID != "" {
		t.Fatalf("token = %s %s, want an access token alone", p.Status, p.body)
	}
	return issued.Token, issued.Scope
}

func TestApplicationsOfOthersAreLetIntoOneResource(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, st *store.Store) {
		s := newSite(t, st, letIn)
		b := s.browser(t)
		id := b.register(`{"client_name":"Desk <b>helper</b>","redirect_uris":["http://127.0.0.1/cb"],"token_endpoint_auth_method":"none"}`)
		asked := b.signIn(b.get(s.asClient(id)), "ada")
		for _, want := range []string{"Desk &lt;b&gt;helper", loopback, "ada", "nobody vouches", "a program on the machine"} {
			if !strings.Contains(asked.body, want) {
				t.Errorf("the page does not say %q:\n%s", want, asked.body)
			}
		}
		if policy := asked.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "frame-ancestors 'none'") || !strings.Contains(policy, "http://127.0.0.1:4711") {
			t.Errorf("the page's policy = %q, want no frames, and forms that lead to the application", policy)
		}
		for _, c := range []struct {
			form     []string
			scope    string
			readOnly bool
		}{{nil, "read", true}, {[]string{"write", "yes"}, "read write", false}} {
			got := b.consent(b.get(s.asClient(id)), append(c.form, "answer", "allow")...).answer(t, loopback+"?")
			if got.Get("iss") != s.URL || got.Get("state") != "a state & more" {
				t.Errorf("answer = %v, want state and issuer", got)
			}
			token, scope := accessToken(t, b.redeem(id, got.Get("code")))
			if _, err := s.auth.Authenticate(t.Context(), token); !quern.Is(err, quern.Unauthentic) {
				t.Errorf("Authenticate() elsewhere = %v, want a refusal", err)
			}
			if _, err := s.auth.At("/other").Authenticate(t.Context(), token); !quern.Is(err, quern.Unauthentic) {
				t.Errorf("Authenticate() at another resource = %v, want a refusal", err)
			}
			who, err := s.auth.At("/mcp").Authenticate(t.Context(), token)
			if err != nil || who.User.Username != "ada" || who.ReadOnly != c.readOnly || scope != c.scope {
				t.Errorf("Authenticate(%s) = %+v, %v, want ada, read-only %v", scope, who, err, c.readOnly)
			}
			all, err := s.auth.Tokens(t.Context(), s.auth.Principal("ada"))
			if err != nil || len(all) == 0 || all[0].Name != "an application on your machine: Desk <b>helper</b>" || all[0].ReadOnly != c.readOnly {
				t.Errorf("Tokens() = %+v, %v, want the application's", all, err)
			}
			if p := b.redeem(id, got.Get("code")); p.StatusCode != http.StatusBadRequest || !strings.Contains(p.body, "invalid_grant") {
				t.Errorf("second use of the code = %s %s, want invalid_grant", p.Status, p.body)
			}
			if _, err := s.auth.At("/mcp").Authenticate(t.Context(), token); !quern.Is(err, quern.Unauthentic) {
				t.Errorf("Authenticate() after the second use = %v, want a refusal", err)
			}
		}
		// What was not asked for is not granted, whatever the form says.
		got := b.consent(b.get(s.asClient(id, "scope", "read")), "answer", "allow", "write", "yes").answer(t, loopback+"?")
		token, scope := accessToken(t, b.redeem(id, got.Get("code")))
		if who, err := s.auth.At("/mcp").Authenticate(t.Context(), token); err != nil || !who.ReadOnly || scope != "read" {
			t.Errorf("Authenticate(%s) = %+v, %v, want it read-only", scope, who, err)
		}
		s.clock.Add(30 * 24 * time.Hour)
		if _, err := s.auth.At("/mcp").Authenticate(t.Context(), token); !quern.Is(err, quern.Unauthentic) {
			t.Errorf("Authenticate() after 30 days = %v, want a refusal", err)
		}
	})
}

func TestApplicationsThatAreNotLetIn(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil, letIn)
	b := s.browser(t)
	id := b.register(`{"redirect_uris":["` + loopback + `","https://app.example/cb"]}`)
	b.signIn(b.get(s.authorize()), "ada")
	for name, changes := range map[string][]string{
		"unknown":             {"client_id", "somebody"},
		"forged":              {"client_id", id[:len(id)-2] + "AA"},
		"no document":         {"client_id", "https://unreachable.invalid/client"},
		"unnamed address":     {"redirect_uri", "https://attacker.example/cb"},
		"other path":          {"redirect_uri", "http://127.0.0.1:4711/other"},
		"other loopback host": {"redirect_uri", "http://localhost:4711/cb"},
		"plain http":          {"redirect_uri", "http://app.example/cb"},
		"script":              {"redirect_uri", "javascript:alert(1)"},
	} {
		if p := b.get(s.asClient(id, changes...)); p.StatusCode != http.StatusBadRequest || p.Header.Get("Location") != "" {
			t.Errorf("authorize(%s) = %s to %q, want a page", name, p.Status, p.Header.Get("Location"))
		}
	}
	for want, changes := range map[string][]string{
		"unsupported_response_type": {"response_type", "token"},
		"invalid_target":            {"resource", s.URL + "/api/v1"},
		"invalid_request":           {"code_challenge_method", "plain"},
		"consent_required":          {"prompt", "none"},
		"request_not_supported":     {"request", "x"},
	} {
		p := b.get(s.asClient(id, changes...))
		at := strings.Replace(p.Header.Get("Location"), "#", "?", 1)
		if u, err := url.Parse(at); err != nil || u.Query().Get("error") != want || !strings.HasPrefix(at, loopback+"?") {
			t.Errorf("authorize(%v) = %s to %q, want %s", changes, p.Status, at, want)
		}
	}
	// Nobody is sent to the address of a stranger to which they did not agree.
	for _, changes := range [][]string{{"response_type", "token"}, {"prompt", "none"}, {"resource", s.URL + "/api/v1"}} {
		p := b.get(s.asClient(id, append([]string{"redirect_uri", "https://app.example/cb"}, changes...)...))
		if p.StatusCode != http.StatusBadRequest || p.Header.Get("Location") != "" {
			t.Errorf("authorize(%v) for a stranger = %s to %q, want a page", changes, p.Status, p.Header.Get("Location"))
		}
	}
	if got := b.consent(b.get(s.asClient(id)), "answer", "deny").answer(t, loopback+"?"); got.Get("error") != "access_denied" || got.Has("code") {
		t.Errorf("answer to no = %v, want access_denied", got)
	}
	asked := b.get(s.asClient(id))
	if p := b.post(s.URL+"/oauth2/consent", asked.fields("answer", "allow", "form_token", "forged")); p.StatusCode != http.StatusForbidden {
		t.Errorf("forged consent = %s, want 403", p.Status)
	}
	if p := s.browser(t).post(s.URL+"/oauth2/consent", asked.fields("answer", "allow")); p.StatusCode != http.StatusForbidden {
		t.Errorf("consent of another browser = %s, want 403", p.Status)
	}
	other := b.register(`{"client_name":"other","redirect_uris":["` + loopback + `"]}`)
	for name, changes := range map[string][]string{
		"another client":   {"client_id", other},
		"another resource": {"resource", s.URL + "/other"},
		"another address":  {"redirect_uri", "https://app.example/cb"},
		"another verifier": {"code_verifier", strings.Repeat("v", 43)},
		"the console":      {"client_id", "quern-console"},
	} {
		code := b.consent(b.get(s.asClient(id)), "answer", "allow").answer(t, loopback+"?").Get("code")
		if p := b.redeem(id, code, changes...); p.StatusCode != http.StatusBadRequest || !strings.Contains(p.body, "invalid_grant") {
			t.Errorf("redeem as %s = %s %s, want invalid_grant", name, p.Status, p.body)
		}
	}
	if p := b.redeem("somebody", "code"); p.StatusCode != http.StatusUnauthorized || !strings.Contains(p.body, "invalid_client") {
		t.Errorf("redeem as nobody = %s %s, want invalid_client", p.Status, p.body)
	}
}

func TestRegistrationsThatAreRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil, letIn)
	b := s.browser(t)
	for body, want := range map[string]string{
		``:   "invalid_client_metadata",
		`[]`: "invalid_client_metadata",
		`{}`: "invalid_redirect_uri",
		`{"redirect_uris":["http://app.example/cb"]}`:                                                     "invalid_redirect_uri",
		`{"redirect_uris":["https://app.example/#x"]}`:                                                    "invalid_redirect_uri",
		`{"redirect_uris":["https://u:p@app.example/"]}`:                                                  "invalid_redirect_uri",
		`{"redirect_uris":["https://сlaude.example/"]}`:                                                   "invalid_redirect_uri",
		`{"redirect_uris":["cursor://cb"]}`:                                                               "invalid_redirect_uri",
		`{"redirect_uris":["https://a.example/"],"token_endpoint_auth_method":"client_secret_basic"}`:     "invalid_client_metadata",
		`{"redirect_uris":["https://a.example/"],"grant_types":["implicit"]}`:                             "invalid_client_metadata",
		`{"redirect_uris":["https://a.example/"],"client_name":"` + strings.Repeat("n", 81) + `"}`:        "invalid_client_metadata",
		`{"redirect_uris":["https://a.example/` + strings.Repeat("x", 1500) + `"]}`:                       "invalid_client_metadata",
		`{"redirect_uris":[` + strings.Repeat(`"https://a.example/",`, 10) + `"https://a.example/"]}`:     "invalid_redirect_uri",
		`{"redirect_uris":["https://a.example/"],"logo_uri":"` + strings.Repeat("x", 17<<10) + `"}`:       "invalid_client_metadata",
		`{"redirect_uris":["https://a.example/"],"response_types":["token"],"client_name":"a\u0000name"}`: "invalid_client_metadata",
	} {
		p := b.read(b.Post(s.URL+"/oauth2/register", "application/json", strings.NewReader(body)))
		if p.StatusCode != http.StatusBadRequest || !strings.Contains(p.body, `"`+want+`"`) {
			t.Errorf("register(%.80s) = %s %s, want %s", body, p.Status, p.body, want)
		}
	}
}

func TestApplicationsThatDescribeThemselves(t *testing.T) {
	t.Parallel()
	var reads atomic.Int64
	answers := map[string]func(self string) (kind, body string){}
	documents := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reads.Add(1)
		answer, ok := answers[r.URL.Path]
		if !ok {
			http.Redirect(w, r, "/good", http.StatusFound)
			return
		}
		kind, body := answer("https://" + r.Host + r.URL.Path)
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(documents.Close)
	describe := func(more string) func(string) (string, string) {
		return func(self string) (string, string) {
			return "application/json", fmt.Sprintf(`{"client_id":%q,"client_name":"Good","redirect_uris":[%q]%s}`, self, loopback, more)
		}
	}
	answers["/good"] = describe("")
	answers["/secret"] = describe(`,"token_endpoint_auth_method":"private_key_jwt"`)
	answers["/large"] = describe(`,"x":"` + strings.Repeat("x", 17<<10) + `"`)
	answers["/other"] = func(string) (string, string) { return describe("")("https://other.example/good") }
	answers["/page"] = func(self string) (string, string) { _, body := describe("")(self); return "text/html", body }
	answers["/broken"] = func(string) (string, string) { return "application/json", "{" }

	client := documents.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	s := newSite(t, nil, func(o *idp.Options) { letIn(o); o.Documents = client })
	b := s.browser(t)
	login := b.get(s.asClient(documents.URL + "/good"))
	for _, odd := range []string{"&prompt=login", "&x=" + strings.Repeat("x", 9<<10)} {
		if p := b.get(s.asClient(documents.URL+"/good", "prompt", "login") + odd); p.StatusCode != http.StatusBadRequest {
			t.Errorf("authorize(…%.20s) of nobody = %s, want 400", odd, p.Status)
		}
	}
	if reads.Load() != 0 {
		t.Errorf("%d documents were read for somebody who is not signed in, want none", reads.Load())
	}
	asked := b.signIn(login, "ada")
	host := strings.TrimPrefix(documents.URL, "https://")
	if !strings.Contains(asked.body, "<bdi>Good</bdi>") || !strings.Contains(asked.body, `<bdi dir="ltr">`+host+`/good</bdi>`) || strings.Contains(asked.body, "nobody vouches") {
		t.Errorf("the page does not say who describes the application:\n%s", asked.body)
	}
	got := b.consent(asked, "answer", "allow").answer(t, loopback+"?")
	token, _ := accessToken(t, b.redeem(documents.URL+"/good", got.Get("code")))
	if _, err := s.auth.At("/mcp").Authenticate(t.Context(), token); err != nil {
		t.Errorf("Authenticate() = %v, want nil", err)
	}
	if reads.Load() != 1 {
		t.Errorf("%d documents were read, want one that is kept for a while", reads.Load())
	}
	s.clock.Add(6 * time.Minute)
	if b.get(s.asClient(documents.URL + "/good")); reads.Load() != 2 {
		t.Errorf("%d documents were read, want another after a while", reads.Load())
	}
	if p := b.get(s.asClient("https://%D1%81laude.example/good")); p.StatusCode != http.StatusBadRequest {
		t.Errorf("authorize() of a host in letters that look like others = %s, want 400", p.Status)
	}
	for _, path := range []string{"/secret", "/large", "/other", "/page", "/broken", "/moved", "/", "", "/a/../good", "/good?x=1", "/good#x"} {
		if p := b.get(s.asClient(documents.URL + path)); p.StatusCode != http.StatusBadRequest || p.Header.Get("Location") != "" {
			t.Errorf("authorize(%s) = %s to %q, want a page", path, p.Status, p.Header.Get("Location"))
		}
	}
}

func TestResourceSaysWhoSignsPeopleIn(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil, letIn)
	resource := idp.Resource{Auth: s.auth.Service, Path: "/mcp"}
	if got, want := resource.Address(), s.URL+"/.well-known/oauth-protected-resource/mcp"; got != want {
		t.Errorf("Address() = %q, want %q", got, want)
	}
	for _, path := range resource.Paths() {
		w := httptest.NewRecorder()
		resource.ServeHTTP(w, httptest.NewRequest(http.MethodGet, s.URL+path, nil))
		var said struct {
			Resource string
			Servers  []string `json:"authorization_servers"`
			Scopes   []string `json:"scopes_supported"`
		}
		err := json.Unmarshal(w.Body.Bytes(), &said)
		if err != nil || said.Resource != s.URL+"/mcp" || len(said.Servers) != 1 || said.Servers[0] != s.URL || len(said.Scopes) != 2 {
			t.Errorf("GET %s = %d %s, want the resource and this server", path, w.Code, w.Body)
		}
	}
	b := s.browser(t)
	var found map[string]any
	if err := json.Unmarshal([]byte(b.get(s.URL+"/.well-known/oauth-authorization-server").body), &found); err != nil {
		t.Fatal(err)
	}
	if found["registration_endpoint"] != s.URL+"/oauth2/register" || found["issuer"] != s.URL {
		t.Errorf("the server's metadata = %v, want where to register", found)
	}
	// Without a resource nobody is let in, and nothing says otherwise.
	plain := small(t)
	b = plain.browser(t)
	if body := b.get(plain.URL + "/.well-known/oauth-authorization-server").body; strings.Contains(body, "registration_endpoint") {
		t.Errorf("the metadata without a resource = %s, want no registration", body)
	}
	if p := b.get(plain.asClient("https://app.example/client")); p.StatusCode != http.StatusBadRequest {
		t.Errorf("authorize() without a resource = %s, want 400", p.Status)
	}
}
