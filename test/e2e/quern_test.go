// Package e2e_test runs the binary as its users do: real processes, real
// databases, a real browser. It owns no behaviour of its own.
package e2e_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"quern/api/apitest"
	"quern/store/storetest"
)

// binary is the program under test, built once for all tests.
var binary string

// checked holds what is asked of the binary against the contract.
var checked = apitest.NewRecorder(http.DefaultTransport)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "quern-e2e-*")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "quern")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-X quern/app.Version=e2e", "-o", binary, "quern/cmd/quern")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build = %v\n%s", err, out)
		os.Exit(1)
	}
	// Whatever a test asks the binary for, its answer is held to the contract.
	http.DefaultClient.Transport = checked
	code := m.Run()
	for _, problem := range checked.Problems() {
		fmt.Fprintln(os.Stderr, "FAIL:", problem)
		code = 1
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// patience is how long anything may take before a test gives up on it.
const patience = 3 * time.Minute

// home is an installation: a data directory and variables. Any number of
// processes run in it, one after the other or side by side.
type home struct {
	t       *testing.T
	data    string
	environ []string
}

// newHome makes an installation with metadata in SQLite.
func newHome(t *testing.T, environ ...string) *home {
	t.Helper()
	h := &home{t: t, data: filepath.Join(t.TempDir(), "data")}
	// Nothing of the machine's own settings may leak in.
	h.environ = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "QUERN_DATA=" + h.data, "QUERN_LISTEN=127.0.0.1:0"}, environ...)
	return h
}

// eachDatabase runs fn on an installation with SQLite and on one with PostgreSQL.
func eachDatabase(t *testing.T, fn func(*testing.T, *home)) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		fn(t, newHome(t))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		fn(t, newHome(t, "QUERN_DATABASE_URL="+storetest.Postgres(t).URL))
	})
}

// result is what a finished command left.
type result struct {
	out, err string
	code     int
}

// run runs a command of the binary to its end.
func (h *home) run(stdin string, args ...string) result {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = h.environ, strings.NewReader(stdin), &out, &errs
	err := cmd.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited {
		h.t.Fatalf("quern %s = %v", strings.Join(args, " "), err)
	}
	return result{out.String(), errs.String(), cmd.ProcessState.ExitCode()}
}

// must runs a command that has to succeed and returns what it printed.
func (h *home) must(stdin string, args ...string) string {
	h.t.Helper()
	r := h.run(stdin, args...)
	if r.code != 0 {
		h.t.Fatalf("quern %s = code %d, %s, want 0", strings.Join(args, " "), r.code, r.err)
	}
	return strings.TrimSpace(r.out)
}

// server is a running `quern serve`.
type server struct {
	home *home
	url  string
	cmd  *exec.Cmd
	// checker stands before it, of a server that was started with serveChecked.
	checker *checker

	mu      sync.Mutex
	out     bytes.Buffer
	log     []string
	changed chan struct{} // closed and replaced at each line
	done    chan struct{}
}

// serve starts a server and waits until it serves. It is killed with the test
// when it has not stopped before.
func (h *home) serve(args ...string) *server {
	h.t.Helper()
	s := &server{home: h, changed: make(chan struct{}), done: make(chan struct{})}
	s.cmd = exec.Command(binary, append([]string{"serve"}, args...)...)
	s.cmd.Env = h.environ
	s.cmd.Stdout = s
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	go s.follow(stderr)
	h.t.Cleanup(s.kill)
	line := s.await("serving")
	s.url, _ = line["url"].(string)
	return s
}

// Write takes what the server prints.
func (s *server) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wake()
	return s.out.Write(p)
}

func (s *server) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *server) follow(stderr io.Reader) {
	lines := bufio.NewScanner(stderr)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		s.mu.Lock()
		s.log = append(s.log, lines.Text())
		s.wake()
		s.mu.Unlock()
	}
	_ = s.cmd.Wait()
	close(s.done)
}

// until waits for found to be true of what the server has printed and logged.
func (s *server) until(what string, found func(printed string, log []string) bool) {
	s.home.t.Helper()
	deadline := time.After(patience)
	for {
		s.mu.Lock()
		printed, log, changed := s.out.String(), slices.Clone(s.log), s.changed
		s.mu.Unlock()
		if found(printed, log) {
			return
		}
		select {
		case <-changed:
		case <-s.done:
			s.home.t.Fatalf("the server ended before %s:\n%s\n%s", what, printed, strings.Join(log, "\n"))
		case <-deadline:
			s.home.t.Fatalf("%s did not happen:\n%s\n%s", what, printed, strings.Join(log, "\n"))
		}
	}
}

// await returns the first line of the log with this message, waiting for it.
func (s *server) await(message string) (line map[string]any) {
	s.home.t.Helper()
	s.until("the line "+message, func(_ string, log []string) bool {
		for _, text := range log {
			line = nil
			if json.Unmarshal([]byte(text), &line) == nil && line["msg"] == message {
				return true
			}
		}
		return false
	})
	return line
}

// printed returns what the server has printed, waiting for text to be in it.
func (s *server) printed(text string) (all string) {
	s.home.t.Helper()
	s.until("printing "+text, func(printed string, _ []string) bool {
		all = printed
		return strings.Contains(printed, text)
	})
	return all
}

// signal sends the server a signal.
func (s *server) signal(sig os.Signal) {
	s.home.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.home.t.Fatal(err)
	}
}

// wait waits for the server's end and returns its exit code.
func (s *server) wait() int {
	s.home.t.Helper()
	select {
	case <-s.done:
	case <-time.After(patience):
		s.home.t.Fatal("the server does not end")
	}
	return s.cmd.ProcessState.ExitCode()
}

// stop asks the server to stop and wants it to end well.
func (s *server) stop() {
	s.home.t.Helper()
	s.signal(syscall.SIGTERM)
	if code := s.wait(); code != 0 {
		s.home.t.Fatalf("the server ended with code %d, want 0", code)
	}
}

// kill ends the server as a power cut would.
func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	<-s.done
}

// reply is an answer that was read to its end.
type reply struct {
	status int
	header http.Header
	body   string
}

// json decodes the body.
func (r reply) json(t *testing.T) map[string]any {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(r.body), &v); err != nil {
		t.Fatalf("body %q is not JSON: %v", r.body, err)
	}
	return v
}

// call sends one request, with a token unless it is empty.
func (s *server) call(method, path, token, body string) reply {
	s.home.t.Helper()
	ctx, cancel := context.WithTimeout(s.home.t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.home.t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.home.t.Fatalf("%s %s = %v", method, path, err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		s.home.t.Fatalf("%s %s: body = %v", method, path, err)
	}
	return reply{res.StatusCode, res.Header, string(text)}
}
