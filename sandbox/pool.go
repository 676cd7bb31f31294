package sandbox

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// retryAfter is how long the pool waits after a worker that could not be started.
const retryAfter = time.Second

var errClosed = errors.New("sandbox: the pool is closed")

// Pool keeps workers ready. Each serves one caller at a time; one that failed,
// grew or served often is replaced. It is safe for concurrent use.
type Pool struct {
	options PoolOptions

	mu       sync.Mutex
	idle     []*Process // longest idle first
	callers  []caller
	busy     int
	starting int
	failed   error // why the last start failed
	closed   bool
	told     bool // the guards were logged
	all      sync.WaitGroup
	stop     context.CancelFunc
	life     context.Context
}

// PoolOptions say what a pool keeps.
type PoolOptions struct {
	Spec Spec
	Keep int // workers to keep; one more than are busy is always kept ready
	Uses int // how often one worker serves; 0: without end
	Log  *slog.Logger
}

// NewPool makes a pool. It starts its workers when Begin is called, or the first is taken.
func NewPool(o PoolOptions) *Pool {
	p := &Pool{options: o}
	p.life, p.stop = context.WithCancel(context.Background())
	return p
}

// Begin starts the workers that are to be kept.
func (p *Pool) Begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fill()
}

// taken is what a caller of Take gets.
type taken struct {
	worker *Process
	err    error
}

// caller is who waits for a worker.
type caller struct {
	For
	got chan taken
}

// For says whom a worker is for.
type For struct {
	Whose string // empty: nobody in particular
	Again bool   // it should be the one that they had last
}

// Take hands out a worker that nobody else has until it is given back: the one that has been
// idle for longest, unless another is wanted and idle.
func (p *Pool) Take(ctx context.Context, whom For) (*Process, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, errClosed
	}
	c := caller{whom, make(chan taken, 1)}
	p.callers = append(p.callers, c)
	p.serve()
	p.fill()
	p.mu.Unlock()
	select {
	case t := <-c.got:
		return t.worker, t.err
	case <-ctx.Done():
	}
	p.mu.Lock()
	p.callers = slices.DeleteFunc(p.callers, func(other caller) bool { return other == c })
	p.mu.Unlock()
	select {
	case t := <-c.got:
		return t.worker, t.err
	default:
		return nil, ctx.Err()
	}
}

// serve hands idle workers to callers that wait, first come, first served.
func (p *Pool) serve() {
	for len(p.idle) > 0 && len(p.callers) > 0 {
		c := p.callers[0]
		at := p.choose(c.For)
		w := p.idle[at]
		w.whose = c.Whose
		p.busy++
		p.idle, p.callers = slices.Delete(p.idle, at, at+1), slices.Delete(p.callers, 0, 1)
		c.got <- taken{worker: w}
	}
}

// choose returns which of the idle workers a caller gets.
func (p *Pool) choose(whom For) int {
	for at, w := range slices.Backward(p.idle) {
		if whom.Again && w.whose == whom.Whose {
			return at
		}
	}
	return 0
}

// refuse tells all callers that wait why they get no worker.
func (p *Pool) refuse(err error) {
	for _, c := range p.callers {
		c.got <- taken{err: err}
	}
	p.callers = nil
}

// TakeFor starts a worker for one use that may read these paths.
func (p *Pool) TakeFor(ctx context.Context, paths []string) (*Process, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, errClosed
	}
	p.busy++
	p.all.Add(1)
	p.mu.Unlock()
	spec := p.options.Spec
	spec.Read = append(slices.Clone(spec.Read), paths...)
	w, err := p.start(ctx, spec)
	if err != nil {
		p.mu.Lock()
		p.busy--
		p.mu.Unlock()
		return nil, err
	}
	w.uses = p.options.Uses
	return w, nil
}

// Give takes a worker back. One that is not sound is killed.
func (p *Pool) Give(w *Process, sound bool) {
	w.uses++
	usable := p.options.Uses == 0 || w.uses < p.options.Uses
	sound = sound && usable && !w.grown() && w.hide() == nil
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy--
	if !sound || p.closed || p.surplus() {
		w.discard()
	} else {
		p.idle = append(p.idle, w)
		p.serve()
	}
	p.fill()
}

// surplus reports whether one more idle worker would be too many. The one that is ready
// beside Keep busy ones goes when nobody has any: were it not kept until then, every worker
// that comes back while all are busy would make room for one that is started anew.
func (p *Pool) surplus() bool {
	most := p.options.Keep
	if p.busy > 0 {
		most++
	}
	return p.busy+len(p.idle) >= max(most, p.busy+p.target())
}

// target is how many idle workers are wanted.
func (p *Pool) target() int { return max(p.options.Keep-p.busy, 1) + len(p.callers) }

// fill starts the workers that are missing: those that callers wait for at once, the others
// one after the other, for many at once would hold up what they are to serve.
func (p *Pool) fill() {
	for !p.closed && len(p.idle)+p.starting < p.target() && p.starting < max(1, len(p.callers)) {
		p.starting++
		p.all.Add(1)
		go p.add()
	}
}

// add starts one worker and keeps it.
func (p *Pool) add() {
	w, err := p.start(p.life, p.options.Spec)
	if err != nil && p.life.Err() == nil {
		// Whatever ended it need not end the next.
		p.all.Add(1)
		w, err = p.start(p.life, p.options.Spec)
	}
	if err != nil && p.life.Err() == nil {
		p.mu.Lock()
		p.refuse(err)
		p.mu.Unlock()
		p.options.Log.Error("a worker process could not be started", "error", err)
		select {
		case <-time.After(retryAfter):
		case <-p.life.Done():
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.starting--
	switch {
	case err != nil:
	case p.closed:
		w.discard()
	default:
		p.idle = append(p.idle, w)
		p.serve()
	}
	p.fill()
}

// start starts a worker and watches over its end. The caller has counted it in.
func (p *Pool) start(ctx context.Context, s Spec) (*Process, error) {
	w, err := Start(ctx, s)
	p.mu.Lock()
	if ctx.Err() == nil {
		p.failed = err
	}
	tell := err == nil && !p.told
	p.told = p.told || tell
	p.mu.Unlock()
	if err != nil {
		p.all.Done()
		return nil, err
	}
	if tell {
		p.tell(w.Guards())
	}
	go p.watch(w)
	return w, nil
}

func (p *Pool) tell(g Guards) {
	if missing := g.Missing(); len(missing) > 0 {
		p.options.Log.Warn("worker processes run without some of the operating system's guards", "work", p.options.Spec.Name, "missing", missing)
		return
	}
	p.options.Log.Info("worker processes are ready", "work", p.options.Spec.Name, "guards", g.String())
}

// watch takes a worker that ends out of the pool.
func (p *Pool) watch(w *Process) {
	defer p.all.Done()
	failure := w.Wait()
	p.mu.Lock()
	defer p.mu.Unlock()
	if at := slices.Index(p.idle, w); at >= 0 {
		p.idle = slices.Delete(p.idle, at, at+1)
		w.Close()
		if !p.closed {
			p.options.Log.Error("an idle worker process ended", "how", failure.Text)
		}
	}
	p.fill()
}

// PoolCounts says how a pool stands, for metrics.
type PoolCounts struct {
	Busy, Idle, Starting int // workers
	Waiting              int // callers who wait for one
	Kept                 int // workers that are kept while nobody has any
}

// Counts reports how the pool stands.
func (p *Pool) Counts() PoolCounts {
	p.mu.Lock()
	defer p.mu.Unlock()
	return PoolCounts{Busy: p.busy, Idle: len(p.idle), Starting: p.starting, Waiting: len(p.callers), Kept: p.options.Keep}
}

// Ready fails when no worker is there and the last could not be started.
func (p *Pool) Ready() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) == 0 {
		return p.failed
	}
	return nil
}

// Close kills all workers and waits until they are gone. Those that callers have
// are to be killed or given back by them.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.stop()
	p.refuse(errClosed)
	for _, w := range p.idle {
		w.discard()
	}
	p.mu.Unlock()
	p.all.Wait()
}
