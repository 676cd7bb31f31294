package llm

import (
	"context"
	"sync"
	"time"

	"quern"
)

// Condition is how a model is doing, and until when it is left alone.
type Condition struct {
	State quern.ModelState
	Until time.Time // of one that is away; past while it is tried again
}

// Breaker is a model that is left alone for a while after it failed too often,
// so that nobody waits for a service that is known to be away.
type Breaker struct {
	model Model
	o     Break

	mu       sync.Mutex
	failures int // in a row
	until    time.Time
	probing  bool
}

// Break says when a model is left alone, and for how long.
type Break struct {
	Failures int           // in a row
	Rest     time.Duration // before it is tried again
	Now      func() time.Time
}

// NewBreaker makes a Breaker around a model.
func NewBreaker(m Model, o Break) *Breaker { return &Breaker{model: m, o: o} }

// Complete asks the model unless it is being left alone.
func (b *Breaker) Complete(ctx context.Context, r Request) (Response, error) {
	probe, err := b.begin()
	if err != nil {
		return Response{}, err
	}
	answer, err := b.model.Complete(ctx, r)
	b.end(err, probe, ctx.Err() != nil && err != nil)
	return answer, err
}

// begin refuses a call while the model is left alone; the first one after that
// is a probe, and the others wait for how it goes.
func (b *Breaker) begin() (probe bool, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.o.Now()
	switch {
	case b.until.IsZero():
		return false, nil
	case now.Before(b.until):
		return false, Failed(Fault{Reason: Resting, After: b.until.Sub(now)})
	case b.probing:
		return false, Failed(Fault{Reason: Resting, After: b.o.Rest})
	}
	b.probing = true
	return true, nil
}

// end takes down how a call went. A call that its caller gave up says nothing
// about the model, unless the model took too long.
func (b *Breaker) end(err error, probe, gaveUp bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f, isFault := FaultOf(err)
	down := isFault && faults[f.Reason].down
	switch {
	case down:
		b.failures++
		if probe || b.failures >= b.o.Failures {
			b.until = b.o.Now().Add(max(b.o.Rest, f.After))
		}
	case !gaveUp:
		b.failures, b.until = 0, time.Time{}
	}
	if probe {
		b.probing = false
	}
}

// Condition tells how the model is doing.
func (b *Breaker) Condition() Condition {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.until.IsZero() {
		return Condition{State: quern.ModelReady}
	}
	return Condition{quern.ModelAway, b.until}
}
