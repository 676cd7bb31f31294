package langfusetest

import (
	"fmt"
	"net/http"
	"sync"
)

func (s *Server) behave(answer http.HandlerFunc) { s.locked(func() { s.answer = answer }) }

// Recover makes it answer as it should again.
func (s *Server) Recover() { s.behave(nil) }

// Answer makes it answer every request with a status and a body of its own.
func (s *Server) Answer(status int, body string) {
	s.behave(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, body) // the client may be gone
	})
}

// Stall makes it take requests and answer none. asked is closed with the first
// of them.
func (s *Server) Stall() (asked <-chan struct{}) {
	first := make(chan struct{})
	var once sync.Once
	s.behave(func(_ http.ResponseWriter, r *http.Request) {
		once.Do(func() { close(first) })
		select {
		case <-r.Context().Done():
		case <-s.quit:
		}
		panic(http.ErrAbortHandler)
	})
	return first
}

// Slow makes it do as it should, but only after release was called. asked is
// closed with the first request.
func (s *Server) Slow() (asked <-chan struct{}, release func()) {
	first, free := make(chan struct{}), make(chan struct{})
	var once, freed sync.Once
	s.locked(func() {
		s.delay = func() {
			once.Do(func() { close(first) })
			select {
			case <-free:
			case <-s.quit:
			}
		}
	})
	return first, func() { freed.Do(func() { s.locked(func() { s.delay = nil }); close(free) }) }
}

// Cut makes it close the connection without an answer.
func (s *Server) Cut() {
	s.behave(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
}

// Break makes it begin an answer and never end it.
func (s *Server) Break() {
	s.behave(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		w.WriteHeader(http.StatusOK)
		_, _ = fmt.Fprint(w, `{"id":`) // the client may be gone
		_ = http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
		case <-s.quit:
		}
		panic(http.ErrAbortHandler)
	})
}

// Unplug makes its address refuse connections; Plug takes that back.
func (s *Server) Unplug() {
	s.http.CloseClientConnections()
	s.http.Close()
}

// Plug makes it listen again, at the same address.
func (s *Server) Plug() { s.listen(s.addr) }
