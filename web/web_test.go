package web_test

import (
	"html"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"quern"
	"quern/api"
	"quern/auth"
	"quern/auth/authtest"
	"quern/door"
	"quern/web"
)

func get(t *testing.T, h http.Handler, method, path string, header http.Header) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, nil)
	r.Header = header
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func pages(t *testing.T) http.Handler {
	t.Helper()
	users := authtest.New(t, auth.Options{PublicURL: "https://quern.example"})
	browsers, err := door.NewBrowsers("https://quern.example", users)
	authtest.Must(t, err)
	h, err := web.New(web.Options{PublicURL: "https://quern.example/", Auth: users.Service, Browsers: browsers})
	if err != nil {
		t.Fatalf("New() = %v", err)
	}
	return h
}

func TestReferenceShowsTheWholeContract(t *testing.T) {
	t.Parallel()
	body := get(t, pages(t), "GET", "/docs", nil).Body.String()
	for range 5 {
		if get(t, pages(t), "GET", "/docs", nil).Body.String() != body {
			t.Fatal("/docs is another page each time it is made")
		}
	}
	for _, op := range api.Operations() {
		if !strings.Contains(body, `<article class="operation" id="`+op.ID+`">`) || !strings.Contains(body, html.EscapeString(op.Spec.Summary)) {
			t.Errorf("/docs lacks %s", op.ID)
		}
	}
	for _, code := range quern.Codes() {
		if !strings.Contains(body, "<code>"+string(code)+"</code>") {
			t.Errorf("/docs lacks the error code %s", code)
		}
	}
	for _, want := range []string{"2.2.3", "https://quern.example/api/v1", "bearerAuth", "openId", "browserSession",
		"accessRestrictedTo", "1 to 100 characters"} {
		if !strings.Contains(body, want) {
			t.Errorf("/docs lacks %q", want)
		}
	}
}

func TestPagesKeepToThemselves(t *testing.T) {
	t.Parallel()
	h := pages(t)
	linked := regexp.MustCompile(`(?:src|srcset|href|action)="([^"]*)"`)
	for _, path := range []string{"/", "/docs"} {
		got := get(t, h, "GET", path, nil)
		if got.Code != http.StatusOK || got.Header().Get("Content-Type") != "text/html; charset=utf-8" ||
			got.Header().Get("Content-Security-Policy") != door.PagePolicy {
			t.Errorf("GET %s = %d %v, want HTML with the policy of pages", path, got.Code, got.Header())
		}
		body := got.Body.String()
		if !strings.Contains(body, `<link rel="icon" href="/assets/favicon.svg"`) {
			t.Errorf("GET %s has no icon", path)
		}
		for _, bad := range []string{"<script", "<style", " style=", "javascript:", "@import"} {
			if strings.Contains(body, bad) {
				t.Errorf("GET %s holds %q, which its policy forbids", path, bad)
			}
		}
		for _, m := range linked.FindAllStringSubmatch(body, -1) {
			target := m[1]
			switch {
			case strings.HasPrefix(target, "#"):
				if !strings.Contains(body, `id="`+target[1:]+`"`) {
					t.Errorf("GET %s links to %s, which is not there", path, target)
				}
			case strings.HasPrefix(target, "//") || !strings.HasPrefix(target, "/"):
				t.Errorf("GET %s links to %q, want this server only", path, target)
			case strings.HasPrefix(target, "/assets/"):
				if code := get(t, h, "GET", target, nil).Code; code != http.StatusOK {
					t.Errorf("GET %s needs %s, which is %d", path, target, code)
				}
			}
		}
	}
}

// Where somebody links to the landing page, programs that show a card find its picture.
func TestTheLandingPageHasACard(t *testing.T) {
	t.Parallel()
	h := pages(t)
	body := get(t, h, "GET", "/", nil).Body.String()
	card := regexp.MustCompile(`<meta property="og:image" content="https://quern\.example(/[^"]*)">`).FindStringSubmatch(body)
	if card == nil || get(t, h, "GET", card[1], nil).Header().Get("Content-Type") != "image/png" {
		t.Errorf("the card of the landing page is %q, want a picture of this server with its whole address", card)
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	h := pages(t)
	for _, tt := range []struct {
		method, path string
		want         int
	}{
		{"GET", "/", 200}, {"HEAD", "/docs", 200}, {"POST", "/docs", 405}, {"GET", "/docs/", 404}, {"GET", "/nothing", 404},
		{"GET", "/signout", 405}, {"POST", "/", 405}, {"POST", "/data/x", 405},
	} {
		if got := get(t, h, tt.method, tt.path, nil).Code; got != tt.want {
			t.Errorf("%s %s = %d, want %d", tt.method, tt.path, got, tt.want)
		}
	}
	// People are told in words, programs in JSON.
	if got := get(t, h, "GET", "/nothing", http.Header{"Accept": {"text/html,*/*"}}); got.Code != 404 ||
		!strings.Contains(got.Body.String(), "<h1>There is nothing here</h1>") {
		t.Errorf("GET /nothing as a person = %d %s, want a page", got.Code, got.Body)
	}
	if got := get(t, h, "GET", "/nothing", nil); !strings.Contains(got.Body.String(), "ROUTE_NOT_FOUND") {
		t.Errorf("GET /nothing as a program = %s, want an error body", got.Body)
	}
	etag := get(t, h, "GET", "/docs", nil).Header().Get("ETag")
	if got := get(t, h, "GET", "/docs", http.Header{"If-None-Match": {etag}}).Code; got != http.StatusNotModified {
		t.Errorf("GET /docs again = %d, want 304", got)
	}
}

func TestAssets(t *testing.T) {
	t.Parallel()
	h := pages(t)
	css := get(t, h, "GET", "/assets/quern.css", nil)
	if css.Code != http.StatusOK || !strings.HasPrefix(css.Header().Get("Content-Type"), "text/css") {
		t.Errorf("GET /assets/quern.css = %d %s, want the stylesheet", css.Code, css.Header().Get("Content-Type"))
	}
	for _, asked := range regexp.MustCompile(`(?:url\(|@import )"?(?P<path>[^")]*)`).FindAllStringSubmatch(css.Body.String(), -1) {
		if got := get(t, h, "GET", "/assets/"+asked[1], nil).Code; got != http.StatusOK {
			t.Errorf("GET /assets/%s, which the stylesheet asks for, = %d, want 200", asked[1], got)
		}
	}
	for _, path := range []string{"/assets/", "/assets/nothing.css"} {
		if got := get(t, h, "GET", path, nil).Code; got != 404 {
			t.Errorf("GET %s = %d, want 404", path, got)
		}
	}
}
