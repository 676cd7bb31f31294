package app

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"
)

// moved is a machine whose clock can be set.
type moved struct {
	wall    time.Time
	elapsed time.Duration
}

func (m *moved) pass(d time.Duration) { m.wall, m.elapsed = m.wall.Add(d), m.elapsed+d }

func (m *moved) clock() *clock {
	return &clock{wall: func() time.Time { return m.wall }, elapsed: func() time.Duration { return m.elapsed }}
}

func wantTime(t *testing.T, when string, c *clock, want time.Time) {
	t.Helper()
	if got := c.now(); got.Sub(want).Abs() > time.Millisecond {
		t.Errorf("%s: now() = %v, want %v", when, got, want)
	}
}

func TestAClockThatIsSetBackIsWaitedFor(t *testing.T) {
	t.Parallel()
	noon := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	m := &moved{wall: noon}
	c := m.clock()
	wantTime(t, "at first", c, noon)
	m.pass(time.Second)
	wantTime(t, "later", c, noon.Add(time.Second))
	m.wall = noon.Add(-time.Minute)
	m.pass(10 * time.Second)
	wantTime(t, "set back", c, noon.Add(6*time.Second))
	m.pass(2 * time.Minute)
	wantTime(t, "caught up", c, noon.Add(70*time.Second))
	m.wall = noon.Add(24 * time.Hour)
	wantTime(t, "set forward", c, noon.Add(24*time.Hour))
}

func TestTimeGoesOnAfterARestart(t *testing.T) {
	t.Parallel()
	noon := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	for stored, want := range map[time.Time]time.Time{
		noon.Add(-time.Hour):       noon.Add(10 * time.Second),
		noon.Add(time.Hour):        noon.Add(time.Hour + 5*time.Second),
		noon.Add(25 * time.Hour):   noon.Add(10 * time.Second),
		{}:                         noon.Add(10 * time.Second),
		noon.Add(time.Millisecond): noon.Add(10 * time.Second),
	} {
		m := &moved{wall: noon}
		c := m.clock()
		c.goOn(t.Context(), stored, slog.New(slog.DiscardHandler))
		m.pass(10 * time.Second)
		wantTime(t, "after something was stored at "+stored.String(), c, want)
	}
}

func TestServersGoByTheDatabasesClock(t *testing.T) {
	t.Parallel()
	noon := time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)
	m := &moved{wall: noon.Add(-time.Hour)}
	c, log := m.clock(), slog.New(slog.DiscardHandler)
	took := 100 * time.Millisecond
	database := func(context.Context) (time.Time, error) {
		m.pass(took)
		return noon.Add(m.elapsed - took/2), nil
	}
	if err := c.ask(t.Context(), database, log); err != nil {
		t.Fatalf("ask() = %v, want nil", err)
	}
	wantTime(t, "asked", c, noon.Add(m.elapsed))
	m.wall = noon.Add(9 * time.Hour)
	m.pass(time.Second)
	wantTime(t, "after a jump of the machine's clock", c, noon.Add(m.elapsed))
	took = time.Minute
	before := c.zero
	if err := c.ask(t.Context(), database, log); err != nil || c.zero != before {
		t.Errorf("ask() = %v and %v, want an answer that took a minute left alone", err, c.zero)
	}
	away := errors.New("away")
	if err := c.ask(t.Context(), func(context.Context) (time.Time, error) { return time.Time{}, away }, log); !errors.Is(err, away) {
		t.Errorf("ask() = %v, want %v", err, away)
	}
	wantTime(t, "while the database is away", c, noon.Add(m.elapsed))
}
