package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"quern/store"
)

const (
	// askClock is how often the database is asked for its time.
	askClock = 2 * time.Second
	// longestAsk is how long the database may take to tell its time; what took longer
	// says too little.
	longestAsk = 500 * time.Millisecond
	// clockSkew is by how much this machine's clock may differ before that is said.
	clockSkew = 5 * time.Second
	// mostBack is how far a clock may be set back that is waited for.
	mostBack = 24 * time.Hour
)

// clock is the time that a server goes by. Servers that share a database go by the
// database's clock: a lease then ends for all of them at once, whatever their own clocks
// say. A server alone goes by its own. The clock never goes back: while the one it
// follows was set back, it goes at half the speed until that has caught up.
type clock struct {
	wall    func() time.Time     // this machine's
	elapsed func() time.Duration // since some moment, whatever is done to the machine's clock

	mu     sync.Mutex
	shared bool      // it follows the database's
	zero   time.Time // what the database's clock said when elapsed was zero
	last   time.Time // what was told last,
	at     time.Duration
	warned bool
}

func newClock() *clock {
	began := time.Now()
	return &clock{wall: wallClock, elapsed: func() time.Duration { return time.Since(began) }}
}

// now tells the time.
func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	elapsed := c.elapsed()
	followed := c.wall().Round(0)
	if c.shared {
		followed = c.zero.Add(elapsed)
	}
	if slow := c.last.Add((elapsed - c.at) / 2); !c.last.IsZero() && followed.Before(slow) {
		followed = slow
	}
	c.last, c.at = followed, elapsed
	return followed
}

// ask asks the database for its time, and follows that from then on. An answer that took
// long is believed when there is no other.
func (c *clock) ask(ctx context.Context, database func(context.Context) (time.Time, error), log *slog.Logger) error {
	asked := c.elapsed()
	there, err := database(ctx)
	if err != nil {
		return err
	}
	answered := c.elapsed()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.shared && answered-asked > longestAsk {
		return nil
	}
	c.shared, c.zero = true, there.Add(-(asked+answered)/2)
	skew := c.wall().Sub(c.zero.Add(answered))
	if far := skew.Abs() > clockSkew; far != c.warned {
		c.warned = far
		if far {
			log.WarnContext(ctx, "this machine's clock is wrong: the server goes by the database's", "ahead", skew.Round(time.Millisecond).String())
		}
	}
	return nil
}

// goOn lets the clock go on from a time that is over already, as what was stored then says.
// One that is further ahead than mostBack is nothing to wait for: it was wrong then.
func (c *clock) goOn(ctx context.Context, last time.Time, log *slog.Logger) {
	c.mu.Lock()
	defer c.mu.Unlock()
	back := last.Sub(c.wall())
	switch {
	case back > mostBack:
		log.WarnContext(ctx, "something was stored in the future: this machine's clock was or is wrong", "ahead", back.Round(time.Second).String())
	case back > 0:
		c.last, c.at = last, c.elapsed()
		if back > clockSkew {
			log.WarnContext(ctx, "this machine's clock was set back: time goes on from what was stored last, slowly", "back", back.Round(time.Second).String())
		}
	}
}

// addClock lets all parts that are made after it go by one clock.
func (a *App) addClock(ctx context.Context) error {
	switch {
	case a.clock == nil:
		return nil
	case a.cfg.DatabaseURL != "":
		return a.clock.ask(ctx, a.parts.store.Clock, a.log)
	}
	return a.parts.store.View(ctx, func(tx *store.Tx) error {
		last, err := tx.LastChange(ctx)
		if err == nil {
			a.clock.goOn(ctx, last, a.log)
		}
		return err
	})
}

// followClock asks the database for its time again and again, until ctx ends. While it
// does not answer, the time goes on.
func (a *App) followClock(ctx context.Context) {
	if a.clock == nil || a.cfg.DatabaseURL == "" {
		return
	}
	tick := time.NewTicker(askClock)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		asking, cancel := context.WithTimeout(ctx, askClock)
		if err := a.clock.ask(asking, a.parts.store.Clock, a.log); err != nil && ctx.Err() == nil {
			a.log.DebugContext(ctx, "the database does not tell its time", "error", err)
		}
		cancel()
	}
}
