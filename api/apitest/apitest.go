// Package apitest holds what goes over the wire against the contract, in tests.
//
// It owns two promises: every answer that passes through it has a status, a
// content type, headers and a body that the contract lists for that operation,
// and no operation of the contract goes without an answer in a test binary that
// ends with Main. It never answers for the server and never changes an answer.
// The failure it is built around is a contract that only the documentation
// follows.
package apitest

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"quern/api"
)

var exercised = struct {
	sync.Mutex
	ids map[string]bool
}{ids: map[string]bool{}}

// Exercised lists the operations that have answered with success so far.
func Exercised() []string {
	exercised.Lock()
	defer exercised.Unlock()
	ids := make([]string, 0, len(exercised.ids))
	for id := range exercised.ids {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// Missing lists the operations of the contract that have not, and that rest serves.
func Missing() []string {
	done := Exercised()
	var missing []string
	for _, op := range api.Operations() {
		if op.Edge == "" && !slices.Contains(done, op.ID) {
			missing = append(missing, op.ID)
		}
	}
	return missing
}

// Main runs the tests and fails when they pass but an operation was never
// exercised. Runs of chosen tests only are not judged.
func Main(m *testing.M) {
	code := m.Run()
	if missing := Missing(); code == 0 && wholeRun() && len(missing) > 0 {
		fmt.Fprintf(os.Stderr, "FAIL: no test got a success from: %s\n", strings.Join(missing, ", "))
		code = 1
	}
	os.Exit(code)
}

func wholeRun() bool {
	for _, name := range []string{"test.run", "test.skip", "test.list", "test.fuzz"} {
		if f := flag.Lookup(name); f != nil && f.Value.String() != "" {
			return false
		}
	}
	return true
}

// Client returns a client whose every answer is checked.
func Client(t testing.TB, base *http.Client) *http.Client {
	t.Helper()
	c := *base
	c.Transport = Transport(t, base.Transport)
	return &c
}

// Transport checks every answer that comes through next; nil stands for
// http.DefaultTransport.
func Transport(t testing.TB, next http.RoundTripper) http.RoundTripper {
	t.Helper()
	if next == nil {
		next = http.DefaultTransport
	}
	return transport{next, func(problem string) { t.Errorf("%s", problem) }}
}

// Recorder is a transport that checks every answer and keeps what is wrong with
// them, for test binaries whose requests do not know which test they belong to.
type Recorder struct {
	transport
	mu       sync.Mutex
	problems []string
}

// NewRecorder checks every answer that comes through next.
func NewRecorder(next http.RoundTripper) *Recorder {
	r := &Recorder{}
	r.transport = transport{next, func(problem string) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.problems = append(r.problems, problem)
	}}
	return r
}

// Over checks what comes through another transport, too.
func (r *Recorder) Over(next http.RoundTripper) http.RoundTripper { return transport{next, r.report} }

// Problems lists how answers broke the contract.
func (r *Recorder) Problems() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.problems)
}

type transport struct {
	next   http.RoundTripper
	report func(problem string)
}

// RoundTrip passes the request on and checks the answer.
func (tr transport) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := tr.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	var body []byte
	if buffered(resp.Header.Get("Content-Type")) {
		body, err = io.ReadAll(resp.Body)
		_ = resp.Body.Close() // all of it was read
		resp.Body = io.NopCloser(bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
	}
	report := func(problem string) {
		tr.report(fmt.Sprintf("%s %s: answer %d breaks the contract: %s", r.Method, r.URL.Path, resp.StatusCode, problem))
	}
	for _, problem := range Check(r, resp, body) {
		report(problem)
	}
	if schemas := eventSchemas(r, resp); schemas != nil {
		resp.Body = &eventChecker{ReadCloser: resp.Body, schemas: schemas, report: report}
	}
	return resp, nil
}

// buffered tells answers that end soon from streams.
func buffered(contentType string) bool {
	return contentType == "" || strings.HasPrefix(contentType, "application/json") || strings.HasPrefix(contentType, "text/plain")
}

// Handler checks every answer of next, for tests that need no network.
func Handler(t testing.TB, next http.Handler) http.Handler {
	t.Helper()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		copied := &copier{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(copied, r)
		resp := &http.Response{StatusCode: copied.status, Header: w.Header()}
		for _, problem := range Check(r, resp, copied.body.Bytes()) {
			t.Errorf("%s %s: answer %d breaks the contract: %s", r.Method, r.URL.Path, copied.status, problem)
		}
	})
}

type copier struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (c *copier) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

func (c *copier) Write(p []byte) (int, error) {
	c.body.Write(p)
	return c.ResponseWriter.Write(p)
}

func (c *copier) Unwrap() http.ResponseWriter { return c.ResponseWriter }
