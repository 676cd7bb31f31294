package duckdb

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"sync"
	"time"
)

const (
	// maxKept is how many instances are kept with their tables.
	maxKept = 12
	// maxKeptRows, maxKeptFile and maxKeptMemory bound the tables of one: their rows, the
	// bytes of their files, and what they take in memory.
	maxKeptRows   = 20_000
	maxKeptFile   = 512 << 10
	maxKeptMemory = 8 << 20
	// maxKeptUses is how many queries one serves.
	maxKeptUses = 4096
	// maxStatements is how many statements of one stay prepared.
	maxStatements = 16
	// keepFor is how long one is kept that nobody queries.
	keepFor = time.Minute
	// maxSeen is how many worlds are remembered that were queried once, or cannot be kept.
	maxSeen = 64
	// loadTime is how long reading tables into memory may take.
	loadTime = time.Second
)

// world is what one user sees in one query: the content of the tables and their names. It is
// zero where that is not to be kept.
type world [sha256.Size]byte

// keeper keeps instances with small tables in memory for the next query of the same user
// over the same versions of the same tables, under the same names. The query has been
// resolved anew by then, so whoever lost a right or a table does not come here. An instance
// that was kept never serves another user or another world: it is closed when it goes.
//
// What is seen for the first time is not kept: reading it in costs more than a query.
type keeper struct {
	options Options

	mu      sync.Mutex
	pool    *pool // of instances to keep, made when the first is near
	idle    []*keptInstance
	seen    []world // queried once, oldest first
	refused []world // too large
	timer   *time.Timer
	closed  bool
}

// keptInstance is an instance with the tables of a world.
type keptInstance struct {
	*instance
	world      world
	since      time.Time // when it was last used
	statements map[string]*stream
}

func newKeeper(o Options) *keeper {
	// Small tables need one thread, and there are many instances.
	o.Threads, o.Concurrency, o.Spares = 1, maxKept, 1
	return &keeper{options: o}
}

// worldOf names what a user sees in a query.
func worldOf(user string, shown []shownTable, aliases map[string]string) (w world) {
	if user == "" || len(shown) == 0 {
		return w
	}
	rows := int64(0)
	type view struct {
		Schema, Name string
		Table        any
	}
	views := make([]view, len(shown))
	for i, s := range shown {
		t := s.table
		t.Segments = slices.Clone(t.Segments)
		for at := range t.Segments {
			if rows += t.Segments[at].Rows; t.Segments[at].Content == "" {
				return w
			}
			t.Segments[at].Path = ""
		}
		if len(t.Columns) == 0 || len(t.Labels) > 0 || rows > maxKeptRows {
			return w
		}
		views[i].Table = t
		views[i].Schema, views[i].Name = viewName(s.ref, aliases)
	}
	text, err := json.Marshal([]any{user, views})
	if err != nil {
		return w
	}
	return sha256.Sum256(text)
}

// take returns the instance that has a world, if one is kept, and whether that world should
// be read into one.
func (k *keeper) take(w world) (in *keptInstance, load bool) {
	if w == (world{}) {
		return nil, false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if at := slices.IndexFunc(k.idle, func(in *keptInstance) bool { return in.world == w }); at >= 0 {
		in := k.idle[at]
		k.idle = slices.Delete(k.idle, at, at+1)
		return in, false
	}
	if slices.Contains(k.refused, w) || k.closed {
		return nil, false
	}
	if at := slices.Index(k.seen, w); at >= 0 {
		k.seen = slices.Delete(k.seen, at, at+1)
		return nil, true
	}
	k.seen = remember(k.seen, w)
	if k.pool == nil {
		k.pool = newPool(k.options)
	}
	return nil, false
}

// remember adds a world to a list and forgets the oldest.
func remember(list []world, w world) []world {
	if list = append(list, w); len(list) > maxSeen {
		return slices.Delete(list, 0, 1)
	}
	return list
}

// give takes an instance back for the next query of its world, or closes it.
func (k *keeper) give(in *keptInstance) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if in.uses++; in.spoiled || in.uses >= maxKeptUses || k.closed {
		k.drop(in)
		return
	}
	in.since = time.Now()
	k.idle = append(k.idle, in)
	for len(k.idle) > maxKept {
		k.drop(k.idle[0])
		k.idle = slices.Delete(k.idle, 0, 1)
	}
	if k.timer == nil {
		k.timer = time.AfterFunc(keepFor, k.sweep)
	}
}

// drop has an instance closed behind the callers' backs.
func (k *keeper) drop(in *keptInstance) {
	for _, s := range in.statements {
		s.free()
	}
	in.statements = nil
	in.spoiled = true
	k.pool.give(in.instance)
}

// sweep drops the instances that nobody has used for long.
func (k *keeper) sweep() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return
	}
	k.idle = slices.DeleteFunc(k.idle, func(in *keptInstance) bool {
		old := time.Since(in.since) >= keepFor
		if old {
			k.drop(in)
		}
		return old
	})
	k.timer = nil
	if len(k.idle) > 0 {
		k.timer = time.AfterFunc(keepFor-time.Since(k.idle[0].since), k.sweep)
	}
}

// close must come after the last give.
func (k *keeper) close() {
	k.mu.Lock()
	k.closed = true
	if k.timer != nil {
		k.timer.Stop()
	}
	for _, in := range k.idle {
		k.drop(in)
	}
	k.idle = nil
	p := k.pool
	k.mu.Unlock()
	if p != nil {
		p.close()
	}
}

// load reads the tables of a world into an instance of its own. It returns nil where they
// cannot be kept: the query then reads the files.
func (k *keeper) load(ctx context.Context, w world, shown []shownTable, aliases map[string]string) *keptInstance {
	in, err := k.readIn(ctx, shown, aliases)
	if err == nil {
		return &keptInstance{instance: in, world: w, statements: map[string]*stream{}}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.refused = remember(k.refused, w)
	return nil
}

func (k *keeper) readIn(ctx context.Context, shown []shownTable, aliases map[string]string) (*instance, error) {
	var paths []string
	for _, s := range shown {
		paths = append(paths, tablePaths(s.table, 0)...)
	}
	if err := checkSizes(paths); err != nil {
		return nil, err
	}
	in, err := k.pool.take()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, loadTime)
	defer cancel()
	if err = in.readIn(ctx, paths, shown, aliases); err != nil {
		in.spoiled = true
		k.pool.give(in)
		return nil, err
	}
	return in, nil
}

// checkSizes fails when files are too large to be kept.
func checkSizes(paths []string) error {
	size := int64(0)
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if size += info.Size(); size > maxKeptFile {
			return errNotKept
		}
	}
	return nil
}

// errNotKept is why tables are not kept.
var errNotKept = errors.New("duckdb: the tables are too large to be kept")

// readIn makes tables of the files and views of them as makeViews does, and lets the files
// go.
func (in *instance) readIn(ctx context.Context, paths []string, shown []shownTable, aliases map[string]string) error {
	names, err := in.linkFiles(paths)
	if err != nil {
		return err
	}
	sql, err := viewsSQL(shown, aliases, func(path string) string { return names[path] }, true)
	if err != nil {
		return err
	}
	if err := in.exec(ctx, sql); err != nil {
		return err
	}
	if !emptyFolder(in.window()) {
		return errors.New("duckdb: the files of kept tables are still there")
	}
	return in.fits(ctx)
}

// fits fails when the instance holds more in memory than is worth keeping.
func (in *instance) fits(ctx context.Context) error {
	s, err := in.stream(ctx, "SELECT CAST(sum(memory_usage_bytes) AS BIGINT) FROM duckdb_memory()")
	if err != nil {
		return err
	}
	defer s.close()
	if ok, err := s.next(ctx); err != nil || !ok {
		return errors.Join(err, errNotKept)
	}
	s.load()
	if bytes, _ := s.vectors[0].value(0).(int64); bytes > maxKeptMemory {
		return errNotKept
	}
	return nil
}

// statement prepares and starts a query, or starts it as it was prepared before.
func (in *keptInstance) statement(ctx context.Context, sql string) (*stream, error) {
	s := in.statements[sql]
	if s == nil {
		var err error
		if s, err = in.prepare(ctx, sql); err != nil {
			return nil, err
		}
		if len(in.statements) < maxStatements && len(sql) <= maxRemembered {
			s.kept = true
			in.statements[sql] = s
		}
	}
	if err := s.start(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}
