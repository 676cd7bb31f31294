package e2e_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// browse starts a headless Chromium that ends with the test.
func browse(t *testing.T) context.Context {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Fatal("no Chromium found: `make deps` installs one")
	}
	flags := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.NoFirstRun, chromedp.Headless, chromedp.DisableGPU,
		// Containers lack what the sandbox is made of; only our own pages are seen.
		chromedp.NoSandbox, chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*patience)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, flags...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return ctx
}

// printedLogin reads the address and the login that a first start prints.
func printedLogin(t *testing.T, text string) (address, username, password string) {
	t.Helper()
	find := func(name string) string {
		match := regexp.MustCompile(name + `\s+(\S+)`).FindStringSubmatch(text)
		if match == nil {
			t.Fatalf("the first start printed %q, want a line with %s", text, name)
		}
		return match[1]
	}
	return find("Address"), find("Username"), find("Password")
}

// application is a program on the user's machine that wants to act for them.
type application struct {
	callback string
	answers  chan url.Values
}

func newApplication(t *testing.T) *application {
	a := &application{answers: make(chan url.Values, 1)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/callback" {
			a.answers <- r.URL.Query()
		}
		_, _ = io.WriteString(w, "<p id=back>Welcome back</p>")
	}))
	t.Cleanup(server.Close)
	a.callback = server.URL + "/callback"
	return a
}

func TestTheFirstLoginWorksInABrowser(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, h *home) {
		s := h.serve("--first-user", "ada")
		address, username, password := printedLogin(t, s.printed("Data "))
		if address != s.url || username != "ada" {
			t.Errorf("printed login = %s at %s, want ada at %s", username, address, s.url)
		}
		token := signIn(t, s, username, password)
		if r := s.call("GET", me, token, ""); r.status != 200 || r.json(t)["username"] != "ada" {
			t.Errorf("GET %s with the browser's token = %d %s, want 200 for ada", me, r.status, r.body)
		}
		s.stop()
		again := h.serve("--first-user", "ada")
		if text := again.printed("Data "); strings.Contains(text, "Password ") || !strings.Contains(text, "user passwd") {
			t.Errorf("a later start printed %q, want how to reset and no password", text)
		}
		again.stop()
	})
}

// signIn goes through the provider's pages in a browser and returns the access
// token that the application gets in the end.
func signIn(t *testing.T, s *server, username, password string) string {
	t.Helper()
	app := newApplication(t)
	verifier := strings.Repeat("a-long-verifier-", 4)
	sum := sha256.Sum256([]byte(verifier))
	provider := s.call("GET", "/.well-known/openid-configuration", "", "").json(t)
	authorize := provider["authorization_endpoint"].(string) + "?" + url.Values{
		"client_id": {"quern-console"}, "response_type": {"code"}, "scope": {"openid"}, "state": {"some-state-of-mine"},
		"redirect_uri": {app.callback}, "code_challenge_method": {"S256"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])},
	}.Encode()
	ctx := browse(t)
	do := func(what string, steps ...chromedp.Action[chromedp.Void]) {
		t.Helper()
		if err := chromedp.Do(ctx, steps...); err != nil {
			t.Fatalf("in the browser, %s = %v", what, err)
		}
	}
	do("the login page", chromedp.Navigate(authorize), chromedp.WaitVisible("#password"))
	title, _ := chromedp.Run(ctx, chromedp.Title())
	do("a wrong password", chromedp.SendKeys("#username", username), chromedp.SendKeys("#password", "wrong "+password),
		chromedp.Submit("#password"), chromedp.WaitVisible("#error"))
	refusal, _ := chromedp.Run(ctx, chromedp.Text("#error"))
	do("the right password", chromedp.SendKeys("#password", password), chromedp.Submit("#password"), chromedp.WaitVisible("#back"))
	if !strings.Contains(title, "Quern") || !strings.Contains(refusal, "wrong") {
		t.Errorf("login page = %q, refusal %q, want ours", title, refusal)
	}
	answer := <-app.answers
	if answer.Get("state") != "some-state-of-mine" || answer.Get("code") == "" {
		t.Fatalf("callback = %v, want a code and the state", answer)
	}
	res, err := http.PostForm(provider["token_endpoint"].(string), url.Values{
		"grant_type": {"authorization_code"}, "client_id": {"quern-console"}, "code": {answer.Get("code")},
		"redirect_uri": {app.callback}, "code_verifier": {verifier},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var tokens struct {
		Access string `json:"access_token"`
	}
	if err := json.NewDecoder(res.Body).Decode(&tokens); err != nil || tokens.Access == "" {
		t.Fatalf("token endpoint = %d, %v, want an access token", res.StatusCode, err)
	}
	return tokens.Access
}
