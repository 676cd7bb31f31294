package lease_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quern"
	"quern/lease"
)

// table is work in memory, as a store keeps it.
type table struct {
	mu   sync.Mutex
	rows map[string]*row
	away bool
}

type row struct {
	holder    string
	due       time.Time
	suspicion quern.Suspicion
	ended     string
}

var errAway = errors.New("the store is away")

func newTable(ids ...string) *table {
	t := &table{rows: map[string]*row{}}
	for _, id := range ids {
		t.rows[id] = &row{due: time.Now()}
	}
	return t
}

func (t *table) row(id string) row {
	t.mu.Lock()
	defer t.mu.Unlock()
	return *t.rows[id]
}

func (t *table) setAway(away bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.away = away
}

func (t *table) take(_ context.Context, c quern.Claim, inHand []string) (lease.Taken[string], error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	ids := make([]string, 0, len(t.rows))
	for id := range t.rows {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		r := t.rows[id]
		suspect := r.holder != "" || r.suspicion > 0
		if r.ended != "" || r.due.After(c.Now) || slices.Contains(inHand, id) || suspect && !c.Suspects {
			continue
		}
		switch {
		case r.holder != "" && r.suspicion.OnTrial():
			r.suspicion++
		case suspect:
			r.suspicion = quern.OnTrial
		}
		r.holder, r.due = c.Holder, c.Until
		return lease.Taken[string]{ID: id, Job: id, Suspicion: r.suspicion}, nil
	}
	return lease.Taken[string]{}, quern.E(quern.NotFound, quern.CodeNotFound, "nothing is due")
}

func (t *table) keep(_ context.Context, all []*lease.Held[string], until time.Time) (lost []*lease.Held[string], err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.away {
		return nil, errAway
	}
	for _, h := range all {
		r := t.rows[h.ID]
		if r.holder != h.Holder || r.ended != "" {
			lost = append(lost, h)
			continue
		}
		r.due = until
		if !h.OnTrial() {
			r.suspicion = min(r.suspicion, quern.Suspected)
		}
	}
	return lost, nil
}

// write changes a row of the holder's.
func (t *table) write(h *lease.Held[string], change func(*row)) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.away {
		return errAway
	}
	r := t.rows[h.ID]
	if r.holder != h.Holder {
		return lease.ErrLost
	}
	change(r)
	return nil
}

// workers are places on the table whose work is do.
func (t *table) workers(places int, do func(context.Context, *lease.Held[string]) error) *lease.Workers[string] {
	return lease.New(lease.Options[string]{
		Name: "thing", Places: places, Log: slog.New(slog.DiscardHandler), Take: t.take, Keep: t.keep,
		Do: func(ctx context.Context, h *lease.Held[string]) error {
			if err := do(ctx, h); err != nil {
				return err
			}
			return t.write(h, func(r *row) { r.ended = "done" })
		},
		Fail: func(_ context.Context, h *lease.Held[string], cause error) error {
			return t.write(h, func(r *row) { r.ended = "failed: " + cause.Error()[:7] })
		},
		PutBack: func(_ context.Context, h *lease.Held[string]) error {
			return t.write(h, func(r *row) { r.holder, r.due = "", time.Now() })
		},
	})
}

// serve runs workers until stop, as a server does.
func serve(w *lease.Workers[string]) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() { w.Work(ctx) })
	return func() {
		cancel()
		working.Wait()
	}
}

func wantEnd(t *testing.T, tab *table, id, want string) {
	t.Helper()
	if got := tab.row(id); got.ended != want {
		t.Errorf("%s ended as %q (%+v), want %q", id, got.ended, got, want)
	}
}

// die makes the rows look as if the server that held them had died.
func (t *table) die(suspicion quern.Suspicion, ids ...string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, id := range ids {
		t.rows[id].holder, t.rows[id].due, t.rows[id].suspicion = "dead", time.Now(), suspicion
	}
}

func TestWorkIsDoneAndAStopPutsTheRestBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tab := newTable("a", "b", "c")
		stop := serve(tab.workers(2, func(ctx context.Context, h *lease.Held[string]) error {
			if h.ID == "a" {
				return nil
			}
			<-ctx.Done()
			return ctx.Err()
		}))
		synctest.Wait()
		wantEnd(t, tab, "a", "done")
		if b := tab.row("b"); b.holder == "" {
			t.Error("b is held by nobody, want it in hand")
		}
		stop()
		for _, id := range []string{"b", "c"} {
			if r := tab.row(id); r.holder != "" || r.ended != "" || r.suspicion != quern.Innocent {
				t.Errorf("%s after the stop = %+v, want it put back", id, r)
			}
		}
	})
}

func TestALeaseIsRenewedAndItsLossStopsTheWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tab := newTable("a")
		causes := make(chan error, 1)
		stop := serve(tab.workers(1, func(ctx context.Context, _ *lease.Held[string]) error {
			<-ctx.Done()
			causes <- context.Cause(ctx)
			return ctx.Err()
		}))
		defer stop()
		time.Sleep(time.Minute)
		if r := tab.row("a"); !r.due.After(time.Now()) {
			t.Errorf("a is due at %v after a minute, want the lease renewed", r.due)
		}
		tab.die(quern.Innocent, "a") // another server took it
		time.Sleep(lease.DefaultBeat * 2)
		if cause := <-causes; !errors.Is(cause, lease.ErrLost) {
			t.Errorf("the work stopped for %v, want ErrLost", cause)
		}
	})
}

// TestAServerLeavesItsOwnWorkAlone although its lease has run out, as one does
// that cannot be renewed in time.
func TestAServerLeavesItsOwnWorkAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tab, ended := newTable("a"), make(chan struct{})
		do := func(context.Context, *lease.Held[string]) error { <-ended; return nil }
		w, other := tab.workers(2, do), tab.workers(2, func(context.Context, *lease.Held[string]) error { return nil })
		go func() { _, _ = w.Once(t.Context()) }() // its end is of no interest
		synctest.Wait()
		tab.mu.Lock()
		tab.rows["a"].due = time.Now()
		tab.mu.Unlock()
		if took, err := w.Once(t.Context()); took || err != nil {
			t.Errorf("Once() = %v, %v of a server that works on it, want it left alone", took, err)
		}
		if took, err := other.Once(t.Context()); !took || err != nil {
			t.Errorf("Once() = %v, %v of another server, want it taken", took, err)
		}
		close(ended)
		synctest.Wait()
		wantEnd(t, tab, "a", "done")
	})
}

// TestAnotherServerTakesOver what a server held that died, once the lease is over.
func TestAnotherServerTakesOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tab := newTable("a")
		w := tab.workers(1, func(context.Context, *lease.Held[string]) error { return nil })
		tab.mu.Lock()
		*tab.rows["a"] = row{holder: "dead", due: w.Lease().Until}
		tab.mu.Unlock()
		stop := serve(w)
		defer stop()
		time.Sleep(lease.DefaultLife - time.Millisecond)
		wantEnd(t, tab, "a", "")
		time.Sleep(lease.DefaultLook + time.Millisecond)
		wantEnd(t, tab, "a", "done")
	})
}

// TestSuspectsAreTriedOneAtATime: three were in hand when a server died, one of
// which is the cause. Only that one is given up.
func TestSuspectsAreTriedOneAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tab := newTable("a", "b", "c", "fresh")
		tab.die(quern.Innocent, "a", "b", "c")
		var mu sync.Mutex
		suspects, most, began := 0, 0, []string{}
		dying := make(chan struct{})
		do := func(_ context.Context, h *lease.Held[string]) error {
			if h.Suspicion >= quern.Guilty {
				return errors.New("given up")
			}
			mu.Lock()
			began = append(began, h.ID)
			if h.Suspicion.OnTrial() {
				suspects++
				most = max(most, suspects)
			}
			mu.Unlock()
			if h.ID == "b" && h.Suspicion.OnTrial() {
				<-dying // of which this server dies
			}
			time.Sleep(time.Second)
			mu.Lock()
			defer mu.Unlock()
			if h.Suspicion.OnTrial() {
				suspects--
			}
			return nil
		}
		stop := serve(tab.workers(4, do))
		time.Sleep(2 * time.Second)
		if b := tab.row("b"); b.suspicion != quern.OnTrial {
			t.Errorf("b = %+v, want it on trial", b)
		}
		// The server dies, as far as the table knows, with b on trial, as others before it.
		tab.die(quern.Guilty-1, "b")
		close(dying)
		stop()
		stop = serve(tab.workers(4, do))
		time.Sleep(time.Minute)
		stop()
		for _, id := range []string{"a", "c", "fresh"} {
			wantEnd(t, tab, id, "done")
		}
		wantEnd(t, tab, "b", "failed: given u")
		if most != 1 {
			t.Errorf("%d suspects were worked on at once (%v), want one", most, began)
		}
	})
}

func TestASlowSuspectKeepsOthersWaitingForTrialTimeOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tab, release := newTable("a", "b"), make(chan struct{})
		tab.die(quern.Innocent, "a", "b")
		stop := serve(tab.workers(2, func(_ context.Context, h *lease.Held[string]) error {
			if h.ID == "a" {
				<-release
			}
			return nil
		}))
		defer stop()
		time.Sleep(lease.TrialTime / 2)
		if b := tab.row("b"); b.ended != "" {
			t.Errorf("b = %+v during the trial of a, want it waiting", b)
		}
		time.Sleep(lease.TrialTime)
		wantEnd(t, tab, "b", "done")
		if a := tab.row("a"); a.suspicion != quern.Suspected {
			t.Errorf("a = %+v after its trial, want a death now to count for nothing", a)
		}
		close(release)
		synctest.Wait()
		wantEnd(t, tab, "a", "done")
	})
}

func TestProgressEndsATrial(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tab, release := newTable("a", "b"), make(chan struct{})
		tab.die(quern.Innocent, "a", "b")
		stop := serve(tab.workers(2, func(_ context.Context, h *lease.Held[string]) error {
			if h.ID == "a" {
				h.Acquit()
				<-release
			}
			return nil
		}))
		defer stop()
		synctest.Wait()
		wantEnd(t, tab, "b", "done")
		close(release)
	})
}

// TestAStoreThatIsAway stops the work when the lease cannot be known to hold, and
// puts it back once the store answers: no server has died.
func TestAStoreThatIsAway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tab := newTable("a")
		begun := 0
		stop := serve(tab.workers(1, func(ctx context.Context, _ *lease.Held[string]) error {
			if begun++; begun == 2 {
				return nil
			}
			<-ctx.Done()
			return ctx.Err()
		}))
		defer stop()
		synctest.Wait()
		tab.setAway(true)
		time.Sleep(time.Minute)
		if begun != 1 {
			t.Errorf("work was begun %d times while the store was away, want once", begun)
		}
		tab.setAway(false)
		time.Sleep(10 * time.Second)
		wantEnd(t, tab, "a", "done")
		if a := tab.row("a"); a.suspicion != quern.Innocent {
			t.Errorf("a = %+v, want nothing held against it", a)
		}
	})
}

func TestWorkThatPanicsFailsAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tab := newTable("a", "b")
		stop := serve(tab.workers(1, func(_ context.Context, h *lease.Held[string]) error {
			if h.ID == "a" {
				panic("broken")
			}
			return nil
		}))
		defer stop()
		synctest.Wait()
		wantEnd(t, tab, "a", "failed: lease: ")
		wantEnd(t, tab, "b", "done")
	})
}

func TestPausesGrow(t *testing.T) {
	t.Parallel()
	for failures, want := range map[int]time.Duration{0: time.Second, 1: time.Second, 2: 2 * time.Second, 4: 8 * time.Second, 9: time.Minute, 200: time.Minute} {
		if got := lease.Pause(failures, time.Second, time.Minute); got < want || got > want+want/4 {
			t.Errorf("Pause(%d) = %v, want %v and up to a quarter more", failures, got, want)
		}
	}
}
