package duckdb

import (
	"slices"
	"sync"

	"quern"
)

// maxUses is how many jobs one instance serves before it is thrown away, so
// that nothing it may keep inside can add up.
const maxUses = 256

// pool keeps instances for the next job. Opening one takes ten times as long as
// a small query, so used ones are made good as new behind the callers' backs,
// and those that cannot be are replaced.
type pool struct {
	options  Options
	returned chan *instance
	renewers sync.WaitGroup

	mu       sync.Mutex
	idle     []*instance
	renewing int                // instances that were returned and are not idle yet
	waiting  []chan<- *instance // callers who wait for one of those; nil: open one
}

func newPool(o Options) *pool {
	p := &pool{options: o, returned: make(chan *instance, 2*o.Concurrency)}
	for range min(2, max(o.Spares, 1)) {
		if o.AtNeed {
			p.renewers.Go(p.renew)
			continue
		}
		p.renewing++
		p.renewers.Go(func() {
			p.keep(p.replacement())
			p.renew()
		})
	}
	return p
}

// renew readies returned instances.
func (p *pool) renew() {
	for in := range p.returned {
		if p.options.Spares <= 0 || in.uses >= maxUses || !in.reset() {
			in.close()
			in = p.replacement()
		}
		p.keep(in)
	}
}

// replacement opens an instance, if one is wanted. A caller who opens one himself
// meets the same error and reports it.
func (p *pool) replacement() *instance {
	p.mu.Lock()
	wanted := len(p.waiting) > 0 || len(p.idle) < p.options.Spares
	p.mu.Unlock()
	if !wanted {
		return nil
	}
	in, err := openReusable(p.options)
	if err != nil {
		return nil
	}
	return in
}

// keep hands an instance to whoever waits, or keeps it for the next.
func (p *pool) keep(in *instance) {
	p.mu.Lock()
	p.renewing--
	switch {
	case len(p.waiting) > 0:
		p.waiting[0] <- in
		p.waiting = slices.Delete(p.waiting, 0, 1)
		in = nil
	case in != nil && len(p.idle) < p.options.Spares:
		p.idle = append(p.idle, in)
		in = nil
	}
	p.mu.Unlock()
	if in != nil {
		in.close()
	}
}

// take returns an instance that is as if nobody had used it.
func (p *pool) take() (*instance, error) {
	p.mu.Lock()
	if last := len(p.idle) - 1; last >= 0 {
		in := p.idle[last]
		p.idle = p.idle[:last]
		p.mu.Unlock()
		return in, nil
	}
	if p.renewing <= len(p.waiting) {
		p.mu.Unlock()
		return openReusable(p.options)
	}
	ready := make(chan *instance, 1)
	p.waiting = append(p.waiting, ready)
	p.mu.Unlock()
	if in := <-ready; in != nil {
		return in, nil
	}
	return openReusable(p.options)
}

// give takes back an instance that a job is done with.
func (p *pool) give(in *instance) {
	p.mu.Lock()
	p.renewing++
	p.mu.Unlock()
	p.returned <- in
}

// spares is how many instances lie idle, and how many may.
func (p *pool) spares() quern.Room {
	p.mu.Lock()
	defer p.mu.Unlock()
	return quern.Room{Taken: int64(len(p.idle)), Limit: int64(p.options.Spares)}
}

// close must come after the last give.
func (p *pool) close() {
	close(p.returned)
	p.renewers.Wait()
	for _, in := range p.idle {
		in.close()
	}
	p.idle = nil
}
