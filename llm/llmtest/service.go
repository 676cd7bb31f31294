// Package llmtest has doubles of the two model services, on a loopback address,
// and the suite that both plugs pass.
//
// A double refuses every request that the service's documents do not allow, and
// fails the test that sent it; interfaces.yaml and expect.go hold what is allowed
// and where that is written. What it answers is scripted.
package llmtest

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
)

// Service is the double of a model service.
type Service struct {
	URL string // of the host; BaseURL is what a plug is told
	Key string
	// Stalled has a value for each request that Stalls has begun to keep waiting.
	Stalled chan struct{}

	speaks Interface
	t      testing.TB
	away   func() // makes the address one that nobody listens at

	mu       sync.Mutex
	script   []Reply
	always   Reply
	asked    []Asked
	problems []error
}

// New starts a double. Requests that the interface does not allow, and those
// that the script has no reply for, fail the test.
func New(t testing.TB, speaks Interface) *Service {
	t.Helper()
	s := &Service{Key: "sk-test-4f1c0e", Stalled: make(chan struct{}, 16), speaks: speaks, t: t}
	server := httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // aborted answers are meant
	server.Start()
	s.URL = server.URL
	s.away = func() {
		server.CloseClientConnections()
		server.Close()
	}
	t.Cleanup(func() {
		s.away()
		for _, err := range s.Problems() {
			t.Errorf("a request to the %s double: %v", speaks.Name, err)
		}
	})
	return s
}

// BaseURL is the address that a plug is told.
func (s *Service) BaseURL() string {
	if s.speaks.Name == OpenAI.Name {
		return s.URL + "/v1"
	}
	return s.URL
}

// Provider is the provider setting that fits the double.
func (s *Service) Provider() string { return s.speaks.Name }

// Leave makes the service unreachable for good.
func (s *Service) Leave() { s.away() }

// Will adds replies to the script, one for each of the next requests.
func (s *Service) Will(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, replies...)
}

// Always sets the reply for requests behind the end of the script.
func (s *Service) Always(reply Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.always = reply
}

// Asked lists the requests that were taken.
func (s *Service) Asked() []Asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Problems takes out what was wrong with requests, so that it no longer fails
// the test.
func (s *Service) Problems() []error {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.problems
	s.problems = nil
	return all
}

func (s *Service) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	status, err := s.speaks.check(r, s.Key, body)
	if err != nil {
		s.mu.Lock()
		s.problems = append(s.problems, err)
		s.mu.Unlock()
		s.write(w, status, s.speaks.failure("invalid_request_error", err.Error()))
		return
	}
	asked, _ := s.speaks.read(body)
	s.next(asked)(s, w, r, asked)
}

func (s *Service) next(asked Asked) Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, asked)
	switch {
	case len(s.script) > 0:
		reply := s.script[0]
		s.script = s.script[1:]
		return reply
	case s.always != nil:
		return s.always
	}
	s.problems = append(s.problems, errUnscripted)
	return Fails(500, 0)
}

func (*Service) write(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
