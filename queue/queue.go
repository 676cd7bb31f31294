// Package queue shares a bounded number of places fairly between users.
//
// It owns who works next: users take turns, the jobs of one user keep their
// order, no user holds more places than the limit of one, and the number of
// waiting jobs is bounded. It never runs a job and knows nothing of what a job
// does. The failure it is built around is the user whose jobs are many or slow:
// another's job waits for at most one job of each user, and is not turned away
// because one user filled the queue.
package queue

import (
	"context"
	"slices"
	"sync"
	"time"

	"quern"
)

// Options are the bounds of a queue.
type Options struct {
	// What waits here, as messages say it: "queries".
	What string
	// Places is how many jobs work at once.
	Places int
	// UserPlaces is how many of them one user may hold; 0: all but a quarter, at
	// least one of which stays free for others where there are two.
	UserPlaces int
	// Waiting is how many jobs may wait. Beyond, the user with the most waiting
	// jobs is turned away.
	Waiting int
	// MaxWait is how long one job waits; 0: as long as its context.
	MaxWait time.Duration
}

// Queue hands out places. It is safe for concurrent use.
type Queue struct {
	options Options

	mu      sync.Mutex
	users   map[string]*user // those with a job here
	turns   []*user          // those with a waiting job, next first
	running int
	waiting int
	counts  Counts
}

// user is one who has jobs here.
type user struct {
	name    string
	running int
	waiting []*waiter // oldest first
}

// waiter is a job that waits for a place.
type waiter struct {
	user    *user
	decided chan struct{} // closed when it has a place, or err says why not
	err     error
}

// Counts says how a queue stands, for metrics.
type Counts struct {
	Running, Waiting, Users int           // now
	Places, Room            int           // how many may run, and wait
	Entered, Refused        int64         // since the start
	Waited                  time.Duration // by all that entered, together
}

// New makes a queue. Places and Waiting are at least 1.
func New(o Options) *Queue {
	o.Places, o.Waiting = max(o.Places, 1), max(o.Waiting, 1)
	if o.UserPlaces <= 0 {
		o.UserPlaces = o.Places - max(o.Places/4, 1)
	}
	o.UserPlaces = min(max(o.UserPlaces, 1), o.Places)
	return &Queue{options: o, users: map[string]*user{}}
}

// Enter waits until a job of this user has a place. The caller calls leave when
// the job is done; calling it twice is harmless. It fails with the context's
// error when that ends first, and with Unavailable when too many wait or the job
// waited for too long.
func (q *Queue) Enter(ctx context.Context, name string) (leave func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	start := time.Now()
	w, err := q.join(name)
	if err != nil {
		return nil, err
	}
	if err := q.wait(ctx, w); err != nil {
		return nil, err
	}
	q.mu.Lock()
	q.counts.Entered++
	q.counts.Waited += time.Since(start)
	q.mu.Unlock()
	return sync.OnceFunc(func() { q.leave(w.user) }), nil
}

// Counts reports how the queue stands.
func (q *Queue) Counts() Counts {
	q.mu.Lock()
	defer q.mu.Unlock()
	c := q.counts
	c.Running, c.Waiting, c.Users = q.running, q.waiting, len(q.users)
	c.Places, c.Room = q.options.Places, q.options.Waiting
	return c
}

// join returns the user's job a place or a turn to wait for one.
func (q *Queue) join(name string) (*waiter, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	u := q.users[name]
	if u == nil {
		u = &user{name: name}
	}
	w := &waiter{user: u, decided: make(chan struct{})}
	// Free places mean that whoever waits holds as many as one user may.
	if q.running < q.options.Places && u.running < q.options.UserPlaces {
		q.users[name] = u
		q.admit(w)
		return w, nil
	}
	if q.waiting >= q.options.Waiting && !q.makeRoom(u) {
		q.counts.Refused++
		return nil, q.full()
	}
	q.users[name] = u
	if u.waiting = append(u.waiting, w); len(u.waiting) == 1 {
		q.turns = append(q.turns, u)
	}
	q.waiting++
	return w, nil
}

// makeRoom turns away the youngest job of the user with the most waiting jobs,
// if u would still have fewer than that.
func (q *Queue) makeRoom(u *user) bool {
	most := slices.MaxFunc(q.turns, func(a, b *user) int { return len(a.waiting) - len(b.waiting) })
	if len(most.waiting) <= len(u.waiting)+1 {
		return false
	}
	last := most.waiting[len(most.waiting)-1]
	q.remove(last)
	last.err = q.full()
	close(last.decided)
	q.counts.Refused++
	return true
}

func (q *Queue) full() error {
	return quern.E(quern.Unavailable, quern.CodeUnavailable, "too many %s are waiting; try again later", q.options.What)
}

// wait returns when w has a place, or the reason why it gets none.
func (q *Queue) wait(ctx context.Context, w *waiter) error {
	var late <-chan time.Time
	if q.options.MaxWait > 0 {
		timer := time.NewTimer(q.options.MaxWait)
		defer timer.Stop()
		late = timer.C
	}
	var reason error
	select {
	case <-w.decided:
		return w.err
	case <-ctx.Done():
		reason = ctx.Err()
	case <-late:
		reason = quern.E(quern.Unavailable, quern.CodeUnavailable, "the server is busy with other %s; try again later", q.options.What)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	select {
	case <-w.decided:
		if w.err == nil && ctx.Err() != nil {
			q.release(w.user)
			return ctx.Err()
		}
		return w.err
	default:
	}
	q.remove(w)
	q.counts.Refused++
	return reason
}

// remove takes a waiting job out of the queue.
func (q *Queue) remove(w *waiter) {
	u := w.user
	u.waiting = slices.DeleteFunc(u.waiting, func(other *waiter) bool { return other == w })
	q.waiting--
	if len(u.waiting) == 0 {
		q.turns = slices.DeleteFunc(q.turns, func(other *user) bool { return other == u })
	}
	q.forget(u)
}

func (q *Queue) admit(w *waiter) {
	w.user.running++
	q.running++
	close(w.decided)
}

func (q *Queue) leave(u *user) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.release(u)
}

// release frees a place, or hands it to whoever is next.
func (q *Queue) release(u *user) {
	u.running--
	q.running--
	q.forget(u)
	for q.running < q.options.Places {
		next := slices.IndexFunc(q.turns, func(u *user) bool { return u.running < q.options.UserPlaces })
		if next < 0 {
			return
		}
		u := q.turns[next]
		q.turns = slices.Delete(q.turns, next, next+1)
		w := u.waiting[0]
		u.waiting = slices.Delete(u.waiting, 0, 1)
		q.waiting--
		if len(u.waiting) > 0 {
			q.turns = append(q.turns, u)
		}
		q.admit(w)
	}
}

// forget drops a user without a job.
func (q *Queue) forget(u *user) {
	if u.running == 0 && len(u.waiting) == 0 {
		delete(q.users, u.name)
	}
}
