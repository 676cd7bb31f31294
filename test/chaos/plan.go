package chaos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// Ending is a way in which a server is taken away.
type Ending string

// The ways in which servers are taken away.
const (
	Kill   Ending = "kill -9"
	Stop   Ending = "SIGTERM"
	Freeze Ending = "SIGSTOP"
)

// Blow is one thing that is done to one server.
type Blow struct {
	Wait   time.Duration // since the blow before
	Server int
	How    Ending
	Away   time.Duration // until it is started again, or goes on
}

// Plan returns blows that follow from a seed: of each ten, six are kills, two are stops
// and two freezes.
func Plan(seed uint64, servers, blows int, every time.Duration) []Blow {
	random := rand.New(rand.NewPCG(seed, 1<<32))
	ways := []Ending{Kill, Kill, Kill, Kill, Kill, Kill, Stop, Stop, Freeze, Freeze}
	plan := make([]Blow, blows)
	for i := range plan {
		if i%len(ways) == 0 {
			random.Shuffle(len(ways), func(a, b int) { ways[a], ways[b] = ways[b], ways[a] })
		}
		b := Blow{Wait: every/2 + upTo(random, every), Server: random.IntN(servers), How: ways[i%len(ways)], Away: upTo(random, 2*time.Second)}
		if b.How == Freeze {
			b.Away = time.Second + upTo(random, 7*time.Second)
		}
		plan[i] = b
	}
	return plan
}

// Strike carries a plan out. A blow waits until two other servers are ready, so that
// there is always one to ask. tell, unless nil, is told of each blow.
func (f *Fleet) Strike(ctx context.Context, plan []Blow, tell func(Blow)) error {
	var mending sync.WaitGroup
	defer mending.Wait()
	failed := make(chan error, len(plan))
	for _, b := range plan {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-failed:
			return err
		case <-time.After(b.Wait):
		}
		number, err := f.victim(ctx, b.Server)
		if err != nil {
			return err
		}
		b.Server = number
		if tell != nil {
			tell(b)
		}
		mending.Go(func() {
			if err := f.suffer(ctx, b); err != nil {
				failed <- fmt.Errorf("%s of server %d: %w", b.How, b.Server, err)
			}
		})
	}
	mending.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

// victim waits until all servers but one are ready, and one of these is the wanted one,
// or else the next that is.
func (f *Fleet) victim(ctx context.Context, wanted int) (int, error) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if f.proxy.ready() >= max(len(f.places)-1, 1) {
			for n := range f.places {
				number := (wanted + n) % len(f.places)
				p := f.places[number]
				if p.mu.TryLock() {
					ready := p.process != nil && p.process.isReady()
					p.mu.Unlock()
					if ready {
						return number, nil
					}
				}
			}
		}
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-tick.C:
		}
	}
}

// suffer takes a server away and brings it back.
func (f *Fleet) suffer(ctx context.Context, b Blow) error {
	switch b.How {
	case Freeze:
		return f.Freeze(ctx, b.Server, b.Away)
	case Stop:
		if err := f.Stop(ctx, b.Server); err != nil {
			return err
		}
	case Kill:
		if err := f.Kill(b.Server); err != nil {
			return err
		}
	}
	select {
	case <-ctx.Done():
	case <-time.After(b.Away):
	}
	return f.revive(ctx, b.Server)
}

// revive starts a server as whoever looks after it does: again and again, for it does
// not start while the database is away.
func (f *Fleet) revive(ctx context.Context, number int) error {
	for began := time.Now(); ; {
		err := f.Start(ctx, number)
		if err == nil || ctx.Err() != nil || time.Since(began) > time.Minute {
			return err
		}
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

// upTo returns a time that is shorter than most.
func upTo(random *rand.Rand, most time.Duration) time.Duration {
	return time.Duration(random.Int64N(int64(most)))
}
