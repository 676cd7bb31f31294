package e2e_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestStopFinishesWhatIsInFlight(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.must("", "user", "add", "ada", "--generate")
	token := h.must("", "token", "create", "--user", "ada")
	s := h.serve()

	body := `{"name":"made while stopping"}`
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	fmt.Fprintf(conn, "POST /api/v1/user/token HTTP/1.1\r\nHost: quern\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", token, len(body))
	answers := bufio.NewReader(conn)
	// The server asks for the body: the request is in its hands.
	if line, err := answers.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("first answer = %q, %v, want 100 Continue", line, err)
	}
	_, _ = answers.ReadString('\n')

	s.signal(syscall.SIGTERM)
	s.await("stopping")
	awaitRefusal(t, s.url)
	if _, err := io.WriteString(conn, body); err != nil {
		t.Fatal(err)
	}
	res, err := http.ReadResponse(answers, nil)
	if err != nil {
		t.Fatalf("answer of the request in flight = %v, want one", err)
	}
	defer res.Body.Close()
	if text, err := io.ReadAll(res.Body); err != nil || res.StatusCode != 200 {
		t.Errorf("request in flight = %d %s %v, want 200", res.StatusCode, text, err)
	}
	if code := s.wait(); code != 0 {
		t.Errorf("exit code = %d, want 0", code)
	}
}

// awaitRefusal waits until the server takes no new connections.
func awaitRefusal(t *testing.T, url string) {
	t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); {
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
		if err != nil {
			return
		}
		conn.Close()
	}
	t.Fatal("the stopping server still takes connections")
}

func TestOneServerPerDataDirectory(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve()
	if r := h.run("", "serve"); r.code != 1 || !strings.Contains(r.err, "another server is running in the data directory") {
		t.Errorf("a second server = %+v, want code 1 and a reason", r)
	}
	s.kill()
	h.serve().stop()
}

func TestDataAreForTheirOwnerOnly(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.serve()
	for name, want := range map[string]os.FileMode{".": 0o700, "quern.db": 0o600, "quern.db-wal": 0o600, "quern.lock": 0o600} {
		info, err := os.Stat(filepath.Join(h.data, name))
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("mode of %s = %v, %v, want %v", name, info.Mode().Perm(), err, want)
		}
	}
}

func TestNothingStartsWithWrongSettings(t *testing.T) {
	t.Parallel()
	h := newHome(t, "QUERN_QUERY_TIME=soon", "QUERN_LISTN=:80")
	r := h.run("", "serve", "--body-limit", "huge")
	for _, want := range []string{"3 settings", "QUERN_QUERY_TIME", "QUERN_LISTN", "did you mean QUERN_LISTEN?", "--body-limit"} {
		if !strings.Contains(r.err, want) {
			t.Errorf("serve with wrong settings says %q, want it to name %s", r.err, want)
		}
	}
	if r.code != 2 {
		t.Errorf("exit code = %d, want 2", r.code)
	}
	if _, err := os.Stat(h.data); !os.IsNotExist(err) {
		t.Errorf("the data directory was made (%v), want nothing started", err)
	}
}

func TestUnreachableDatabaseIsReported(t *testing.T) {
	t.Parallel()
	h := newHome(t, "QUERN_DATABASE_URL=postgres://quern:hunter2@127.0.0.1:1/none?connect_timeout=2")
	r := h.run("", "serve")
	if r.code != 1 || strings.Contains(r.err, "hunter2") || strings.Contains(r.err, "goroutine") {
		t.Errorf("serve without its database = %+v, want code 1 and no secret or dump", r)
	}
}
