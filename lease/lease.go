// Package lease shares work of one kind between servers: each piece is worked on
// by whoever holds its lease, and a lease that is not renewed is anybody's.
//
//	due ── taken ─► in hand ─┬─► done, or failed           (Do, Fail)
//	 ▲                       ├─► lost: ended by others, or taken over by them
//	 ├──── server stops ─────┤   put back                  (PutBack)
//	 └──── server dies ──────┘   the lease runs out
//
// It owns the places of this server, the renewals, the stop, and the judgement
// of work that servers die over. It never stores anything: its functions do,
// each on the condition that the lease still holds.
//
// The failure it is built around is the server that dies of its work. Whatever
// was in hand then is suspected and tried again, one suspect of a server at a
// time; what servers die over in trial after trial is the cause, and is given
// up: one death may be a kill from outside. A piece that makes progress, or lives
// through TrialTime, is free to be worked on beside other suspects again.
package lease

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"quern"
)

const (
	// DefaultLife is how long work stays with a server that is not heard of.
	DefaultLife = 5 * time.Second
	// DefaultBeat is how often a server is heard of, and hears what it has lost.
	DefaultBeat = 500 * time.Millisecond
	// DefaultLook is how often a server looks for work that others queued, or left.
	DefaultLook = time.Second
	// TrialTime is how long a suspect keeps other suspects waiting.
	TrialTime = 3 * time.Second
	// goodbye is how long one attempt to hand work back, or to end it, may take.
	goodbye = 5 * time.Second
	// firstRetry and maxRetry bound the pauses between these attempts.
	firstRetry, maxRetry = 100 * time.Millisecond, 2 * time.Second
)

var (
	// ErrLost says that work has ended, is gone, or is somebody else's.
	ErrLost = errors.New("lease: the work is no longer this server's")
	// errAway is why work stops when its lease could not be renewed in time.
	errAway = errors.New("lease: the store does not answer")
	// errStopping is why work stops when its server does.
	errStopping = errors.New("lease: the server stops")
)

// Options says what the work is and how it is shared.
type Options[J any] struct {
	// Name is what a piece of work is called in the log.
	Name   string
	Places int // how many pieces are worked on at once by this server
	// Life, Beat and Look are the defaults above where they are zero.
	Life, Beat, Look time.Duration
	// Finish is how long work may go on when the server stops.
	Finish time.Duration
	Now    func() time.Time // nil: time.Now
	Log    *slog.Logger     // nil: slog.Default()
	// Free ends all leases when Work begins; for a server that knows that it is
	// alone, otherwise nil.
	Free func(context.Context) error
	// Take takes what is due, but nothing of what is held. NotFound when nothing is.
	Take func(ctx context.Context, c quern.Claim, held []string) (Taken[J], error)
	// Next reports when something may be due, zero when nobody knows; nil: it is
	// looked for every Look.
	Next func(context.Context) (time.Time, error)
	// Keep renews leases and returns those that are lost; nil where the leases
	// outlast the work.
	Keep func(ctx context.Context, all []*Held[J], until time.Time) (lost []*Held[J], err error)
	// Do works on a piece until it is done, which it stores itself. It stops when
	// its context ends.
	Do func(context.Context, *Held[J]) error
	// Fail deals with an error of Do, which is never ErrLost. When it fails itself
	// it is called again, until it does not, or the server stops.
	Fail func(ctx context.Context, h *Held[J], cause error) error
	// PutBack hands a piece to whoever comes next; called as Fail is, when the
	// server stops before Do is done.
	PutBack func(context.Context, *Held[J]) error
}

// Taken is work that was taken.
type Taken[J any] struct {
	ID        string
	Job       J
	Suspicion quern.Suspicion
}

// Held is work in hand.
type Held[J any] struct {
	Taken[J]
	Holder string

	workers *Workers[J]
	stop    context.CancelCauseFunc
	began   time.Time
	kept    time.Time // when the lease was last known to hold
}

// OnTrial reports whether the death of this server would be blamed on the work.
func (h *Held[J]) OnTrial() bool {
	h.workers.mu.Lock()
	defer h.workers.mu.Unlock()
	return h.workers.trial == h && h.workers.now().Sub(h.began) < TrialTime
}

// Acquit says that the work has made progress, which is stored: nothing before
// that is held against it any more.
func (h *Held[J]) Acquit() { h.workers.endTrial(h) }

// Workers are the places of a server for work of one kind.
type Workers[J any] struct {
	o     Options[J]
	slots chan struct{} // one for each piece in hand
	woken chan struct{}
	life  context.Context // the life of the workers, which no call outlives
	close context.CancelFunc

	keeping sync.Mutex // one renewal at a time

	mu      sync.Mutex
	work    context.Context // what work is done under; nil while none may begin
	held    map[string]*Held[J]
	claimed bool     // somebody is about to take a suspect
	trial   *Held[J] // the suspect in hand
	working sync.WaitGroup
}

// New makes Workers. They work while Work runs.
func New[J any](o Options[J]) *Workers[J] {
	o.Life, o.Beat, o.Look = cmp.Or(o.Life, DefaultLife), cmp.Or(o.Beat, DefaultBeat), cmp.Or(o.Look, DefaultLook)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	life, end := context.WithCancel(context.Background()) //nolint:gosec // Work calls it at its end
	return &Workers[J]{
		o: o, life: life, close: end, slots: make(chan struct{}, o.Places), woken: make(chan struct{}, 1), held: map[string]*Held[J]{},
	}
}

func (w *Workers[J]) now() time.Time { return w.o.Now() }

// Lease returns a fresh lease from now on.
func (w *Workers[J]) Lease() quern.Lease {
	return quern.Lease{Holder: quern.NewID[string](), Until: w.now().Add(w.o.Life)}
}

// Wake says that there may be something to do.
func (w *Workers[J]) Wake() {
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

// Has reports whether a piece is in hand here.
func (w *Workers[J]) Has(id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.held[id] != nil
}

// Held lists what is in hand here.
func (w *Workers[J]) Held() []*Held[J] {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := make([]*Held[J], 0, len(w.held))
	for _, h := range w.held {
		list = append(list, h)
	}
	return list
}

// Counts says how the places of a server stand, for metrics.
type Counts struct{ Held, Places int }

// Counts reports how much work is in hand, and for how much there are places. A place in
// which work is looked for is not counted.
func (w *Workers[J]) Counts() Counts { return Counts{len(w.Held()), cap(w.slots)} }

// Drop stops the work on what has ended or is gone, and returns it.
func (w *Workers[J]) Drop(which func(*Held[J]) bool) []*Held[J] {
	dropped := slices.DeleteFunc(w.Held(), func(h *Held[J]) bool { return !which(h) })
	for _, h := range dropped {
		h.stop(ErrLost)
	}
	return dropped
}

// Over is done when the workers have stopped for good.
func (w *Workers[J]) Over() context.Context { return w.life }

// Pause returns how long to wait after so many failures in a row: first, doubled
// by each, at most most, and up to a quarter more so that not all come at once.
func Pause(failures int, first, most time.Duration) time.Duration {
	wait := most
	if n := max(failures, 1) - 1; n < 30 && first<<n < most {
		wait = first << n
	}
	return wait + rand.N(wait/4+1)
}

// panicked turns a panic of the work into an error: it must not take the server,
// and the work of others, with it.
func panicked(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("lease: the work panicked: %v\n%s", p, debug.Stack())
	}
}
