package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"quern"
	"quern/door"
)

const checkTimeout = 2 * time.Second

// Check asks one dependency whether it works.
type Check struct {
	Name  string
	Probe func(context.Context) error
	// Advisory checks are named when they fail, but the server stays ready: what
	// is wrong concerns a few requests, and another server would fare no better.
	Advisory bool
}

// Readiness is the answer of /readyz.
type Readiness struct {
	Ready    bool          `json:"ready"`
	Draining bool          `json:"draining"`
	Checks   []CheckResult `json:"checks"`
}

// CheckResult says whether one dependency works.
type CheckResult struct {
	Name  string `json:"name"`
	OK    bool   `json:"ok"`
	Error string `json:"error,omitempty"`
}

type health struct {
	checks []Check
	asking []atomic.Bool // one for each check
	log    *slog.Logger

	mu       sync.Mutex
	draining bool

	begun   atomic.Int64  // rounds of checks so far
	probing sync.Mutex    // held while a round runs, so it runs once for all who wait
	results []CheckResult // of the last round
}

func newHealth(checks []Check, log *slog.Logger) *health {
	return &health{checks: checks, asking: make([]atomic.Bool, len(checks)), log: log}
}

func (h *health) drain() {
	h.mu.Lock()
	h.draining = true
	h.mu.Unlock()
}

// ServeHTTP answers /readyz.
func (h *health) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	h.mu.Lock()
	answer := Readiness{Draining: h.draining}
	h.mu.Unlock()
	answer.Checks = h.probe() // others wait for the same results, so one asker going away must not end it
	answer.Ready = !answer.Draining
	for i, c := range answer.Checks {
		passes := c.OK || h.checks[i].Advisory
		answer.Ready = answer.Ready && passes
	}
	status := http.StatusOK
	if !answer.Ready {
		status = http.StatusServiceUnavailable
		w.Header().Set("Retry-After", "1")
	}
	writeState(w, status, answer)
}

// probe runs every check and returns what they found. Whoever waits while a round
// runs shares the next one; nothing is remembered, so an answer never tells of a
// time before its request. It does not use the asker's context: others wait for
// the same results.
func (h *health) probe() []CheckResult {
	arrived := h.begun.Load()
	h.probing.Lock()
	defer h.probing.Unlock()
	if h.begun.Load() > arrived {
		return h.results
	}
	h.begun.Add(1)
	ctx, cancel := context.WithTimeout(context.Background(), checkTimeout)
	defer cancel()
	type result struct {
		i   int
		err error
	}
	done := make(chan result, len(h.checks))
	results := make([]CheckResult, len(h.checks))
	for i, c := range h.checks {
		results[i] = CheckResult{Name: c.Name, Error: "did not answer in time"}
		if !h.asking[i].CompareAndSwap(false, true) {
			done <- result{i, errStillAsking}
			continue
		}
		go func() {
			err := ask(ctx, c)
			h.asking[i].Store(false) // before the round can end: the next one asks again
			done <- result{i, err}
		}()
	}
	for range h.checks {
		select {
		case r := <-done:
			results[r.i].OK, results[r.i].Error = r.err == nil, h.reason(h.checks[r.i].Name, r.err)
		case <-ctx.Done():
		}
	}
	h.results = results
	return results
}

// errStillAsking keeps a check that ignores its context from piling up.
var errStillAsking = errors.New("the check before has not ended")

func ask(ctx context.Context, c Check) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return c.Probe(ctx)
}

// reason tells the caller what our own errors say and keeps the rest for the log.
func (h *health) reason(name string, err error) string {
	if err == nil {
		return ""
	}
	h.log.Warn("not ready", "check", name, "error", err)
	if e, ok := errors.AsType[*quern.Error](err); ok {
		return e.Detail
	}
	return "does not work"
}

func serveAlive(w http.ResponseWriter, _ *http.Request) {
	writeState(w, http.StatusOK, map[string]string{"status": "ok"})
}

// writeState answers with what must not be remembered on the way.
func writeState(w http.ResponseWriter, status int, state any) {
	w.Header().Set("Cache-Control", "no-store")
	if err := door.WriteJSON(w, status, state); err != nil {
		panic(err) // only plain values are written here
	}
}
