package duckdb

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"time"

	"quern"
	"quern/engine"
	"quern/queue"
)

const (
	// streamsPerPlace is how many scans may be open for each piece of other
	// work: they mostly wait for whoever reads them.
	streamsPerPlace = 8
	// closePatience is how long Close waits for work that does not end. A call
	// inside the engine cannot be stopped, and must not keep a server from
	// stopping.
	closePatience = 20 * time.Second
	// maxWait is how long a caller waits for a place.
	maxWait = 15 * time.Second
)

// Engine runs queries and writes segments with DuckDB.
type Engine struct {
	options Options
	guard   *guard
	pool    *pool
	queries *queue.Queue // people's queries
	writes  *queue.Queue // writes and copies
	scans   *queue.Queue // scans, which last as long as their reader takes
	watch   *memoryWatch

	keeper     *keeper // of tables in memory
	viewKeeper *keeper

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
		queries: queue.New(queue.Options{What: "queries", Places: o.Concurrency, Waiting: o.Queue, MaxWait: maxWait}),
		writes:  ownQueue(o.Concurrency, o.Queue),
		scans:   ownQueue(streamsPerPlace*o.Concurrency, o.Queue),
		watch:   newMemoryWatch(o.MemoryLimit),

		keeper:     newKeeper(o),
		viewKeeper: newViewKeeper(o),
	}, nil
}

// Close waits for running work and frees everything. Closing twice is harmless.
func (e *Engine) Close() error {
	e.mu.Lock()
	again := e.closed
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
		return errors.New("duckdb: work was still running when the engine closed")
	}
	if !again {
		e.watch.close()
		e.keeper.close()
		e.viewKeeper.close()
		e.pool.close()
		e.guard.close()
	}
	return nil
}

// Queues reports how the queues stand, by what waits in them.
func (e *Engine) Queues() map[string]queue.Counts {
	return map[string]queue.Counts{"queries": e.queries.Counts(), "writes": e.writes.Counts(), "scans": e.scans.Counts()}
}

// Instances is how many databases lie idle for the next job, and how many may.
func (e *Engine) Instances() quern.Room { return e.pool.spares() }

// ownQueue makes the queue of statements of ours, which are of no user.
func ownQueue(places, waiting int) *queue.Queue {
	return queue.New(queue.Options{What: "readers and writers", Places: places, UserPlaces: places, Waiting: waiting, MaxWait: maxWait})
}

// enter waits for a place of the user; leave frees it.
func (e *Engine) enter(ctx context.Context, q *queue.Queue, user string) (leave func(), err error) {
	e.mu.Lock()
	if e.closed {
		e.mu.Unlock()
		return nil, quern.E(quern.Unavailable, quern.CodeUnavailable, "the server is shutting down")
	}
	e.running.Add(1)
	e.mu.Unlock()
	free, err := q.Enter(ctx, user)
	if err != nil {
		e.running.Done()
		return nil, err
	}
	return sync.OnceFunc(func() {
		free()
		e.running.Done()
	}), nil
}

// Query checks SQL and runs it in an instance of its own.
func (e *Engine) Query(ctx context.Context, q engine.Query) (engine.Rows, error) {
	leave, err := e.enter(ctx, e.queries, q.User)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeoutCause(ctx, e.options.MaxTime, errTime)
	watched, end := context.WithCancelCause(limited)
	unwatch := e.watch.enter(end)
	job := &job{engine: e, caller: ctx, ctx: watched, sql: q.SQL, finish: sync.OnceFunc(func() {
		unwatch()
		end(nil)
		cancel()
		leave()
	})}
	rows, err := job.query(q)
	if err != nil {
		err = job.explain(err)
		job.close()
		return nil, err
	}
	return rows, nil
}

// job is one piece of work: its context, its instance and what ends it.
type job struct {
	engine *Engine
	caller context.Context // the caller's, to tell who ended the work
	ctx    context.Context
	in     *instance
	kept   *keptInstance // what in is, where it has been kept
	keeper *keeper       // whose kept is
	sql    string        // the caller's, for pointing into it
	ran    string        // what is run for it
	paths  []string
	tables []string // those of paths that are segments of tables
	sparse sparseFiles
	failed bool // the instance is not to be used again
	// known is what was learned of the columns' values while they were written, nil of a
	// column of which nothing was; nil: nothing was of any.
	known  func() []*quern.ColumnStats
	finish func()
}

// fileNames returns the name by which the engine finds a file.
type fileNames func(path string) string

// open readies an instance that sees the paths and nothing else, and returns the
// names it sees them by. Where files cannot be linked, such as across file
// systems, it opens an instance for this job alone.
func (j *job) open(paths []string) (fileNames, error) {
	j.paths = append(j.paths, paths...)
	in, err := j.engine.pool.take()
	if err != nil {
		return nil, err
	}
	j.in = in
	if err := in.begin(j.ctx); err != nil {
		return nil, err
	}
	names, err := in.linkFiles(paths)
	if err == nil {
		return func(path string) string { return names[path] }, nil
	}
	if errors.Is(err, fs.ErrNotExist) && len(j.tables) > 0 {
		return nil, engine.LostSegment(err)
	}
	j.engine.pool.give(in)
	if j.in, err = openInstance(j.engine.options); err != nil {
		return nil, err
	}
	j.failed = true
	if err := j.in.lock(j.ctx, paths, nil); err != nil {
		return nil, err
	}
	return func(path string) string { return path }, j.in.begin(j.ctx)
}

// close frees everything. Closing twice is harmless.
func (j *job) close() {
	if j.in != nil {
		j.in.spoiled = j.in.spoiled || j.failed || j.ctx.Err() != nil
		if j.kept != nil {
			j.keeper.give(j.kept)
		} else {
			j.engine.pool.give(j.in)
		}
		j.in, j.kept = nil, nil
	}
	j.finish()
}

// finally adds work to what is done when the job is closed.
func (j *job) finally(work func()) {
	finish := j.finish
	j.finish = func() {
		work()
		finish()
	}
}

func (j *job) query(q engine.Query) (*rows, error) {
	checked, err := j.engine.guard.check(j.ctx, q.SQL)
	if err != nil {
		return nil, err
	}
	names := namespaceAliases(checked.mentions)
	shown, err := j.resolve(q, checked.mentions)
	if err != nil {
		return nil, err
	}
	hides := slices.ContainsFunc(shown, func(s shownTable) bool { return len(hiddenColumns(s)) > 0 })
	if hides && checked.natural >= 0 {
		return nil, refuse(checked.natural, "a natural join cannot be used beside columns such as %s; say which columns it compares with USING",
			quern.RowColumn)
	}
	if err := j.enterWorld(q, shown, names); err != nil {
		return nil, err
	}
	sql := applyAliases(q.SQL, checked.mentions, names)
	if hides {
		sql = hideFromStars(sql, checked.stars, shown)
	}
	j.ran = sql
	s, err := j.statement(sql)
	if err != nil {
		return nil, err
	}
	if err := j.begin(q, s, sql); err != nil {
		s.close()
		return nil, err
	}
	r := newRows(j, s, q.MaxRows)
	r.countable = sql
	removeAliases(r.columns, names)
	columnless := slices.ContainsFunc(shown, func(s shownTable) bool { return len(s.table.Columns) == 0 })
	if columnless && len(r.columns) == 1 && r.columns[0].Name == emptyColumn {
		r.columns = nil
	}
	return r, nil
}

// statement readies the query itself.
func (j *job) statement(sql string) (*stream, error) {
	if j.kept != nil {
		return j.kept.statement(j.ctx, sql)
	}
	return j.in.prepare(j.ctx, sql)
}

// begin starts a query that is ready, once what it reads is there.
func (j *job) begin(q engine.Query, s *stream, sql string) error {
	if !s.reads() {
		return refuse(-1, "only a single SELECT statement is allowed")
	}
	if err := j.fetch(q, sql); err != nil {
		return err
	}
	return s.start(j.ctx)
}

// shownTable is a table and the name that the query has for it.
type shownTable struct {
	ref   engine.Ref
	table engine.Table
}

// resolve finds the table of every dataset that is mentioned.
func (j *job) resolve(q engine.Query, mentions []mention) ([]shownTable, error) {
	seen := map[engine.Ref]bool{}
	var shown []shownTable
	for _, m := range mentions {
		if seen[refKey(m.ref)] {
			continue
		}
		seen[refKey(m.ref)] = true
		table, err := q.Resolve(j.ctx, m.ref)
		if quern.Is(err, quern.NotFound) {
			return nil, unknownDataset(m.at, m.ref)
		}
		if err != nil {
			return nil, &resolveError{err}
		}
		shown = append(shown, shownTable{m.ref, table})
	}
	return shown, nil
}

// makeViews makes a view of every table, under the name that the query has for it.
func (j *job) makeViews(shown []shownTable, aliases map[string]string) error {
	for _, s := range shown {
		j.tables = append(j.tables, tablePaths(s.table, 0)...)
	}
	name, err := j.open(j.tables)
	if err != nil {
		return err
	}
	j.sparse = sparseOf(shown, name)
	sql, err := viewsSQL(shown, aliases, name, false)
	if err != nil || sql == "" {
		return err
	}
	if err := j.in.exec(j.ctx, sql); err != nil {
		return fmt.Errorf("duckdb: views: %w", markOwn(err))
	}
	return nil
}

// viewsSQL writes what makes the views of tables. In memory they are of tables that are read
// from the files.
func viewsSQL(shown []shownTable, aliases map[string]string, name fileNames, inMemory bool) (string, error) {
	schemas := map[string]bool{homeSchema: true}
	var sql strings.Builder
	for i, s := range shown {
		body, err := tableSQL(s.table, 0, name)
		if err != nil {
			return "", err
		}
		if inMemory {
			table := fmt.Sprintf(`%s."~%d"`, quoteName(homeSchema), i)
			fmt.Fprintf(&sql, "CREATE TABLE %s AS %s; ", table, body)
			body = "SELECT * FROM " + table
		}
		schema, view := viewName(s.ref, aliases)
		if !schemas[quern.NameKey(schema)] {
			schemas[quern.NameKey(schema)] = true
			fmt.Fprintf(&sql, "CREATE SCHEMA %s; ", quoteName(schema))
		}
		fmt.Fprintf(&sql, "CREATE VIEW %s.%s AS %s; ", quoteName(schema), quoteName(view), body)
	}
	return sql.String(), nil
}

// resolveError passes a resolver's error through unchanged.
type resolveError struct{ error }

// ownFault is a fault of a statement of ours, which is not to be explained as one
// of the caller's.
type ownFault struct{ fault *fault }

func (f *ownFault) Error() string   { return f.fault.Error() }
func (f *ownFault) LogText() string { return f.fault.LogText() }

// markOwn marks a fault of a statement of ours.
func markOwn(err error) error {
	if f, ok := errors.AsType[*fault](err); ok && f.Type != faultInterrupt && f.Type != faultOutOfMemory {
		return &ownFault{f}
	}
	return err
}
