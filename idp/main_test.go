package idp_test

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"quern/auth"
	"quern/auth/authtest"
	"quern/idp"
	"quern/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// site is a server with the embedded provider, two users and a clock.
type site struct {
	*httptest.Server
	auth  *authtest.Service
	clock *authtest.Clock
}

// letIn lets applications of others into a resource.
func letIn(o *idp.Options) { o.Resource = "/mcp" }

func newSite(t testing.TB, st *store.Store, changes ...func(*idp.Options)) *site {
	t.Helper()
	s := &site{clock: authtest.StoppedClock()}
	var handler http.Handler
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	t.Cleanup(s.Close)
	s.auth = authtest.New(t, auth.Options{Store: st, Now: s.clock.Now, PublicURL: s.URL})
	options := idp.Options{
		Auth: s.auth.Service, Now: s.clock.Now, RedirectURIs: []string{"https://app.example/cb?tenant=1"},
		SignedOutURIs: []string{"https://app.example/bye"},
	}
	for _, change := range changes {
		change(&options)
	}
	provider, err := idp.New(options)
	if err != nil {
		t.Fatalf("idp.New() = %v, want nil", err)
	}
	handler = provider
	s.auth.Principal("ada")
	s.auth.Principal("bob")
	return s
}

func small(t testing.TB) *site { return newSite(t, nil) }

// browser keeps cookies and follows redirects within the site.
type browser struct {
	t testing.TB
	s *site
	*http.Client
}

func (s *site) browser(t testing.TB) *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{t: t, s: s, Client: &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}}}
	b.CheckRedirect = func(r *http.Request, _ []*http.Request) error {
		inside := strings.HasPrefix(r.URL.String(), s.URL+"/login") || strings.HasPrefix(r.URL.String(), s.URL+"/oauth2/")
		if !inside {
			return http.ErrUseLastResponse
		}
		return nil
	}
	return b
}

// page is an answer with its body read.
type page struct {
	*http.Response
	body string
}

func (b *browser) read(resp *http.Response, err error) page {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return page{resp, string(body)}
}

func (b *browser) get(address string) page {
	b.t.Helper()
	return b.read(b.Get(address))
}

func (b *browser) post(address string, form url.Values) page {
	b.t.Helper()
	return b.read(b.PostForm(address, form))
}

var hidden = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)">`)

// fields returns the hidden fields of a page's form, with more added.
func (p page) fields(more ...string) url.Values {
	form := url.Values{}
	for _, m := range hidden.FindAllStringSubmatch(p.body, -1) {
		form.Set(m[1], html.UnescapeString(m[2]))
	}
	for i := 0; i < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form
}

// signIn fills in the login page that it was given.
func (b *browser) signIn(p page, name string) page {
	b.t.Helper()
	if p.StatusCode != http.StatusOK || !strings.Contains(p.body, `name="password"`) {
		b.t.Fatalf("the page is %s, want the login page:\n%s", p.Status, p.body)
	}
	return b.post(b.s.URL+"/login", p.fields("username", name, "password", authtest.Password))
}

// answer returns the parameters that a redirect carries to the client.
func (p page) answer(t testing.TB, to string) url.Values {
	t.Helper()
	location := p.Header.Get("Location")
	if p.StatusCode != http.StatusSeeOther || !strings.HasPrefix(location, to) {
		t.Fatalf("answer = %s to %q, want a redirect to %s", p.Status, location, to)
	}
	separator := "?"
	if strings.Contains(location, "#") {
		separator = "#"
	}
	_, query, _ := strings.Cut(location, separator)
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(location, "#") {
		values.Set("in fragment", "yes")
	}
	return values
}

const (
	verifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
)

// authorize is the address of an authorization request; changes replace
// parameters, an empty value leaves one out.
func (s *site) authorize(changes ...string) string {
	q := url.Values{
		"client_id": {"quern-console"}, "redirect_uri": {s.URL + "/callback"}, "response_type": {"code"}, "scope": {"openid"},
		"state": {"a state & more"}, "nonce": {"a nonce"}, "code_challenge": {challenge}, "code_challenge_method": {"S256"},
	}
	for i := 0; i < len(changes); i += 2 {
		if q.Set(changes[i], changes[i+1]); changes[i+1] == "" {
			q.Del(changes[i])
		}
	}
	return s.URL + "/oauth2/authorize?" + q.Encode()
}
