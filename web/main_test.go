package web_test

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
	"quern/door"
	"quern/idp"
	"quern/store"
	"quern/web"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// site is the pages with the embedded provider beside them, and an operation that
// takes cookies.
type site struct {
	*httptest.Server
	auth  *authtest.Service
	clock *authtest.Clock
}

// newSite starts a site; an issuer replaces the embedded provider.
func newSite(t testing.TB, st *store.Store, issuer func(site string) auth.Issuer) *site {
	t.Helper()
	s := &site{clock: authtest.StoppedClock()}
	mux := http.NewServeMux()
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	o := auth.Options{Store: st, Now: s.clock.Now, PublicURL: s.URL}
	if issuer != nil {
		o.Issuer = issuer(s.URL)
	}
	s.auth = authtest.New(t, o)
	browsers, err := door.NewBrowsers(s.URL, s.auth)
	authtest.Must(t, err)
	pages, err := web.New(web.Options{
		PublicURL: s.URL, Auth: s.auth.Service, Browsers: browsers, AuthorizePath: idp.AuthorizePath, PartsOrigin: "https://parts.example:9000",
	})
	authtest.Must(t, err)
	mux.Handle("/", pages)
	mux.Handle("/api/v1/who", pages.Announce(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, _, err := door.Admit(r, s.auth, browsers)
		if err != nil {
			door.WriteError(w, r, err)
			return
		}
		_, _ = io.WriteString(w, p.User.Username)
	})))
	if issuer == nil {
		provider, err := idp.New(idp.Options{Auth: s.auth.Service, Now: s.clock.Now, Home: web.SignInPath})
		authtest.Must(t, err)
		for _, path := range provider.Paths() {
			mux.Handle(path, provider)
		}
		s.auth.Principal("ada")
	}
	return s
}

func small(t testing.TB) *site { return newSite(t, nil, nil) }

// browser keeps cookies and follows redirects.
type browser struct {
	t testing.TB
	s *site
	*http.Client
}

func (s *site) browser(t testing.TB) *browser {
	jar, err := cookiejar.New(nil)
	authtest.Must(t, err)
	return &browser{t, s, &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}}}
}

// page is an answer with its body read.
type page struct {
	*http.Response
	body string
}

func (b *browser) do(r *http.Request) page {
	b.t.Helper()
	resp, err := b.Do(r)
	authtest.Must(b.t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	authtest.Must(b.t, err)
	return page{resp, string(body)}
}

func (b *browser) get(address string) page {
	b.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = b.s.URL + address
	}
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, address, nil)
	authtest.Must(b.t, err)
	r.Header.Set("Accept", "text/html")
	return b.do(r)
}

func (b *browser) post(address string, form url.Values, headers ...string) page {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), http.MethodPost, address, strings.NewReader(form.Encode()))
	authtest.Must(b.t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return b.do(r)
}

var (
	formAction = regexp.MustCompile(`<form[^>]*action="([^"]+)"`)
	formField  = regexp.MustCompile(`<input[^>]*name="([^"]+)"[^>]*value="([^"]*)"`)
)

// submit sends the form of a page with what was typed into it.
func (b *browser) submit(p page, typed ...string) page {
	b.t.Helper()
	action := formAction.FindStringSubmatch(p.body)
	if action == nil {
		b.t.Fatalf("no form at %s: %d %s", p.Request.URL, p.StatusCode, p.body)
	}
	form := url.Values{}
	for _, m := range formField.FindAllStringSubmatch(p.body, -1) {
		form.Set(m[1], html.UnescapeString(m[2]))
	}
	for i := 0; i+1 < len(typed); i += 2 {
		form.Set(typed[i], typed[i+1])
	}
	target, err := p.Request.URL.Parse(html.UnescapeString(action[1]))
	authtest.Must(b.t, err)
	return b.post(target.String(), form)
}

// who is whom the operation takes the browser for, "" when for nobody.
func (b *browser) who() string {
	b.t.Helper()
	p := b.get("/api/v1/who")
	if p.StatusCode == http.StatusUnauthorized {
		return ""
	}
	if p.StatusCode != http.StatusOK {
		b.t.Errorf("GET /api/v1/who = %s %s, want 200 or 401", p.Status, p.body)
	}
	return p.body
}

// cookie is a cookie of the browser's, "" when it has none.
func (b *browser) cookie(name string) string {
	u, _ := url.Parse(b.s.URL)
	for _, c := range b.Jar.Cookies(u) {
		if c.Name == name {
			return c.Value
		}
	}
	return ""
}
