package tracetest

import (
	"fmt"
	"net/http"
	"sync"
)

func (d *Double) behave(answer http.HandlerFunc) { d.Locked(func() { d.answer = answer }) }

// Recover makes it answer as it should again.
func (d *Double) Recover() { d.behave(nil) }

// Answer makes it answer every request with a status and a body of its own.
func (d *Double) Answer(status int, body string) {
	d.behave(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, body) // the client may be gone
	})
}

// Stall makes it take requests and answer none. asked is closed with the first
// of them.
func (d *Double) Stall() (asked <-chan struct{}) {
	first := make(chan struct{})
	var once sync.Once
	d.behave(func(_ http.ResponseWriter, r *http.Request) {
		once.Do(func() { close(first) })
		select {
		case <-r.Context().Done():
		case <-d.quit:
		}
		panic(http.ErrAbortHandler)
	})
	return first
}

// Slow makes it do as it should, but only after release was called. asked is
// closed with the first request.
func (d *Double) Slow() (asked <-chan struct{}, release func()) {
	first, free := make(chan struct{}), make(chan struct{})
	var once, freed sync.Once
	d.Locked(func() {
		d.delay = func() {
			once.Do(func() { close(first) })
			select {
			case <-free:
			case <-d.quit:
			}
		}
	})
	return first, func() { freed.Do(func() { d.Locked(func() { d.delay = nil }); close(free) }) }
}

// Cut makes it close the connection without an answer.
func (d *Double) Cut() {
	d.behave(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
}

// Break makes it begin an answer and never end it.
func (d *Double) Break() {
	d.behave(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "1000")
		w.WriteHeader(http.StatusOK)
		_, _ = fmt.Fprint(w, `{"id":`) // the client may be gone
		_ = http.NewResponseController(w).Flush()
		select {
		case <-r.Context().Done():
		case <-d.quit:
		}
		panic(http.ErrAbortHandler)
	})
}

// Unplug makes its address refuse connections; Plug takes that back.
func (d *Double) Unplug() {
	d.http.CloseClientConnections()
	d.http.Close()
}

// Plug makes it listen again, at the same address.
func (d *Double) Plug() { d.listen(d.addr) }
