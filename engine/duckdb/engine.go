package duckdb

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"quern"
	"quern/engine"
)

// Engine runs queries and writes segments with DuckDB.
type Engine struct {
	options Options
	guard   *guard
	pool    *pool
	queries *gate // people's queries
	chores  *gate // scans, writes and copies

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup
}

var _ engine.Engine = (*Engine)(nil)

// New opens an engine.
func New(o Options) (*Engine, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	g, err := newGuard(o)
	if err != nil {
		return nil, err
	}
	return &Engine{
		options: o,
		guard:   g,
		pool:    newPool(o),
		queries: newGate(o.Concurrency, o.Queue),
		chores:  newGate(o.Concurrency, o.Queue),
	}, nil
}

// Close waits for running work and frees everything. Closing twice is harmless.
func (e *Engine) Close() error {
	e.mu.Lock()
	again := e.closed
	e.closed = true
	e.mu.Unlock()
	e.running.Wait()
	if !again {
		e.pool.close()
		e.guard.close()
	}
	return nil
}

// enter takes a place at the gate; leave gives it back.
func (e *Engine) enter(ctx context.Context, g *gate) (leave func(), err error) {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil, quern.E(quern.Unavailable, quern.CodeUnavailable, "the server is shutting down")
	}
	e.running.Add(1)
	e.mu.Unlock()
	if err := g.enter(ctx); err != nil {
		e.running.Done()
		return nil, err
	}
	return sync.OnceFunc(func() {
		g.leave()
		e.running.Done()
	}), nil
}

// Query checks SQL and runs it in an instance of its own.
func (e *Engine) Query(ctx context.Context, q engine.Query) (engine.Rows, error) {
	leave, err := e.enter(ctx, e.queries)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeoutCause(ctx, e.options.MaxTime, errTime)
	job := &job{engine: e, caller: ctx, ctx: limited, sql: q.SQL, finish: func() { cancel(); leave() }}
	rows, err := job.query(q)
	if err != nil {
		job.close()
		return nil, job.explain(err)
	}
	return rows, nil
}

// job is one piece of work: its context, its instance and what ends it.
type job struct {
	engine *Engine
	caller context.Context // the caller's, to tell who ended the work
	ctx    context.Context
	in     *instance
	sql    string // the caller's, for pointing into it
	paths  []string
	finish func()
}

func (j *job) open() (err error) {
	j.in, err = j.engine.pool.take()
	return err
}

// close gives everything back. Closing twice is harmless.
func (j *job) close() {
	if j.in != nil {
		j.engine.pool.retire(j.in)
		j.in = nil
	}
	j.finish()
}

func (j *job) query(q engine.Query) (*rows, error) {
	mentions, err := j.engine.guard.check(j.ctx, q.SQL)
	if err != nil {
		return nil, err
	}
	names := aliases(mentions)
	setup, columnless, err := j.views(q, mentions, names)
	if err != nil {
		return nil, err
	}
	if err := j.open(); err != nil {
		return nil, err
	}
	if err := j.in.lock(j.ctx, j.paths); err != nil {
		return nil, err
	}
	if err := j.in.exec(j.ctx, setup); err != nil {
		return nil, fmt.Errorf("duckdb: views: %w", hide(err))
	}
	sql := rename(q.SQL, mentions, names)
	s, err := j.in.stream(j.ctx, sql)
	if err != nil {
		return nil, err
	}
	r := newRows(j, s, q.MaxRows)
	r.countable = sql
	restore(r.columns, names)
	if columnless && len(r.columns) == 1 && r.columns[0].Name == emptyColumn {
		r.columns = nil
	}
	return r, nil
}

// views writes the statements that show every mentioned dataset under the name
// it was mentioned by.
func (j *job) views(q engine.Query, mentions []mention, names map[string]string) (setup string, columnless bool, err error) {
	seen, schemas := map[engine.Ref]bool{}, map[string]bool{homeSchema: true}
	var sql strings.Builder
	for _, m := range mentions {
		if seen[refKey(m.ref)] {
			continue
		}
		seen[refKey(m.ref)] = true
		table, err := q.Resolve(j.ctx, m.ref)
		if quern.KindOf(err) == quern.NotFound {
			return "", false, unknownDataset(m.at, m.ref)
		}
		if err != nil {
			return "", false, &resolveError{err}
		}
		body, err := tableSQL(table, 0, &j.paths)
		if err != nil {
			return "", false, err
		}
		schema, name := viewName(m.ref, names)
		if !schemas[quern.NameKey(schema)] {
			schemas[quern.NameKey(schema)] = true
			fmt.Fprintf(&sql, "CREATE SCHEMA %s; ", quoteName(schema))
		}
		fmt.Fprintf(&sql, "CREATE VIEW %s.%s AS %s; ", quoteName(schema), quoteName(name), body)
		columnless = columnless || len(table.Columns) == 0
	}
	return sql.String(), columnless, nil
}

// resolveError passes a resolver's error through unchanged.
type resolveError struct{ error }

// hide keeps a fault of our own statements from being explained as one of the
// caller's.
func hide(err error) error {
	if f, ok := errors.AsType[*fault](err); ok && f.Type != faultInterrupt && f.Type != faultOutOfMemory {
		return errors.New(f.Error())
	}
	return err
}
