package worker

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"time"

	"quern"
	"quern/engine"
	"quern/queue"
	"quern/sandbox"
)

const (
	// maxUses is how many queries one worker serves.
	maxUses = 4096
	// maxTries is how many workers a query is given to that end for no fault of its own.
	maxTries = 4
	// recovery is how long a query waits after the machine's memory ran out, before it is
	// tried again; twice as long with each try.
	recovery = 200 * time.Millisecond
	// maxWait is how long a query waits for a place.
	maxWait = 15 * time.Second
	// memoryAllowance is what a worker may take beyond the limit of a query: what
	// the engine does not count, and what the allocator holds back.
	memoryAllowance = 256 << 20
	// closePatience is how long Close waits for rows that somebody still reads.
	closePatience = 5 * time.Second
	// grace is how long a worker has to end a query that is not wanted any more
	// before it is killed.
	grace = 250 * time.Millisecond
)

// Options say how queries are run.
type Options struct {
	Local engine.Engine // runs everything but queries, and is closed with this one
	Work  string        // the name by which the program knows what Serve made
	Dir   string        // where workers have their folders
	Read  []string      // files of the system that the engine of a worker reads
	Limits
	Concurrency int // how many queries run at once
	Queue       int // how many may wait for a place
	Workers     int // how many workers are kept
	Log         *slog.Logger
}

// Engine runs queries in workers and everything else in the engine it was given.
type Engine struct {
	engine.Engine
	options Options
	pool    *sandbox.Pool
	places  *queue.Queue
	names   names
	life    context.Context //nolint:containedctx // ends the queries that outlive Close's patience
	stop    context.CancelFunc

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup
	unlinks sync.Once // tells the log that files cannot be linked
}

var _ engine.Engine = (*Engine)(nil)

// New makes an engine and begins to start its workers.
func New(o Options) (*Engine, error) {
	limits, err := json.Marshal(o.Limits)
	if err != nil {
		return nil, err
	}
	if o.Limits.Memory <= 0 || o.Limits.Time <= 0 || o.Limits.Threads <= 0 || o.Concurrency <= 0 || o.Workers <= 0 {
		return nil, errors.New("worker: a limit is not positive")
	}
	e := &Engine{Engine: o.Local, options: o}
	e.life, e.stop = context.WithCancel(context.Background())
	e.places = queue.New(queue.Options{What: "queries", Places: o.Concurrency, Waiting: o.Queue, MaxWait: maxWait})
	e.pool = sandbox.NewPool(sandbox.PoolOptions{
		Keep: o.Workers, Uses: maxUses, Log: o.Log,
		Spec: sandbox.Spec{
			Name: o.Work, Dir: o.Dir, Read: o.Read, Memory: o.Limits.Memory + memoryAllowance,
			// A worker keeps next to nothing in Go's memory: what it collects is rows that it sent.
			Env: []string{limitsVariable + "=" + string(limits), "GOMAXPROCS=2", "GOMEMLIMIT=128MiB", "GOGC=400"},
		},
	})
	e.pool.Begin()
	return e, nil
}

// Ready fails when no worker can be started.
func (e *Engine) Ready(context.Context) error { return e.pool.Ready() }

// Waiting reports how the queue of queries stands.
func (e *Engine) Waiting() queue.Counts { return e.places.Counts() }

// Workers reports how the workers stand.
func (e *Engine) Workers() sandbox.PoolCounts { return e.pool.Counts() }

// Close waits for running work, ends what takes too long, and frees everything.
// Closing twice is harmless.
func (e *Engine) Close() error {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	idle := make(chan struct{})
	go func() {
		e.running.Wait()
		close(idle)
	}()
	select {
	case <-idle:
	case <-time.After(closePatience):
	}
	e.stop()
	<-idle
	e.pool.Close()
	return e.Engine.Close()
}

// enter waits for a place of the user; leave frees it.
func (e *Engine) enter(ctx context.Context, user string) (leave func(), err error) {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil, quern.E(quern.Unavailable, quern.CodeUnavailable, "the server is shutting down")
	}
	e.running.Add(1)
	e.mu.Unlock()
	free, err := e.places.Enter(ctx, user)
	if err != nil {
		e.running.Done()
		return nil, err
	}
	return sync.OnceFunc(func() {
		free()
		e.running.Done()
	}), nil
}

// Query runs SQL in a worker of its own.
func (e *Engine) Query(ctx context.Context, q engine.Query) (engine.Rows, error) {
	leave, err := e.enter(ctx, q.User)
	if err != nil {
		return nil, err
	}
	c := e.newCall(ctx, q, leave)
	columns, err := c.begin(c.take)
	for try := 1; c.blameless(err) && try < maxTries; try++ {
		c.abandon()
		if taken(err) {
			rest(ctx, recovery<<(try-1))
		}
		c = e.newCall(ctx, q, leave)
		columns, err = c.begin(c.take)
	}
	if c.unlinked {
		c.abandon()
		e.unlinks.Do(func() {
			e.options.Log.Warn("segments cannot be linked into the folders of workers: every query starts a worker of its own",
				"folder", e.options.Dir)
		})
		c = e.newCall(ctx, q, leave).knowing(c)
		columns, err = c.begin(func() (*sandbox.Process, error) { return e.pool.TakeFor(c.ctx, c.paths) })
	}
	if err != nil {
		err = c.explain(err)
		c.end()
		return nil, err
	}
	return &rows{call: c, columns: columns, row: make([]any, len(columns)), limit: q.MaxRows}, nil
}

// errDied is a worker that ended while it had a query.
type errDied struct{ sandbox.Failure }

func (e *errDied) Error() string { return "worker: the process ended: " + e.Text }

// taken reports whether the kernel took a query's worker because the machine had no more
// memory.
func taken(err error) bool {
	died, ok := errors.AsType[*errDied](err)
	return ok && died.Taken
}

// rest waits, or for as long as the caller does.
func rest(ctx context.Context, long time.Duration) {
	select {
	case <-time.After(long):
	case <-ctx.Done():
	}
}

// startError is a worker that could not be started.
type startError struct{ error }

// explain turns whatever ended a query into the error that its caller gets.
func (c *call) explain(err error) error {
	if c.unresolved != nil {
		return c.unresolved
	}
	if ctxErr := c.caller.Err(); ctxErr != nil {
		return ctxErr
	}
	if errors.Is(context.Cause(c.ctx), errTime) {
		return engine.TimeLimit(c.engine.options.Limits.Time).Because(err)
	}
	if c.engine.life.Err() != nil {
		return quern.E(quern.Unavailable, quern.CodeUnavailable, "the server is shutting down").Because(err)
	}
	if died, ok := errors.AsType[*errDied](err); ok && died.Memory {
		return engine.MemoryLimit(c.engine.options.Limits.Memory).Because(err)
	}
	if taken(err) {
		return quern.E(quern.Unavailable, quern.CodeUnavailable, "the server had no memory left for the query; try again later").Because(err)
	}
	if _, ok := errors.AsType[*startError](err); ok {
		return quern.E(quern.Unavailable, quern.CodeUnavailable, "no process for the query can be started; try again later").Because(err)
	}
	if _, ok := errors.AsType[*quern.Error](err); ok {
		return err
	}
	return quern.E(quern.Internal, quern.CodeInternal, "the query could not be run").Because(err)
}

// faulty reports whether a worker should not be used again after a problem.
func (p *problem) faulty() bool {
	return p != nil && (p.Kind != quern.Invalid || strings.HasPrefix(p.Detail, "the query needs more memory"))
}
