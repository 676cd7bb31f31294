package e2e_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"quern/test/duplex"
)

// The Python client does against the binary what every client does, blocking and awaited,
// its examples run, and what is made from other files is current.
func TestTheClientInPython(t *testing.T) {
	t.Parallel()
	s := newScenarioServer(t)
	environ := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH=src",
		"QUERN_SERVER=" + s.url, "QUERN_CUTTING=" + s.cutting, "QUERN_TOKEN=" + s.ada, "QUERN_BOB=" + s.bob,
	}
	python, err := filepath.Abs("../../clients/python/.venv/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"generate.py", "--check"}, ""},
		{[]string{"-m", "mypy", "--cache-dir", t.TempDir()}, "no issues"},
		{[]string{"tests/display.py"}, ""},
		{[]string{"tests/doctests.py"}, " 0 failures"},
		{[]string{"tests/scenarios.py"}, "\n0 failures"},
	} {
		cmd := exec.CommandContext(t.Context(), python, c.args...)
		cmd.Dir, cmd.Env = "../../clients/python", environ
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), c.says) {
			t.Errorf("python %s = %v\n%s", c.args, err, out)
		}
		t.Logf("python %s\n%s", c.args, out)
	}
}

// The TypeScript client is built for Node, and does there what every client does.
func TestTheClientInTypeScript(t *testing.T) {
	t.Parallel()
	s := newScenarioServer(t)
	scenarios := filepath.Join(t.TempDir(), "scenarios.json")
	text, err := json.Marshal(readScenarios(t, "typescript"))
	if err == nil {
		err = os.WriteFile(scenarios, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	environ := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "QUERN_SCENARIOS=" + scenarios,
		"QUERN_SERVER=" + s.url, "QUERN_CUTTING=" + s.cutting, "QUERN_TOKEN=" + s.ada, "QUERN_BOB=" + s.bob,
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"node_modules/typescript/bin/tsc", "--project", "tsconfig.build.json"}, ""},
		{[]string{"--test", "test/unit.test.mjs"}, "# fail 0"},
		{[]string{"test/scenarios.mjs"}, "\n0 failures"},
	} {
		cmd := exec.CommandContext(t.Context(), "node", c.args...)
		cmd.Dir, cmd.Env = "../../clients/typescript", environ
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), c.says) {
			t.Fatalf("node %s = %v\n%s", c.args, err, out)
		}
		t.Logf("node %s\n%s", c.args, out)
	}
}

// scenarioPart is the size of parts that scenarios upload in.
const scenarioPart = 64 << 10

// scenarioServer is a server as clients/scenarios want it.
type scenarioServer struct {
	url, cutting string // the second one breaks streams off
	ada, bob     string // tokens
}

func newScenarioServer(t *testing.T) scenarioServer {
	t.Helper()
	h := newHome(t)
	s := h.serve("--first-user", "ada", "--query-rows", "5", "--upload-part-size", strconv.Itoa(scenarioPart))
	s.printed("Data ")
	h.must("", "user", "add", "bob", "--generate")
	token := func(user string) string { return h.must("", "token", "create", "--user", user) }
	return scenarioServer{s.url, cutting(t, s.url), token("ada"), token("bob")}
}

// cutting returns the address of a proxy that breaks every stream of events off after one.
func cutting(t *testing.T, server string) string {
	t.Helper()
	to, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		ErrorLog: log.New(io.Discard, "", 0), // it would tell of every cut
		Rewrite:  func(r *httputil.ProxyRequest) { r.SetURL(to) },
		ModifyResponse: func(r *http.Response) error {
			if strings.HasPrefix(r.Header.Get("Content-Type"), "text/event-stream") {
				r.Body = &oneEvent{ReadCloser: r.Body}
			}
			return nil
		},
	}
	cut := httptest.NewServer(duplex.Handler(proxy))
	t.Cleanup(cut.Close)
	return cut.URL
}

// oneEvent is a body that breaks off behind its first event.
type oneEvent struct {
	io.ReadCloser
	seen []byte
}

func (b *oneEvent) Read(p []byte) (int, error) {
	if bytes.Contains(b.seen, []byte("\n\n")) {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := b.ReadCloser.Read(p[:1])
	b.seen = append(b.seen, p[:n]...)
	return n, err
}
