package duckdb

import (
	"sync"
)

// maxUses is how many jobs one instance serves before it is thrown away, so
// that nothing it may keep inside can add up.
const maxUses = 256

// pool keeps instances for the next job. Opening one takes ten times as long as
// a small query, so used ones are made good as new behind the callers' backs,
// and those that cannot be are replaced.
type pool struct {
	options  Options
	mu       sync.Mutex
	idle     []*instance
	returned chan *instance
	workers  sync.WaitGroup
}

func newPool(o Options) *pool {
	p := &pool{options: o, returned: make(chan *instance, 2*o.Concurrency)}
	for range min(2, max(o.Spares, 1)) {
		p.workers.Go(p.renew)
	}
	return p
}

// renew has one instance ready from the start and then readies returned ones.
func (p *pool) renew() {
	p.replace()
	for in := range p.returned {
		if p.room() && in.uses < maxUses && in.reset() {
			p.keep(in)
			continue
		}
		in.close()
		p.replace()
	}
}

func (p *pool) replace() {
	if !p.room() {
		return
	}
	// take meets the same error and reports it.
	if in, err := openShared(p.options); err == nil {
		p.keep(in)
	}
}

func (p *pool) room() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.idle) < p.options.Spares
}

func (p *pool) keep(in *instance) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, in)
}

// take gives an instance that is as if nobody had used it.
func (p *pool) take() (*instance, error) {
	p.mu.Lock()
	if last := len(p.idle) - 1; last >= 0 {
		in := p.idle[last]
		p.idle = p.idle[:last]
		p.mu.Unlock()
		return in, nil
	}
	p.mu.Unlock()
	return openShared(p.options)
}

// give takes back an instance that a job is done with.
func (p *pool) give(in *instance) { p.returned <- in }

// close must come after the last give.
func (p *pool) close() {
	close(p.returned)
	p.workers.Wait()
	for _, in := range p.idle {
		in.close()
	}
	p.idle = nil
}
