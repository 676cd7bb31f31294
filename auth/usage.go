package auth

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"quern"
	"quern/store"
)

const (
	usageQueue = 4096
	usageBatch = 500
	usageEvery = time.Second
	// usageTry is how long one write may take.
	usageTry = 10 * time.Second
	// touchGap is how often, at most, a token's use is written down.
	touchGap   = time.Minute
	touchKept  = 10_000
	sweepEvery = time.Hour
	// MaxUsagePage is the most events one page of the history has.
	MaxUsagePage = 1000
)

// recorder writes down what requests leave behind, in batches and off their
// path. What it cannot keep up with is dropped and counted.
type recorder struct {
	store     *store.Store
	now       func() time.Time
	log       *slog.Logger
	usageLife time.Duration
	events    chan store.Usage
	flushes   chan chan error
	stop      chan struct{}
	done      chan error
	once      sync.Once
	dropped   atomic.Int64

	mu      sync.Mutex
	seen    map[quern.TokenID]time.Time // when a use was last taken down
	due     map[quern.TokenID]time.Time // uses to write
	pending []store.Usage               // only the loop touches it
	sweptAt time.Time                   // only the loop touches it
}

func startRecorder(o Options) *recorder {
	r := &recorder{
		store: o.Store, now: o.Now, log: o.Log, usageLife: o.UsageLife,
		events: make(chan store.Usage, usageQueue), flushes: make(chan chan error),
		stop: make(chan struct{}), done: make(chan error, 1),
		seen: map[quern.TokenID]time.Time{}, due: map[quern.TokenID]time.Time{},
		sweptAt: o.Now(),
	}
	go r.loop()
	return r
}

func (r *recorder) loop() {
	tick := time.NewTicker(usageEvery)
	defer tick.Stop()
	for {
		select {
		case e := <-r.events:
			if r.pending = append(r.pending, e); len(r.pending) >= usageBatch {
				r.report(r.flush())
			}
		case <-tick.C:
			r.report(r.flush())
			r.sweep()
		case reply := <-r.flushes:
			r.drain()
			reply <- r.flush()
		case <-r.stop:
			r.drain()
			r.done <- r.flush()
			return
		}
	}
}

func (r *recorder) report(err error) {
	if err != nil {
		r.log.Warn("usage could not be recorded", "error", err)
	}
}

func (r *recorder) drain() {
	for {
		select {
		case e := <-r.events:
			r.pending = append(r.pending, e)
		default:
			return
		}
	}
}

// flush writes what has gathered; what fails is tried again with the next
// batch, as far as the queue's bound allows.
func (r *recorder) flush() error {
	r.mu.Lock()
	due := r.due
	r.due = map[quern.TokenID]time.Time{}
	r.mu.Unlock()
	if len(r.pending) == 0 && len(due) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), usageTry)
	defer cancel()
	err := r.store.Update(ctx, func(tx *store.Tx) error {
		for id, at := range due {
			if err := tx.TouchToken(ctx, id, at); err != nil {
				return err
			}
		}
		return tx.InsertUsage(ctx, r.pending)
	})
	if err == nil {
		r.pending = r.pending[:0]
		return nil
	}
	if over := len(r.pending) - usageQueue; over > 0 {
		r.dropped.Add(int64(over))
		r.pending = append(r.pending[:0], r.pending[over:]...)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, at := range due {
		if _, newer := r.due[id]; !newer && len(r.due) < touchKept {
			r.due[id] = at
		}
	}
	return err
}

// sweep deletes, now and then, what can no longer matter.
func (r *recorder) sweep() {
	now := r.now()
	if now.Sub(r.sweptAt) < sweepEvery {
		return
	}
	r.sweptAt = now
	ctx, cancel := context.WithTimeout(context.Background(), usageTry)
	defer cancel()
	err := r.store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.DeleteSpentLogins(ctx, now, now.Add(-sweepEvery)); err != nil {
			return err
		}
		if err := tx.DeleteSpentKeys(ctx, now); err != nil {
			return err
		}
		return tx.DeleteUsage(ctx, now.Add(-r.usageLife))
	})
	if err != nil {
		r.log.Warn("spent sign-ins could not be removed", "error", err)
	}
}

func (r *recorder) touch(id quern.TokenID, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if last, found := r.seen[id]; found && at.Sub(last) < touchGap {
		return
	}
	if len(r.seen) >= touchKept {
		clear(r.seen)
	}
	if len(r.due) < touchKept {
		r.seen[id], r.due[id] = at, at
	}
}

func (r *recorder) close() (err error) {
	r.once.Do(func() {
		close(r.stop)
		err = <-r.done
	})
	return err
}

// RecordUsage counts a request for a user. It never waits: when the queue is
// full, the request goes uncounted and Dropped says so.
func (s *Service) RecordUsage(_ context.Context, user quern.UserID, operation string, at time.Time) {
	u := store.Usage{User: user, Event: quern.UsageEvent{
		ID: quern.NewID[quern.UsageID](), At: at, Operation: operation, Units: 1,
	}}
	select {
	case s.recorder.events <- u:
	default:
		s.recorder.dropped.Add(1)
	}
}

// Dropped tells how many requests went uncounted.
func (s *Service) Dropped() int64 { return s.recorder.dropped.Load() }

// Flush writes what has been recorded so far.
func (s *Service) Flush(ctx context.Context) error {
	reply := make(chan error, 1)
	select {
	case s.recorder.flushes <- reply:
		return <-reply
	case <-s.recorder.stop:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Usage lists a page of the requests and model calls of the principal's user,
// newest first. Malformed when the page follows on no id.
func (s *Service) Usage(ctx context.Context, p quern.Principal, page quern.UsagePage) (events []quern.UsageEvent, err error) {
	if page.Behind != "" && !quern.ValidID(string(page.Behind)) {
		return nil, quern.E(quern.Malformed, quern.CodeMalformedParameter, "the cursor is not one that was given out")
	}
	page.Limit = min(max(page.Limit, 1), MaxUsagePage+1) // one more tells that there is another page
	err = s.store.View(ctx, func(tx *store.Tx) error {
		events, err = tx.Usage(ctx, p.User.ID, page)
		return err
	})
	return events, err
}

// UsageByDay counts the requests of the principal's user by day, in UTC, and
// operation, from one day to another (as 2006-01-02), both included.
func (s *Service) UsageByDay(ctx context.Context, p quern.Principal, from, to string) (days []quern.UsageDay, err error) {
	err = s.store.View(ctx, func(tx *store.Tx) error {
		days, err = tx.UsageDays(ctx, p.User.ID, from, to)
		return err
	})
	return days, err
}
