package run

import (
	"context"
	"sync"
	"time"
)

// letArrive is how long work on runs waits, at most, from when questions began to come until
// they are all stored. Who comes on and on holds up nothing after that.
const letArrive = 400 * time.Millisecond

// arrivals counts questions that are being stored. When many come at once, each is stored and
// its asker told so before the work on the first ones takes the processors.
type arrivals struct {
	mu    sync.Mutex
	now   int
	since time.Time     // when the first of them came
	none  chan struct{} // closed when there is none; nil while nobody waits
}

// begin counts a question in; done counts it out.
func (a *arrivals) begin() (done func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.now++; a.now == 1 {
		a.since = time.Now()
	}
	return sync.OnceFunc(a.end)
}

func (a *arrivals) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.now--; a.now == 0 && a.none != nil {
		close(a.none)
		a.none = nil
	}
}

// wait waits until no question is being stored, but not for long.
func (a *arrivals) wait(ctx context.Context) {
	a.mu.Lock()
	left := time.Until(a.since.Add(letArrive))
	if a.now == 0 || left <= 0 {
		a.mu.Unlock()
		return
	}
	if a.none == nil {
		a.none = make(chan struct{})
	}
	none := a.none
	a.mu.Unlock()
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-none:
	case <-timer.C:
	case <-ctx.Done():
	}
}
