package lease

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"quern"
)

// Work works on what is due until ctx ends, and then hands back what is not done
// within Finish. Every server runs it, once.
func (w *Workers[J]) Work(ctx context.Context) {
	if w.o.Free != nil {
		if err := w.o.Free(ctx); err != nil && ctx.Err() == nil {
			w.o.Log.WarnContext(ctx, "work that was cut off waits for its lease to end", "work", w.o.Name, "error", err)
		}
	}
	work, interrupt := context.WithCancelCause(context.WithoutCancel(ctx))
	w.open(work)
	quiet := w.beat(work)
	w.dispatch(ctx)
	w.shut()
	patience := time.AfterFunc(w.o.Finish, func() { interrupt(errStopping) })
	w.working.Wait()
	patience.Stop()
	interrupt(nil)
	<-quiet
	w.close()
}

// Once takes what is due longest and works on it until it is done, lost or put
// back. It reports whether there was something.
func (w *Workers[J]) Once(ctx context.Context) (bool, error) {
	h, err := w.take(ctx)
	if quern.Is(err, quern.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	beating, quiet := context.WithCancel(ctx)
	done := w.beat(beating)
	err = w.do(ctx, h)
	quiet()
	<-done
	return true, err
}

// beat renews leases until ctx ends; what it returns is closed then.
func (w *Workers[J]) beat(ctx context.Context) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		if w.o.Keep == nil {
			return
		}
		tick := time.NewTicker(w.o.Beat)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				w.Renew(ctx)
			}
		}
	}()
	return done
}

// open lets work begin under a context.
func (w *Workers[J]) open(work context.Context) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.work = work
}

// shut lets no work begin any more.
func (w *Workers[J]) shut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.work = nil
}

// Place is a place for one piece of work.
type Place[J any] struct {
	workers *Workers[J]
	work    context.Context // what the work of the place is done under
}

// Place returns a free place, if there is one now. The caller begins work in it
// or leaves it.
func (w *Workers[J]) Place() (*Place[J], bool) {
	select {
	case w.slots <- struct{}{}:
		return w.enter()
	default:
		return nil, false
	}
}

// enter turns a slot into a place, unless no work may begin any more.
func (w *Workers[J]) enter() (*Place[J], bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.work == nil {
		<-w.slots
		return nil, false
	}
	w.working.Add(1)
	return &Place[J]{w, w.work}, true
}

// Leave frees the place.
func (p *Place[J]) Leave() {
	<-p.workers.slots
	p.workers.working.Done()
}

// Begin works on something that was taken, under a holder's name, and returns the
// place back when that is over.
func (p *Place[J]) Begin(t Taken[J], holder string) {
	p.begin(&Held[J]{Taken: t, Holder: holder, workers: p.workers})
}

func (p *Place[J]) begin(h *Held[J]) {
	go func() {
		defer p.Leave()
		// Whatever could not be stored is in the log, and its lease runs out.
		_ = p.workers.do(p.work, h)
		p.workers.Wake() // what was put back, or waited for this, may be due before anything else
	}()
}

// dispatch puts what is due into free places. While it waits for a place, the
// next free one is its own: nothing passes what waits.
func (w *Workers[J]) dispatch(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case w.slots <- struct{}{}:
		}
		if !w.fill(ctx) && !w.pause(ctx) {
			return
		}
	}
}

// fill takes something for a slot. It reports whether there was something.
func (w *Workers[J]) fill(ctx context.Context) bool {
	place, ok := w.enter()
	if !ok {
		return false
	}
	h, err := w.take(ctx)
	if err != nil {
		place.Leave()
		if !quern.Is(err, quern.NotFound) && ctx.Err() == nil {
			w.o.Log.WarnContext(ctx, "no work can be taken", "work", w.o.Name, "error", err)
		}
		return false
	}
	place.begin(h)
	return true
}

// pause waits until something may be due. It reports whether to go on.
func (w *Workers[J]) pause(ctx context.Context) bool {
	wait := w.o.Look
	if w.o.Next != nil {
		due, err := w.o.Next(ctx)
		if err == nil && !due.IsZero() {
			wait = min(wait, max(0, due.Sub(w.now()))+time.Millisecond)
		}
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-w.woken:
	case <-timer.C:
	}
	return true
}

// take takes what is due. What is in hand here is left alone: its lease may run
// out where the store is slow, and to begin it again would only add to that.
func (w *Workers[J]) take(ctx context.Context) (*Held[J], error) {
	c := quern.Claim{Lease: w.Lease(), Now: w.now()}
	w.mu.Lock()
	c.Suspects = w.trial == nil && !w.claimed
	w.claimed = w.claimed || c.Suspects
	ids := slices.Collect(maps.Keys(w.held))
	w.mu.Unlock()
	taken, err := w.o.Take(ctx, c, ids)
	h := &Held[J]{Taken: taken, Holder: c.Holder, workers: w}
	if c.Suspects {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.claimed = false
		if err == nil && taken.Suspicion.OnTrial() {
			w.trial = h
		}
	}
	return h, err
}

// endTrial lets another suspect be tried.
func (w *Workers[J]) endTrial(h *Held[J]) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.trial == h {
		w.trial = nil
		w.Wake()
	}
}

// do works on a piece, and deals with how that ended.
func (w *Workers[J]) do(ctx context.Context, h *Held[J]) error {
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	h.stop, h.began, h.kept = stop, w.now(), w.now()
	w.mu.Lock()
	w.held[h.ID] = h
	w.mu.Unlock()
	defer w.remove(h)
	err := w.safely(working, h)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrLost), errors.Is(context.Cause(working), ErrLost):
		w.o.Log.InfoContext(ctx, "work was ended, or taken over, by others", "work", w.o.Name, "id", h.ID)
		return nil
	case ctx.Err() != nil, errors.Is(context.Cause(working), errAway):
		return w.settle(ctx, h, w.o.PutBack)
	}
	return w.settle(ctx, h, func(ctx context.Context, h *Held[J]) error { return w.o.Fail(ctx, h, err) })
}

func (w *Workers[J]) safely(ctx context.Context, h *Held[J]) (err error) {
	defer panicked(&err)
	return w.o.Do(ctx, h)
}

// settle stores how work has ended. While the store is away the work stays in
// hand: a lease that ran out would look as if the server had died over it.
func (w *Workers[J]) settle(ctx context.Context, h *Held[J], end func(context.Context, *Held[J]) error) error {
	for wait := firstRetry; ; wait = min(2*wait, maxRetry) {
		err := func() error {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), goodbye)
			defer cancel()
			return end(ctx, h)
		}()
		if err == nil || errors.Is(err, ErrLost) {
			return nil
		}
		w.o.Log.WarnContext(ctx, "the end of work cannot be stored", "work", w.o.Name, "id", h.ID, "error", err)
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
	}
}

// remove forgets a piece, unless it was taken again meanwhile.
func (w *Workers[J]) remove(h *Held[J]) {
	w.endTrial(h)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.held[h.ID] == h {
		delete(w.held, h.ID)
	}
}

// Renew renews the leases of what is in hand, and stops the work on what is lost.
// Work does it all the time.
func (w *Workers[J]) Renew(ctx context.Context) {
	w.keeping.Lock()
	defer w.keeping.Unlock()
	all := w.Held()
	if len(all) == 0 {
		return
	}
	now := w.now()
	lost, err := w.o.Keep(ctx, all, now.Add(w.o.Life))
	if err != nil {
		w.o.Log.WarnContext(ctx, "leases cannot be renewed", "work", w.o.Name, "error", err)
	}
	for _, h := range lost {
		h.stop(ErrLost)
	}
	for _, h := range all {
		switch {
		case err == nil:
			h.kept = now
			if now.Sub(h.began) >= TrialTime {
				w.endTrial(h) // Keep has stored that it is no longer on trial
			}
		case now.Sub(h.kept) >= w.o.Life:
			h.stop(errAway)
		}
	}
}
