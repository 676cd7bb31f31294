// Package langfusetest is a Langfuse for tests, in memory and stricter than the
// real one: it refuses what its documents do not say (expectations.go), and a
// test in which it had to refuse something fails. It can be slow, away, cut off
// in the middle, or of another opinion, and it keeps a log of what it was asked.
package langfusetest

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// The keys of the project.
const (
	PublicKey = "pk-lf-00000000-0000-4000-8000-000000000000"
	SecretKey = "sk-lf-00000000-0000-4000-8000-000000000001"
)

// Score is a score as it is kept.
type Score struct {
	ID, TraceID, Name, DataType string
	Value                       float64
	Comment                     string
	// Requests is how many have said something about it.
	Requests int
}

// Request is one line of the log.
type Request struct {
	Method, Path string
	Status       int    // 0 when none was sent
	Body         string // JSON; for traces the spans, one line each
}

func (r Request) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %d %s", r.Method, r.Path, r.Status, r.Body))
}

// Server is a Langfuse with one project.
type Server struct {
	URL string

	t    testing.TB
	http *httptest.Server
	addr string
	quit chan struct{}

	mu       sync.Mutex
	scores   map[string]Score
	spans    map[string]Span
	log      []Request
	refusals []string
	tolerant bool
	answer   http.HandlerFunc
	delay    func()
}

// New starts a Langfuse that ends with the test.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t, scores: map[string]Score{}, spans: map[string]Span{}, quit: make(chan struct{})}
	s.listen("127.0.0.1:0")
	t.Cleanup(s.close)
	return s
}

func (s *Server) listen(address string) {
	s.t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		s.t.Fatalf("listen on %s = %v", address, err)
	}
	s.http = &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(s.serve)}}
	s.http.Start()
	s.URL, s.addr = s.http.URL, l.Addr().String()
}

func (s *Server) close() {
	close(s.quit)
	s.http.CloseClientConnections()
	s.http.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.tolerant {
		for _, r := range s.refusals {
			s.t.Errorf("Langfuse refuses a request: %s", r)
		}
	}
}

// Tolerate lets the test go on after refusals: it makes them on purpose.
func (s *Server) Tolerate() { s.locked(func() { s.tolerant = true }) }

// Log is what was asked so far.
func (s *Server) Log() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.log...)
}

// Score returns a score by its id.
func (s *Server) Score(id string) (Score, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	score, ok := s.scores[id]
	return score, ok
}

// Scores counts the scores.
func (s *Server) Scores() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.scores)
}

func (s *Server) locked(fn func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fn()
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	var answer http.HandlerFunc
	delay := func() {}
	s.locked(func() {
		if answer = s.answer; s.delay != nil {
			delay = s.delay
		}
	})
	delay()
	if answer != nil {
		body, _ := io.ReadAll(r.Body) // what it was matters only to the log
		s.note(r, 0, string(body[:min(len(body), 200)]))
		answer(w, r)
		return
	}
	status, body, about := s.handle(r)
	s.note(r, status, about)
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // the client may be gone
}

func (s *Server) note(r *http.Request, status int, about string) {
	s.locked(func() { s.log = append(s.log, Request{r.Method, r.URL.Path, status, about}) })
}

// refuse answers 400 as Langfuse does and remembers why.
func (s *Server) refuse(r *http.Request, format string, args ...any) (int, any, string) {
	why := fmt.Sprintf(format, args...)
	s.locked(func() { s.refusals = append(s.refusals, r.Method+" "+r.URL.Path+": "+why) })
	return http.StatusBadRequest, map[string]any{"message": badRequest, "error": why}, why
}

func (s *Server) handle(r *http.Request) (int, any, string) {
	if user, password, ok := r.BasicAuth(); !ok || user != PublicKey || password != SecretKey {
		_, _, why := s.refuse(r, "the authorization is not the project's")
		return http.StatusUnauthorized, map[string]any{"message": unauthorized}, why
	}
	id, single := strings.CutPrefix(r.URL.Path, scoresPath+"/")
	switch {
	case r.URL.RawQuery != "":
		return s.refuse(r, "the query %q means nothing here", r.URL.RawQuery)
	case r.Method == http.MethodPost && r.URL.Path == scoresPath:
		return s.createScore(r)
	case r.Method == http.MethodDelete && single && id != "" && !strings.Contains(id, "/"):
		s.locked(func() { delete(s.scores, id) })
		return http.StatusAccepted, map[string]any{"message": deleted}, ""
	case r.Method == http.MethodPost && r.URL.Path == tracesPath:
		return s.takeTraces(r)
	}
	s.refuse(r, "there is no such operation")
	return http.StatusNotFound, map[string]any{"message": "Not found"}, ""
}
