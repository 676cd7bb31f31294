// Package langfusetest is a Langfuse for tests: it refuses what its documents do not
// say (expectations.go).
package langfusetest

import (
	"net/http"
	"strings"
	"testing"

	"quern/trace/tracetest"
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

// Server is a Langfuse with one project.
type Server struct {
	*tracetest.Double

	scores map[string]Score
}

// New starts a Langfuse that ends with the test.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{scores: map[string]Score{}}
	s.Double = tracetest.NewDouble(t, "Langfuse", s.handle)
	return s
}

// Score returns a score by its id.
func (s *Server) Score(id string) (score Score, ok bool) {
	s.Locked(func() { score, ok = s.scores[id] })
	return score, ok
}

// Scores counts the scores.
func (s *Server) Scores() (n int) {
	s.Locked(func() { n = len(s.scores) })
	return n
}

// refuse answers 400 as Langfuse does.
func (s *Server) refuse(r *http.Request, format string, args ...any) tracetest.Reply {
	said := func(why string) any { return map[string]any{"message": badRequest, "error": why} }
	return s.Refuse(r, http.StatusBadRequest, said, format, args...)
}

func (s *Server) handle(r *http.Request) tracetest.Reply {
	if user, password, ok := r.BasicAuth(); !ok || user != PublicKey || password != SecretKey {
		said := func(string) any { return map[string]any{"message": unauthorized} }
		return s.Refuse(r, http.StatusUnauthorized, said, "the authorization is not the project's")
	}
	id, single := strings.CutPrefix(r.URL.Path, scoresPath+"/")
	switch {
	case r.URL.RawQuery != "":
		return s.refuse(r, "the query %q means nothing here", r.URL.RawQuery)
	case r.Method == http.MethodPost && r.URL.Path == scoresPath:
		return s.createScore(r)
	case r.Method == http.MethodDelete && single && id != "" && !strings.Contains(id, "/"):
		s.Locked(func() { delete(s.scores, id) })
		return tracetest.Reply{Status: http.StatusAccepted, Body: map[string]any{"message": deleted}}
	case r.Method == http.MethodPost && r.URL.Path == tracesPath:
		return s.takeTraces(r)
	}
	said := func(string) any { return map[string]any{"message": "Not found"} }
	return s.Refuse(r, http.StatusNotFound, said, "there is no such operation")
}
