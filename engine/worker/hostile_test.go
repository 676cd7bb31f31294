package worker_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/engine"
	"quern/engine/worker"
)

// patience is how long a test waits for what should come soon.
const patience = 5 * time.Minute

// textTable makes a table of one row: a text of 60 x and a pattern that a
// backtracking matcher never gets through.
func textTable(t *testing.T, e engine.Engine) func(context.Context, engine.Ref) (engine.Table, error) {
	t.Helper()
	dir := t.TempDir()
	source, path := filepath.Join(dir, "rows.ndjson"), filepath.Join(dir, "t.parquet")
	row := fmt.Sprintf(`{"c0":%q,"c1":%q}`, strings.Repeat("x", 60), pattern)
	if err := os.WriteFile(source, []byte(row+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	columns := []quern.Column{{Name: "s", Type: quern.Text}, {Name: "p", Type: quern.Text}}
	written, err := e.Write(t.Context(), engine.Source{Path: source, Columns: columns}, path)
	if err != nil {
		t.Fatal(err)
	}
	table := engine.Table{Columns: columns, Segments: []engine.Segment{{Path: path, Columns: columns, Rows: written.Rows}}}
	return func(context.Context, engine.Ref) (engine.Table, error) { return table, nil }
}

const pattern = "%x%x%x%x%x%x%x%x%x%x%x%x%x%x%y"

// beside runs other people's trivial queries while work runs, and at least one.
func beside(t *testing.T, e engine.Engine, work func()) (asked int) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	for {
		if err := drain(e.Query(t.Context(), engine.Query{SQL: "SELECT 1", User: "ada"})); err != nil {
			t.Errorf("another user's query beside a hostile one = %v, want rows", err)
		}
		asked++
		select {
		case <-done:
			return asked
		case <-t.Context().Done():
			return asked
		default:
		}
	}
}

func drain(rows engine.Rows, err error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
	}
	return rows.Err()
}

// A pattern that never ends is inside one call of the engine, which nothing can
// interrupt.
func TestPatternsThatNeverEndAreEnded(t *testing.T) {
	t.Parallel()
	e := newEngine(t, worker.Options{Limits: worker.Limits{Time: 4 * time.Second}, Concurrency: 8})
	resolve := textTable(t, e)
	attacks := []string{
		"SELECT s ILIKE '" + pattern + "' FROM t",
		"SELECT s ~~* '" + pattern + "' FROM t",
		"SELECT s LIKE '" + strings.ReplaceAll(pattern, "x", "_") + "' FROM t",
		"SELECT s LIKE p FROM t",
		"SELECT s ILIKE p FROM t",
		"SELECT like_escape(s, '" + strings.ReplaceAll(pattern, "x", "_") + "', '$') FROM t",
		"SELECT ilike_escape(s, '" + pattern + "', '$') FROM t",
		"SELECT count(*) FROM t WHERE lower(s) ILIKE '" + pattern + "'",
	}
	asked := beside(t, e, func() {
		var all sync.WaitGroup
		for _, sql := range attacks {
			all.Go(func() {
				err := within(t, func() error {
					return drain(e.Query(t.Context(), engine.Query{SQL: sql, User: "eve", Resolve: resolve}))
				})
				if !quern.Is(err, quern.Timeout) || !strings.Contains(err.Error(), "longer than 4s") {
					t.Errorf("Query(%s) = %v, want a timeout that names the limit", sql, err)
				}
			})
		}
		all.Wait()
	})
	t.Logf("%d patterns beside %d queries of another user", len(attacks), asked)
}

// Cancelling is heard as well, and so is closing the rows and the engine.
func TestCancelEndsWhatCannotBeInterrupted(t *testing.T) {
	t.Parallel()
	e := newEngine(t, worker.Options{Limits: worker.Limits{Time: time.Hour}})
	resolve := textTable(t, e)
	ctx, cancel := context.WithCancel(t.Context())
	asked := make(chan struct{})
	done := make(chan error, 1)
	go func() {
		done <- drain(e.Query(ctx, engine.Query{SQL: "SELECT s ILIKE p FROM t", Resolve: func(ctx context.Context, ref engine.Ref) (engine.Table, error) {
			defer close(asked)
			return resolve(ctx, ref)
		}}))
	}()
	<-asked
	cancel()
	if err := within(t, func() error { return <-done }); !errors.Is(err, context.Canceled) {
		t.Errorf("Query(pattern), cancelled = %v, want context.Canceled", err)
	}
	if err := within(t, e.Close); err != nil {
		t.Errorf("Close() beside a cancelled query = %v, want no error", err)
	}
}

func within(t *testing.T, work func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		t.Errorf("nothing within %v", patience)
		return nil
	}
}

// gluttons take memory that the engine does not count.
var gluttons = []string{
	"SELECT sum(len(regexp_extract_all(repeat(chr(CAST(65 + i % 26 AS INTEGER)), 65536), ''))) FROM range(4000) r(i)",
	"SELECT sum(len(string_split(repeat(chr(CAST(65 + i % 26 AS INTEGER)), 65536), ''))) FROM range(4000) r(i)",
}

func TestMemoryBeyondTheLimitEndsTheOneThatTookIt(t *testing.T) {
	t.Parallel()
	const limit, flat = 256 << 20, 1 << 30
	e := newEngine(t, worker.Options{Limits: worker.Limits{Time: patience, Memory: limit}})
	before := residentMemory(t)
	var highest int64
	asked := beside(t, e, func() {
		var all sync.WaitGroup
		for _, sql := range gluttons {
			all.Go(func() {
				start := time.Now()
				err := within(t, func() error { return drain(e.Query(t.Context(), engine.Query{SQL: sql, User: "eve"})) })
				if !quern.Is(err, quern.Invalid) || !strings.Contains(err.Error(), "256 MiB") {
					t.Errorf("Query(%s) = %v, want it refused with the limit", sql, err)
				}
				t.Logf("%v: %.60s", time.Since(start).Round(time.Millisecond), sql)
				highest = max(highest, residentMemory(t))
			})
		}
		all.Wait()
	})
	t.Logf("%d queries of another user; the server's memory went from %d to %d MiB", asked, before>>20, highest>>20)
	if highest > before+flat {
		t.Errorf("the server's memory went from %d to %d MiB, want it flat", before>>20, highest>>20)
	}
}

// What takes its time before the first row is planned is ended as well.
func TestPlansThatNeverEndAreEnded(t *testing.T) {
	t.Parallel()
	e := newEngine(t, worker.Options{Limits: worker.Limits{Time: time.Second}})
	doubled := "WITH a0 AS (SELECT i x FROM range(2048) r(i))"
	for i := range 40 {
		doubled += fmt.Sprintf(", a%d AS (SELECT x FROM a%d UNION ALL SELECT x + 1 FROM a%d)", i+1, i, i)
	}
	stars := strings.TrimSuffix(strings.Repeat("*, ", 200), ", ")
	for name, sql := range map[string]string{
		"CTEs that double": doubled + " SELECT sum(x) FROM a40",
		"a wide select":    "SELECT " + stars + " FROM (SELECT " + stars + " FROM (SELECT " + stars + " FROM range(10) r(i)))",
	} {
		start := time.Now()
		err := within(t, func() error { return drain(e.Query(t.Context(), engine.Query{SQL: sql, User: "eve", MaxRows: 10})) })
		t.Logf("%s ended after %v: %.200v", name, time.Since(start).Round(time.Millisecond), err)
		if kind := quern.KindOf(err); err == nil || kind != quern.Timeout && kind != quern.Invalid {
			t.Errorf("Query(%s) = %v, want a timeout or a refusal", name, err)
		}
	}
	if err := drain(e.Query(t.Context(), engine.Query{SQL: "SELECT 1"})); err != nil {
		t.Errorf("Query afterwards = %v, want rows", err)
	}
}

// One user's slow queries leave another's quick.
func TestSlowQueriesOfOneUserLeaveRoom(t *testing.T) {
	t.Parallel()
	e := newEngine(t, worker.Options{Limits: worker.Limits{Time: time.Hour}})
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			_ = drain(e.Query(ctx, engine.Query{SQL: "SELECT count(*) FROM range(1000000000) a(i), range(1000000000) b(j) WHERE i * j = -1", User: "eve"}))
		})
	}
	for e.Waiting().Running+e.Waiting().Waiting < 12 {
		if err := drain(e.Query(t.Context(), engine.Query{SQL: "SELECT 1", User: "ada"})); err != nil {
			t.Fatalf("another user's query = %v, want rows", err)
		}
	}
	for range 10 {
		if err := drain(e.Query(t.Context(), engine.Query{SQL: "SELECT 1", User: "ada"})); err != nil {
			t.Errorf("another user's query beside twelve slow ones = %v, want rows", err)
		}
	}
	cancel()
	all.Wait()
}

// residentMemory is what this process holds.
func residentMemory(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var size, resident int64
	if _, err := fmt.Sscan(string(text), &size, &resident); err != nil {
		t.Fatal(err)
	}
	return resident * int64(os.Getpagesize())
}
