package duckdb

import (
	"context"
	"errors"
	"testing"

	"quern"
	"quern/engine"
)

// EngineValues runs a statement outside guard and sandbox and returns its first
// column, so that tests can ask the engine about itself.
func EngineValues(t testing.TB, sql string) []any {
	t.Helper()
	in := openFor(t)
	defer in.close()
	return values(t, in, sql)
}

// Sandbox is a shared instance as a job has it, without the guard.
type Sandbox struct {
	in    *instance
	names map[string]string
}

// OpenSandbox opens an instance that lasts as long as the test.
func OpenSandbox(t testing.TB) *Sandbox {
	t.Helper()
	o, err := Options{TempDir: t.TempDir(), Threads: 1}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	in, err := openReusable(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.close)
	return &Sandbox{in: in}
}

// Begin starts a job that may read the paths.
func (s *Sandbox) Begin(t testing.TB, paths ...string) {
	t.Helper()
	var err error
	if s.names, err = s.in.linkFiles(paths); err != nil {
		t.Fatal(err)
	}
	if err := s.in.begin(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// Name is what the instance calls a file of the job.
func (s *Sandbox) Name(path string) string { return s.names[path] }

// Window is the folder of the job's files.
func (s *Sandbox) Window() string { return s.in.window() }

// Run runs a statement past the guard.
func (s *Sandbox) Run(sql string) error { return run(s.in, sql) }

// Values runs a statement past the guard and returns its first column.
func (s *Sandbox) Values(t testing.TB, sql string) []any {
	t.Helper()
	return values(t, s.in, sql)
}

// Reset reports whether the instance can serve another job.
func (s *Sandbox) Reset() bool { return s.in.reset() }

// LockedFault runs a statement in an instance of its own that was locked to
// paths, past the guard, and returns the error.
func LockedFault(t testing.TB, paths []string, sql string) error {
	t.Helper()
	in := openFor(t)
	defer in.close()
	if err := in.lock(context.Background(), paths, nil); err != nil {
		t.Fatal(err)
	}
	return run(in, sql)
}

func run(in *instance, sql string) error {
	s, err := in.stream(context.Background(), sql)
	if err != nil {
		return err
	}
	defer s.close()
	for more := true; more; {
		if more, err = s.next(context.Background()); err != nil {
			return err
		}
	}
	return nil
}

// WithoutLinks returns options as on a machine where files cannot be linked.
func (o Options) WithoutLinks() Options {
	o.link = func(string, string) error { return errors.New("no links here") }
	return o
}

// AllowedFunctions and DeniedFunctions are the lists of functions.txt.
func AllowedFunctions() (scalar, table map[string]bool) {
	return allowedFunctions.scalar, allowedFunctions.table
}

// DeniedFunctions may hold patterns that end in *.
func DeniedFunctions() []string { return allowedFunctions.denied }

func openFor(t testing.TB) *instance {
	t.Helper()
	o, err := Options{TempDir: t.TempDir(), Threads: 1}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	in, err := openInstance(o)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func values(t testing.TB, in *instance, sql string) []any {
	t.Helper()
	s, err := in.stream(context.Background(), sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	defer s.close()
	var out []any
	for {
		ok, err := s.next(context.Background())
		if err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		if !ok {
			return out
		}
		s.load()
		for row := range s.size {
			out = append(out, s.vectors[0].value(row))
		}
	}
}

// Raw is DuckDB without guard, views and sandbox, to measure against.
type Raw struct{ in *instance }

// OpenRaw opens one database that lasts as long as the test.
func OpenRaw(t testing.TB) Raw {
	t.Helper()
	o, err := Options{TempDir: t.TempDir()}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	in, err := openInstance(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.close)
	return Raw{in}
}

// Run runs a statement and reads its rows.
func (r Raw) Run(t testing.TB, sql string) { values(t, r.in, sql) }

// Watch is the watch over memory, with the memory that a test says.
type Watch struct{ w *memoryWatch }

// NewWatch makes a watch for jobs of limit bytes.
func NewWatch(limit int64, memory func() int64) Watch {
	w := newMemoryWatch(limit)
	w.resident = func() (int64, bool) { return memory(), true }
	return Watch{w}
}

// Enter counts a job in.
func (w Watch) Enter(end func()) (leave func()) {
	if end == nil {
		return w.w.enter(nil)
	}
	return w.w.enter(func(error) { end() })
}

// Close waits for the last look.
func (w Watch) Close() { w.w.close() }

// WriteRewritten is Write for sources that are not read as blocks.
func (e *Engine) WriteRewritten(ctx context.Context, src engine.Source, path string) (engine.Written, error) {
	return e.writeRewritten(ctx, src, path)
}

// WriteCSV is Write for delimited text that is not.
func (e *Engine) WriteCSV(ctx context.Context, src engine.Source, path string) (engine.Written, error) {
	return e.writeCSV(ctx, src, path)
}

// WriteBlocks is Write for sources that are; it reports whether this is one.
func (e *Engine) WriteBlocks(ctx context.Context, src engine.Source, path string) (w engine.Written, usual bool, err error) {
	w, err = e.writeBlocks(ctx, src, path)
	return w, !errors.Is(err, errOdd), err
}

// MaxKept, MaxKeptViews and MaxKeptRows bound what is kept.
const (
	MaxKept      = maxKept
	MaxKeptViews = maxKeptViews
	MaxKeptRows  = maxKeptRows
)

// Kept is how many worlds are kept in memory, and how many queries those have served.
func (e *Engine) Kept() (worlds, uses int) { return e.keeper.count() }

// KeptViews is how many worlds are kept as views, and how many queries those have served.
func (e *Engine) KeptViews() (worlds, uses int) { return e.viewKeeper.count() }

func (k *keeper) count() (worlds, uses int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, in := range k.idle {
		uses += in.uses
	}
	return len(k.idle), uses
}

// ForgetKept is the sweep after nobody has asked for long.
func (e *Engine) ForgetKept() {
	for _, k := range []*keeper{e.keeper, e.viewKeeper} {
		k.mu.Lock()
		for _, in := range k.idle {
			in.since = in.since.Add(-keepFor)
		}
		k.mu.Unlock()
		k.sweep()
	}
}

// KeepingViews returns options that keep no table in memory.
func (o Options) KeepingViews() Options {
	o.keptRows = -1
	return o
}

// KeepForTest returns the instance that keeps a table as t.
func (e *Engine) KeepForTest(t testing.TB, table engine.Table) *Sandbox {
	t.Helper()
	shown := []shownTable{{engine.Ref{Dataset: "t"}, table}}
	w := worldOf("ada", shown, nil)
	k := e.keeperOf(w)
	k.take(w)
	if _, load := k.take(w); !load {
		t.Fatal("a world that was seen is not to be loaded")
	}
	kept := k.load(context.Background(), w, shown, nil)
	if kept == nil {
		t.Fatal("a table is not kept")
	}
	t.Cleanup(func() { k.give(kept) })
	return &Sandbox{in: kept.instance}
}

// TestBlock is a block, for tests of what it takes.
type TestBlock struct{ *block }

// NewBlock makes a block of columns.
func NewBlock(columns []quern.Column) TestBlock {
	return TestBlock{newBlock(columns, newBlockReader(engine.Source{Columns: columns}))}
}

// Taken is the first value of a column.
func (b TestBlock) Taken(column int) any { return b.columns[column].value(0) }
