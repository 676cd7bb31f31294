package e2e_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The Python client does against the binary what every client does, blocking and awaited,
// its examples run, and what is made from other files is current.
func TestTheClientInPython(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve("--first-user", "ada", "--query-rows", "5", "--upload-part-size", "64KiB")
	s.printed("Data ")
	h.must("", "user", "add", "bob", "--generate")
	environ := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH=src",
		"QUERN_SERVER=" + s.url, "QUERN_CUTTING=" + cutting(t, s.url),
		"QUERN_TOKEN=" + strings.TrimSpace(h.must("", "token", "create", "--user", "ada")),
		"QUERN_BOB=" + strings.TrimSpace(h.must("", "token", "create", "--user", "bob")),
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
	}
}

// cutting returns the address of a proxy that breaks every stream of events off after one.
func cutting(t *testing.T, server string) string {
	t.Helper()
	to, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) },
		ModifyResponse: func(r *http.Response) error {
			if strings.HasPrefix(r.Header.Get("Content-Type"), "text/event-stream") {
				r.Body = &oneEvent{ReadCloser: r.Body}
			}
			return nil
		},
	}
	cut := httptest.NewServer(proxy)
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
