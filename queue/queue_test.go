package queue_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"quern"
	"quern/queue"
)

func TestEnterWaitsForAPlace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := queue.New(queue.Options{What: "queries", Places: 1, Waiting: 2})
		leave := enter(t, q, "ada")
		entered := make(chan struct{})
		go func() {
			enter(t, q, "bob")()
			close(entered)
		}()
		synctest.Wait()
		select {
		case <-entered:
			t.Error("Enter beside a full queue came back, want it to wait")
		default:
		}
		leave()
		leave()
		<-entered
		if c := q.Counts(); c.Running != 0 || c.Waiting != 0 || c.Users != 0 || c.Entered != 2 {
			t.Errorf("Counts() after all = %+v, want nobody left and two entered", c)
		}
	})
}

func TestEnterIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := queue.New(queue.Options{What: "queries", Places: 1, Waiting: 2})
		leave := enter(t, q, "ada")
		left := make(chan error, 3)
		wait := func(user string) {
			go func() {
				leave, err := q.Enter(t.Context(), user)
				if err == nil {
					leave()
				}
				left <- err
			}()
			synctest.Wait()
		}
		wait("ada")
		wait("ada")
		if _, err := q.Enter(t.Context(), "ada"); !quern.Is(err, quern.Unavailable) {
			t.Errorf("Enter(a user who filled the queue) = %v, want Unavailable", err)
		}
		wait("bob")
		if err := <-left; !quern.Is(err, quern.Unavailable) {
			t.Errorf("the youngest job of the user who filled the queue = %v, want Unavailable", err)
		}
		leave()
		for range 2 {
			if err := <-left; err != nil {
				t.Errorf("Enter(a job that waited) = %v, want a place", err)
			}
		}
	})
}

func TestEnterEndsWithItsContextAndItsPatience(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := queue.New(queue.Options{What: "queries", Places: 1, Waiting: 9, MaxWait: time.Minute})
		leave := enter(t, q, "ada")
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := q.Enter(ctx, "bob"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Enter(context that ends) = %v, want its error", err)
		}
		before := time.Now()
		if _, err := q.Enter(t.Context(), "bob"); !quern.Is(err, quern.Unavailable) || time.Since(before) != time.Minute {
			t.Errorf("Enter beyond MaxWait = %v after %v, want Unavailable after a minute", err, time.Since(before))
		}
		if _, err := q.Enter(ctx, "bob"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Enter(context that is over) = %v, want its error", err)
		}
		leave()
		enter(t, q, "bob")()
	})
}

func TestUserPlacesLeaveRoom(t *testing.T) {
	t.Parallel()
	for places, want := range map[int]int{1: 1, 2: 1, 4: 3, 8: 6} {
		synctest.Test(t, func(t *testing.T) {
			q := queue.New(queue.Options{What: "queries", Places: places, Waiting: 20})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			for range 12 {
				go func() { _, _ = q.Enter(ctx, "ada") }()
			}
			synctest.Wait()
			if got := q.Counts().Running; got != want {
				t.Errorf("of %d places one user holds %d, want %d", places, got, want)
			}
			if places > 1 {
				enter(t, q, "bob")()
			}
		})
	}
}

// turn is one job of the property test, with the steps at which it began to
// wait, entered and left; 0: not yet.
type turn struct {
	user                 string
	joined, placed, left int
	alone                bool // no other job of the user waited before it
	leave                func()
}

// TestUsersTakeTurns holds random jobs of few users to the promises: jobs of one
// user enter in order, nobody goes beyond the limits, and the only waiting job of
// a user enters after at most one job of each other user.
func TestUsersTakeTurns(t *testing.T) {
	t.Parallel()
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { simulate(t, rand.New(rand.NewPCG(seed, 7))) })
		})
	}
}

func simulate(t *testing.T, random *rand.Rand) {
	o := queue.Options{What: "jobs", Places: 1 + random.IntN(4), Waiting: 1000}
	o.UserPlaces = 1 + random.IntN(o.Places)
	q := queue.New(o)
	var turns []*turn
	placed := make(chan *turn, 1000)
	var step int
	for step = 1; step <= 300; step++ {
		if random.IntN(2) == 0 || q.Counts().Running == 0 {
			turns = append(turns, join(t, q, fmt.Sprint(random.IntN(5)), step, turns, placed))
		} else {
			working := running(turns)
			done := working[random.IntN(len(working))]
			done.leave()
			done.left = step
		}
		synctest.Wait()
		for len(placed) > 0 {
			(<-placed).placed = step
		}
		if c := q.Counts(); c.Running > o.Places {
			t.Fatalf("step %d: %d jobs run, want at most %d", step, c.Running, o.Places)
		}
	}
	for _, w := range turns {
		checkTurn(t, w, turns, o.UserPlaces)
	}
	for working := running(turns); len(working) > 0; working = running(turns) {
		working[0].leave()
		working[0].left = step
		synctest.Wait()
		for len(placed) > 0 {
			(<-placed).placed = step
		}
	}
	if c := q.Counts(); c.Running+c.Waiting+c.Users != 0 {
		t.Errorf("Counts() at the end = %+v, want nobody", c)
	}
}

func join(t *testing.T, q *queue.Queue, user string, step int, turns []*turn, placed chan<- *turn) *turn {
	w := &turn{user: user, joined: step, alone: true}
	for _, other := range turns {
		if other.user == user && other.placed == 0 {
			w.alone = false
		}
	}
	go func() {
		w.leave = enter(t, q, user)
		placed <- w
	}()
	return w
}

func running(turns []*turn) (all []*turn) {
	for _, w := range turns {
		if w.placed > 0 && w.left == 0 {
			all = append(all, w)
		}
	}
	return all
}

func checkTurn(t *testing.T, w *turn, turns []*turn, limit int) {
	t.Helper()
	before := map[string]int{}
	for _, other := range turns {
		if other == w || other.placed == 0 || w.placed == 0 {
			continue
		}
		if other.user == w.user && other.joined < w.joined && other.placed > w.placed {
			t.Errorf("a job of %s that came at step %d entered before one that came at %d", w.user, w.joined, other.joined)
		}
		if other.user != w.user && other.placed > w.joined && other.placed < w.placed {
			before[other.user]++
		}
	}
	if !w.alone || w.placed == 0 || mostHeld(w, turns) >= limit {
		return
	}
	for user, n := range before {
		if n > 1 {
			t.Errorf("the only waiting job of %s entered after %d jobs of %s, want at most 1", w.user, n, user)
		}
	}
}

// mostHeld is the most places that the user of w held while w waited.
func mostHeld(w *turn, turns []*turn) (most int) {
	for step := w.joined; step < w.placed; step++ {
		held := 0
		for _, other := range turns {
			if other.user == w.user && other.placed > 0 && other.placed <= step && (other.left == 0 || other.left > step) {
				held++
			}
		}
		most = max(most, held)
	}
	return most
}

func enter(t *testing.T, q *queue.Queue, user string) (leave func()) {
	leave, err := q.Enter(t.Context(), user)
	if err != nil {
		t.Errorf("Enter(%s) = %v, want a place", user, err)
		return func() {}
	}
	return leave
}
