package duckdb

import (
	"context"
	"sync"
	"time"
)

// reopenAfter paces the opening of spares when it fails.
const reopenAfter = time.Second

// pool opens instances ahead of need and closes used ones behind the callers'
// backs, because both take longer than most queries.
type pool struct {
	options Options
	spares  chan *instance
	retired chan *instance
	stop    context.CancelFunc
	workers sync.WaitGroup
}

func newPool(o Options) *pool {
	ctx, stop := context.WithCancel(context.Background())
	p := &pool{
		options: o,
		spares:  make(chan *instance),
		retired: make(chan *instance, 2*o.Concurrency),
		stop:    stop,
	}
	// Each of these goroutines holds one opened instance until it is taken.
	for range max(o.Spares, 0) {
		p.workers.Go(func() { p.fill(ctx) })
	}
	p.workers.Go(p.bury)
	return p
}

func (p *pool) fill(ctx context.Context) {
	for ctx.Err() == nil {
		in, err := openInstance(p.options)
		if err != nil {
			// take meets the same error and reports it; here it is only paced.
			select {
			case <-time.After(reopenAfter):
			case <-ctx.Done():
			}
			continue
		}
		select {
		case p.spares <- in:
		case <-ctx.Done():
			in.close()
		}
	}
}

func (p *pool) bury() {
	for in := range p.retired {
		in.close()
	}
}

// take gives a fresh instance that nobody has used.
func (p *pool) take() (*instance, error) {
	select {
	case in := <-p.spares:
		return in, nil
	default:
		return openInstance(p.options)
	}
}

// retire throws a used instance away.
func (p *pool) retire(in *instance) { p.retired <- in }

// close must come after the last retire.
func (p *pool) close() {
	p.stop()
	close(p.retired)
	p.workers.Wait()
}
