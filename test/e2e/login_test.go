package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// formBrowser is a browser for forms: it keeps cookies and follows redirects.
type formBrowser struct {
	t *testing.T
	*http.Client
}

func newFormBrowser(t *testing.T) formBrowser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return formBrowser{t, &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}}
}

// formPage is where a browser is.
type formPage struct {
	at   *url.URL
	body string
}

func (b formBrowser) open(resp *http.Response, err error) formPage {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return formPage{resp.Request.URL, string(body)}
}

var (
	formTarget = regexp.MustCompile(`<form[^>]* action="([^"]*)"`)
	formHidden = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)
)

// submit sends the form of a page.
func (b formBrowser) submit(p formPage, typed ...string) formPage {
	b.t.Helper()
	target := formTarget.FindStringSubmatch(p.body)
	if target == nil {
		b.t.Fatalf("no form at %s:\n%s", p.at, p.body)
	}
	form := url.Values{}
	for _, m := range formHidden.FindAllStringSubmatch(p.body, -1) {
		form.Set(m[1], html.UnescapeString(m[2]))
	}
	for i := 0; i < len(typed); i += 2 {
		form.Set(typed[i], typed[i+1])
	}
	to, err := p.at.Parse(html.UnescapeString(target[1]))
	if err != nil {
		b.t.Fatal(err)
	}
	return b.open(b.PostForm(to.String(), form))
}

// sideCommand is a command that runs beside the test.
type sideCommand struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser

	mu   sync.Mutex
	errs bytes.Buffer
}

func (c *sideCommand) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.errs.Write(p)
}

func (c *sideCommand) said() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.errs.String()
}

// beside begins a command whose standard error is followed.
func (h *home) beside(args ...string) *sideCommand {
	h.t.Helper()
	c := &sideCommand{t: h.t, cmd: exec.Command(binary, args...)}
	c.cmd.Env, c.cmd.Stderr = h.environ, c
	in, err := c.cmd.StdinPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if c.in = in; c.cmd.Start() != nil {
		h.t.Fatalf("quern %v does not start", args)
	}
	h.t.Cleanup(func() { _ = c.cmd.Process.Kill(); _ = c.cmd.Wait() })
	return c
}

var printedAddress = regexp.MustCompile(`\n  (http\S+)\n`)

// address waits for the address that a sign-in prints.
func (c *sideCommand) address() string {
	c.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if m := printedAddress.FindStringSubmatch(c.said()); m != nil {
			return m[1]
		}
	}
	c.t.Fatalf("no address is printed: %s", c.said())
	return ""
}

// end waits for the command's end and returns its exit code.
func (c *sideCommand) end() int {
	_ = c.cmd.Wait()
	return c.cmd.ProcessState.ExitCode()
}

// away is the machine of an analyst: no data directory, no token, a browser that the test
// plays.
func (h *home) away() *home {
	dir := h.t.TempDir()
	return &home{t: h.t, data: filepath.Join(dir, "none"), environ: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "BROWSER=true"}}
}

// loginsOf is the file in which a machine keeps its sign-ins.
func (h *home) loginsOf() string {
	_, dir, _ := strings.Cut(h.environ[1], "=")
	return filepath.Join(dir, ".config", "quern", "logins.json")
}

// expire has the access tokens that a machine keeps look old.
func (h *home) expire() {
	h.t.Helper()
	text, err := os.ReadFile(h.loginsOf())
	if err != nil {
		h.t.Fatal(err)
	}
	var kept struct {
		Current string           `json:"current"`
		Logins  []map[string]any `json:"logins"`
	}
	if err := json.Unmarshal(text, &kept); err != nil || len(kept.Logins) == 0 {
		h.t.Fatalf("the file of sign-ins = %s, %v, want one", text, err)
	}
	for _, l := range kept.Logins {
		l["expiresAt"], l["accessToken"] = "2020-01-01T00:00:00Z", "old"
	}
	text, err = json.Marshal(kept)
	if err == nil {
		err = os.WriteFile(h.loginsOf(), text, 0o600)
	}
	if err != nil {
		h.t.Fatal(err)
	}
}

func TestLoginWithTheEmbeddedProvider(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	_, _, password := printedLogin(t, s.printed("Data "))
	desk := h.away()
	if r := desk.run("", "datasets", "--server", s.url); r.code != 2 || !strings.Contains(r.err, "sign in with 'quern login'") {
		t.Errorf("quern datasets before signing in = %+v, want how to", r)
	}
	b := newFormBrowser(t)
	login := desk.beside("login", s.url)
	asked := b.submit(b.open(b.Get(login.address())), "username", "ada", "password", password)
	// An answer that belongs to another sign-in changes nothing.
	back, err := url.Parse(login.address())
	if err != nil {
		t.Fatal(err)
	}
	planted := b.open(b.Get(back.Query().Get("redirect_uri") + "?code=x&state=y&iss=" + url.QueryEscape(s.url)))
	if !strings.Contains(planted.body, "does not belong") {
		t.Errorf("an answer with another state = %s, want it turned away", planted.body)
	}
	if told := b.submit(asked, "answer", "allow"); !strings.Contains(told.body, "You are signed in at the command line") {
		t.Errorf("the browser is told %s, want that it worked", told.body)
	}
	if code := login.end(); code != 0 || !strings.Contains(login.said(), "signed in to "+s.url+" as ada") {
		t.Fatalf("quern login = %d %s, want ada signed in", code, login.said())
	}
	for name, want := range map[string]os.FileMode{desk.loginsOf(): 0o600, filepath.Dir(desk.loginsOf()): 0o700} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("the mode of %s = %v, %v, want %v", name, info.Mode(), err, want)
		}
	}
	// The server is the one that was signed in to.
	if got := desk.must("", "whoami"); got != "ada at "+s.url+" (signed in)" {
		t.Errorf("quern whoami = %q, want ada, signed in", got)
	}
	if got := desk.must("", "ask", "-n", "harbour", "how many ships are there?"); !strings.Contains(got, "There are 12 ships.") {
		t.Errorf("quern ask = %q, want an answer", got)
	}
	desk.expire()
	if got := desk.must("", "datasets"); !strings.Contains(got, "ships") {
		t.Errorf("quern datasets with an old token = %q, want it renewed", got)
	}
	if r := desk.run("", "datasets", "--server", "http://127.0.0.1:1"); r.code != 2 || !strings.Contains(r.err, "there is no token") {
		t.Errorf("quern datasets at another server = %+v, want no token to be sent there", r)
	}
	stolen, err := os.ReadFile(desk.loginsOf())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(desk.loginsOf(), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := desk.run("", "whoami", "--server", s.url); r.code != 1 || !strings.Contains(r.err, "can be read by others (mode 0644)") {
		t.Errorf("quern whoami with a file that others may read = %+v, want it refused", r)
	}
	if err := os.Chmod(desk.loginsOf(), 0o600); err != nil {
		t.Fatal(err)
	}
	// Who stole the file and renews first is found out: the owner's next renewal ends both.
	thief := h.away()
	if err := os.MkdirAll(filepath.Dir(thief.loginsOf()), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(thief.loginsOf(), stolen, 0o600); err != nil {
		t.Fatal(err)
	}
	thief.expire()
	thief.must("", "whoami")
	desk.expire()
	for name, at := range map[string]*home{"the owner": desk, "the thief": thief} {
		if name == "the thief" {
			at.expire()
		}
		_ = desk.run("", "whoami")
		if r := at.run("", "whoami"); r.code != 1 || !strings.Contains(r.err, "'quern login "+s.url+"' signs in again") {
			t.Errorf("quern whoami of %s after a second use = %+v, want that it has ended", name, r)
		}
	}
}

func TestLoginWithACodeThatIsTyped(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	_, _, password := printedLogin(t, s.printed("Data "))
	desk, b := h.away(), newFormBrowser(t)
	shown := regexp.MustCompile(`<code>([^<]+~[^<]+)</code>`)
	sign := func(typed ...string) (*sideCommand, string) {
		login := desk.beside("login", "--no-browser", s.url)
		p := b.open(b.Get(login.address()))
		if len(typed) > 0 {
			p = b.submit(p, typed...)
		}
		code := shown.FindStringSubmatch(b.submit(p, "answer", "allow").body)
		if code == nil {
			t.Fatal("no code is shown")
		}
		return login, html.UnescapeString(code[1])
	}
	login, code := sign("username", "ada", "password", password)
	fmt.Fprintln(login.in, "  "+code)
	if got := login.end(); got != 0 {
		t.Fatalf("quern login --no-browser = %d %s, want 0", got, login.said())
	}
	// A code of another sign-in, half a code, and none.
	other, foreign := sign()
	fmt.Fprintln(other.in, code)
	if got := other.end(); got != 1 || !strings.Contains(other.said(), "does not belong to this sign-in") {
		t.Errorf("a code of another sign-in = %d %s, want it refused", got, other.said())
	}
	half, _ := sign()
	before, _, _ := strings.Cut(foreign, "~")
	fmt.Fprintln(half.in, before)
	if got := half.end(); got != 1 || !strings.Contains(half.said(), "copy all of it") {
		t.Errorf("half a code = %d %s, want it refused", got, half.said())
	}
	none := desk.beside("login", "--no-browser", s.url)
	none.address()
	none.in.Close()
	if got := none.end(); got != 1 || !strings.Contains(none.said(), "given up") {
		t.Errorf("no code = %d %s, want it given up", got, none.said())
	}
	// Saying no, Ctrl-C, a port that is taken, nobody there.
	refused := desk.beside("login", s.url)
	b.submit(b.open(b.Get(refused.address())), "answer", "deny")
	if got := refused.end(); got != 1 || !strings.Contains(refused.said(), "the sign-in was not allowed") {
		t.Errorf("saying no = %d %s, want it refused", got, refused.said())
	}
	cancelled := desk.beside("login", s.url)
	cancelled.address()
	_ = cancelled.cmd.Process.Signal(syscall.SIGINT)
	if got := cancelled.end(); got != 1 || !strings.Contains(cancelled.said(), "given up") {
		t.Errorf("Ctrl-C = %d %s, want it given up", got, cancelled.said())
	}
	waiting := desk.beside("login", s.url)
	at, _ := url.Parse(waiting.address())
	back, _ := url.Parse(at.Query().Get("redirect_uri"))
	if r := desk.run("", "login", s.url, "--port", back.Port()); r.code != 1 || !strings.Contains(r.err, "the port "+back.Port()+" is in use") {
		t.Errorf("quern login with a port that is taken = %+v, want it said", r)
	}
	if r := desk.run("", "login", s.url, "--wait", "100ms"); r.code != 1 || !strings.Contains(r.err, "nobody signed in within") {
		t.Errorf("quern login that nobody answers = %+v, want it said", r)
	}
	if r := desk.run("", "login", "not-an-address"); r.code != 2 {
		t.Errorf("quern login of no address = %+v, want code 2", r)
	}
	// The sign-in that was kept is still good, and ends with signing out, here and there.
	desk.must("", "whoami")
	desk.must("", "logout")
	if r := desk.run("", "whoami", "--server", s.url); r.code != 2 || !strings.Contains(r.err, "there is no token") {
		t.Errorf("quern whoami after signing out = %+v, want no token", r)
	}
	if r := desk.run("", "logout", s.url); r.code != 1 || !strings.Contains(r.err, "nobody is signed in") {
		t.Errorf("quern logout twice = %+v, want that nobody is signed in", r)
	}
}

func TestLoginWithAnotherProvider(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	issuer := "http://127.0.0.1:" + port
	startIssuer(t, port, "https://quern.test")
	settings := []string{"QUERN_OIDC_ISSUER=" + issuer, "QUERN_OIDC_AUDIENCE=https://quern.test"}
	without := newHome(t, settings...)
	desk := without.away()
	if r := desk.run("", "login", without.serve().url); r.code != 1 || !strings.Contains(r.err, "oidc_cli_client_id") {
		t.Errorf("quern login where the provider knows no command lines = %+v, want what to set", r)
	}
	h := newHome(t, append(settings, "QUERN_OIDC_CLI_CLIENT_ID=cli")...)
	s := h.serve()
	b := newFormBrowser(t)
	login := desk.beside("login", s.url)
	p := b.submit(b.open(b.Get(login.address())), "login", "grace", "password", "x")
	if told := b.submit(p); !strings.Contains(told.body, "You are signed in at the command line") {
		t.Errorf("the browser is told %s, want that it worked", told.body)
	}
	if code := login.end(); code != 0 {
		t.Fatalf("quern login = %d %s, want 0", code, login.said())
	}
	for _, round := range []string{"fresh", "renewed", "renewed again"} {
		if got := desk.must("", "whoami"); got != "grace at "+s.url+" (signed in)" {
			t.Errorf("quern whoami, %s = %q, want grace", round, got)
		}
		desk.expire()
	}
	desk.must("", "logout", "--all")
}
