package llm

import (
	"context"
	"time"
)

// Timed returns a model that fails with Timeout when an answer, with everything
// that is tried for it, takes longer than limit.
func Timed(m Model, limit time.Duration) Model {
	return complete(func(ctx context.Context, r Request) (Response, error) {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		return m.Complete(ctx, r)
	})
}

// Bounded returns a model that holds one of the turns while it answers, and waits
// for one while there is none. Models that share turns share the bound.
func Bounded(m Model, turns chan struct{}) Model {
	return complete(func(ctx context.Context, r Request) (Response, error) {
		select {
		case turns <- struct{}{}:
		case <-ctx.Done():
			return Response{}, Broken(ctx, ctx.Err())
		}
		defer func() { <-turns }()
		return m.Complete(ctx, r)
	})
}

// Retry says how a model is asked again.
type Retry struct {
	Times int // how often at most, after the first try
	// First is the longest wait before the first repetition; each later one may
	// be twice as long, up to Most. Most also bounds what a service may ask for:
	// one that wants longer is not asked again.
	First, Most time.Duration
	Rand        func() float64 // in [0, 1)
}

// Retried returns a model that asks again when the service was away or busy, after
// a while that is random so that many askers do not come back at once, and no
// sooner than the service wants.
func Retried(m Model, o Retry) Model {
	return complete(func(ctx context.Context, r Request) (Response, error) {
		var used Usage
		for try := 0; ; try++ {
			answer, err := m.Complete(ctx, r)
			used = used.Add(answer.Usage)
			answer.Usage = used
			f, ok := FaultOf(err)
			if err == nil || !ok || !faults[f.Reason].again || try >= o.Times || f.After > o.Most {
				return answer, err
			}
			if !wait(ctx, o.wait(try, f.After)) {
				return answer, err
			}
		}
	})
}

// wait returns how long to wait before the next try.
func (o Retry) wait(try int, after time.Duration) time.Duration {
	longest := o.Most
	if try < 16 && o.First<<try < o.Most {
		longest = o.First << try
	}
	// At least half, so that a repetition is never at once.
	jittered := longest/2 + time.Duration(o.Rand()*float64(longest/2))
	return max(jittered, after)
}

// wait waits, and reports whether the context lasted so long. It does not begin
// a wait that the context's deadline would end.
func wait(ctx context.Context, d time.Duration) bool {
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= d {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
