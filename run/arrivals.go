package run

import (
	"context"
	"sync"
	"time"
)

// letArrive is how long the work on a run waits for questions that are being stored.
const letArrive = 100 * time.Millisecond

// arrivals counts questions that are being stored. When many come at once, each is stored and
// its asker told so before the work on the first ones takes the processors.
type arrivals struct {
	mu   sync.Mutex
	now  int
	none chan struct{} // closed when there is none; nil while nobody waits
}

// begin counts a question in; done counts it out.
func (a *arrivals) begin() (done func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.now++
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
	if a.now == 0 {
		a.mu.Unlock()
		return
	}
	if a.none == nil {
		a.none = make(chan struct{})
	}
	none := a.none
	a.mu.Unlock()
	timer := time.NewTimer(letArrive)
	defer timer.Stop()
	select {
	case <-none:
	case <-timer.C:
	case <-ctx.Done():
	}
}
