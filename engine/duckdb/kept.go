package duckdb

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"sync"
	"time"
)

const (
	// maxKept is how many instances are kept with their tables in memory, and maxKeptViews
	// with views of their files.
	maxKept      = 12
	maxKeptViews = 4
	// maxKeptRows, maxKeptFile and maxKeptMemory bound the tables of one: their rows, the
	// bytes of their files, and what they take in memory.
	maxKeptRows   = 20_000
	maxKeptFile   = 512 << 10
	maxKeptMemory = 8 << 20
	// maxKeptSegments and maxKeptChunks bound the files of one with views: how many there
	// are, and how many columns of row groups their footers describe, which stay in memory.
	maxKeptSegments = 256
	maxKeptChunks   = 16_384
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

// keeper keeps instances with their tables for the next query of the same user over the same
// versions of the same tables, under the same names: small tables in memory, others as views
// of their files, whose footers need not be read again. The query has been resolved anew by
// then, so whoever lost a right or a table does not come here. An instance that was kept
// never serves another user or another world: it is closed when it goes.
//
// What is seen for the first time is not kept: reading it in costs more than a query.
type keeper struct {
	options Options
	views   bool // of files; else tables are in memory

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
	files      []string  // that it sees
	since      time.Time // when it was last used
	statements map[string]*stream
	sparse     sparseFiles
	fetched    map[string]bool // queries whose parts of sparse files are there
}

// newKeeper makes the keeper of tables in memory. They need one thread, and there are many
// instances.
func newKeeper(o Options) *keeper {
	o.Threads, o.Concurrency, o.Spares, o.AtNeed = 1, maxKept, 1, false
	return &keeper{options: o}
}

// newViewKeeper makes the keeper of views.
func newViewKeeper(o Options) *keeper {
	o.Concurrency, o.Spares, o.AtNeed, o.keepFooters = maxKeptViews, 1, false, true
	return &keeper{options: o, views: true}
}

// refuses reports whether a world was too large.
func (k *keeper) refuses(w world) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Contains(k.refused, w)
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
	spilled := in.files != nil && !isEmpty(in.swap)
	if in.uses++; in.spoiled || spilled || in.uses >= maxKeptUses || k.closed {
		k.drop(in)
		return
	}
	in.since = time.Now()
	k.idle = append(k.idle, in)
	for len(k.idle) > k.options.Concurrency {
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

// load makes an instance of its own for the tables of a world. It returns nil where they
// cannot be kept: the query then reads the files.
func (k *keeper) load(ctx context.Context, w world, shown []shownTable, aliases map[string]string) *keptInstance {
	in, err := k.readIn(ctx, shown, aliases)
	if err == nil {
		in.world = w
		return in
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.refused = remember(k.refused, w)
	return nil
}

func (k *keeper) readIn(ctx context.Context, shown []shownTable, aliases map[string]string) (*keptInstance, error) {
	var paths []string
	for _, s := range shown {
		paths = append(paths, tablePaths(s.table, 0)...)
	}
	if err := k.check(shown, paths); err != nil {
		return nil, err
	}
	in, err := k.pool.take()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, loadTime)
	defer cancel()
	var sparse sparseFiles
	files, err := in.readIn(ctx, paths, func(name fileNames) (string, error) {
		sparse = sparseOf(shown, name)
		return viewsSQL(shown, aliases, name, !k.views)
	})
	if err == nil && !k.views {
		files, err = nil, in.letFilesGo(ctx)
	}
	if err != nil {
		in.spoiled = true
		k.pool.give(in)
		return nil, err
	}
	return &keptInstance{instance: in, files: files, statements: map[string]*stream{}, sparse: sparse, fetched: map[string]bool{}}, nil
}

// check fails when tables are too large to be kept.
func (k *keeper) check(shown []shownTable, paths []string) error {
	if !k.views {
		if isSparse(shown) {
			return errNotKept // all of them would be read
		}
		return checkSizes(paths)
	}
	chunks := int64(0)
	for _, t := range shown {
		for _, s := range t.table.Segments {
			chunks += int64(len(s.Columns)) * (s.Rows/smallGroup + 1)
		}
	}
	if len(paths) > maxKeptSegments || chunks > maxKeptChunks {
		return errNotKept
	}
	return nil
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

// readIn links files and runs what makes tables or views of them. It returns the names that
// the files have there.
func (in *instance) readIn(ctx context.Context, paths []string, write func(fileNames) (string, error)) ([]string, error) {
	names, err := in.linkFiles(paths)
	if err != nil {
		return nil, err
	}
	sql, err := write(func(path string) string { return names[path] })
	if err != nil {
		return nil, err
	}
	return slices.Collect(maps.Values(names)), in.exec(ctx, sql)
}

// letFilesGo takes away the files of tables that are in memory, and fails when those take
// more than is worth keeping.
func (in *instance) letFilesGo(ctx context.Context) error {
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

// statement prepares a query, unless it was prepared before.
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
	return s, nil
}
