package web_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"quern/auth/authtest"
	"quern/web"
)

func signedIn(t *testing.T) (*site, *browser) {
	t.Helper()
	s := small(t)
	b := s.browser(t)
	b.submit(b.get("/signin"), "username", "ada", "password", authtest.Password)
	return s, b
}

var nonceOf = regexp.MustCompile(`'nonce-([A-Z2-7]{26})'`)

func TestConsoleIsForWhoIsSignedIn(t *testing.T) {
	t.Parallel()
	_, b := signedIn(t)
	for _, path := range []string{"/", "/ask", "/ask/ada/harbour", "/data/ada/harbour/arrivals/columns",
		"/upload", "/settings/tokens?x=1", "/answers/abc"} {
		p := b.get(path)
		if p.StatusCode != http.StatusOK || p.Header.Get("Cache-Control") != "no-store" || !strings.Contains(p.body, `name="quern-build"`) {
			t.Errorf("GET %s = %d %v, want the console, not kept", path, p.StatusCode, p.Header)
		}
	}
	for _, path := range []string{"/asking", "/dataset", "/index.html", "/console", "/answersx/1"} {
		if p := b.get(path); p.StatusCode != http.StatusNotFound || strings.Contains(p.body, "quern-build") {
			t.Errorf("GET %s = %d, want 404 and not the console", path, p.StatusCode)
		}
	}
	stranger := b.s.browser(t)
	if p := stranger.get("/"); strings.Contains(p.body, "quern-build") || p.StatusCode != http.StatusOK {
		t.Errorf("GET / of a stranger = %d, want the landing page", p.StatusCode)
	}
	if p := stranger.get("/data/ada"); !strings.Contains(p.body, `name="password"`) {
		t.Errorf("GET /data/ada of a stranger = %s, want the login page", p.body)
	}
}

func TestConsolePolicy(t *testing.T) {
	t.Parallel()
	s, b := signedIn(t)
	p := b.get("/")
	policy := p.Header.Get("Content-Security-Policy")
	nonce := nonceOf.FindStringSubmatch(policy)
	if nonce == nil {
		t.Fatalf("policy = %s, want a nonce", policy)
	}
	want := "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-" + nonce[1] + "'; img-src 'self' data: blob:; font-src 'self'; " +
		"connect-src 'self' https://parts.example:9000; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	if policy != want {
		t.Errorf("policy of the console:\n got %s\nwant %s", policy, want)
	}
	if !strings.Contains(p.body, `nonce="`+nonce[1]+`"`) {
		t.Errorf("the console does not carry its nonce %s: %s", nonce[1], p.body)
	}
	if again := b.get("/").Header.Get("Content-Security-Policy"); again == policy {
		t.Error("two answers have the same nonce")
	}
	for _, bad := range []string{"<style", " style=", "javascript:", " onload=", " onclick=", "http://", "https://"} {
		if strings.Contains(strings.ReplaceAll(p.body, s.URL, ""), bad) {
			t.Errorf("the console's document holds %q, which its policy forbids", bad)
		}
	}
	for _, tag := range regexp.MustCompile(`<script[^>]*>([^<]*)`).FindAllStringSubmatch(p.body, -1) {
		if strings.TrimSpace(tag[1]) != "" {
			t.Errorf("the console's document has a script in its text: %s", tag[0])
		}
	}
}

func TestConsoleFiles(t *testing.T) {
	t.Parallel()
	s, b := signedIn(t)
	p := b.get("/")
	build := b.get("/api/v1/who").Header.Get(web.BuildHeader)
	if len(build) != 16 || !strings.Contains(p.body, `name="quern-build" content="`+build+`"`) {
		t.Fatalf("the build is %q in answers, want that of the page: %s", build, p.body)
	}
	needed := regexp.MustCompile(`(?:src|href)="(/assets/`+build+`/[^"]+)"`).FindAllStringSubmatch(p.body, -1)
	if len(needed) == 0 {
		t.Fatalf("the console needs no files of build %s: %s", build, p.body)
	}
	stranger := s.browser(t) // files are the same for everybody
	for _, m := range needed {
		f := stranger.get(m[1])
		if f.StatusCode != http.StatusOK || f.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" ||
			strings.HasPrefix(f.Header.Get("Content-Type"), "text/html") {
			t.Errorf("GET %s = %d %v, want the file for good", m[1], f.StatusCode, f.Header)
		}
	}
	for _, path := range []string{
		"/assets/" + build + "/nothing.js", "/assets/" + build + "/", "/assets/" + build, "/assets/" + build + "/index.html",
		"/assets/0123456789abcdef/console.js", "/assets/" + build + "/../web.go", "/assets/" + build + "/%2e%2e/quern.css",
	} {
		if f := b.get(path); f.StatusCode != http.StatusNotFound || strings.Contains(f.body, "quern-build") {
			t.Errorf("GET %s = %d, want 404 and never the page", path, f.StatusCode)
		}
	}
}
