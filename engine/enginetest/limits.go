package enginetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/engine"
)

// endless never ends by itself, and is allowed.
const endless = "SELECT count(*) FROM range(1000000000) a(i), range(1000000000) b(j) WHERE i * j = -1"

// patience is how long a test waits for something that should come soon.
const patience = time.Minute

func testRowCap(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{})
	table := numbers(t, e, 5000)
	tests := []struct {
		sql     string
		max     int
		yielded int
		total   int64
	}{
		{"SELECT n FROM t", 0, 5000, 5000},
		{"SELECT n FROM t", 10, 10, 5000},
		{"SELECT n FROM t", 5000, 5000, 5000},
		{"SELECT n FROM t", 6000, 5000, 5000},
		{"SELECT n FROM t WHERE n < 0", 10, 0, 0},
		{"SELECT a.n FROM t a, t b ORDER BY a.n; -- twenty-five million", 3, 3, 25_000_000},
		{"SELECT a.n FROM t a, t b;", 3, 3, 25_000_000},
		{"WITH a AS (SELECT * FROM t) SELECT 1 FROM a, t LIMIT 200000 -- end", 1, 1, 200_000},
	}
	for _, test := range tests {
		rows, err := e.Query(t.Context(), engine.Query{SQL: test.sql, MaxRows: test.max, Resolve: only("t", table)})
		if err != nil {
			t.Errorf("Query(%q) = %v, want rows", test.sql, err)
			continue
		}
		got, err := collect(rows)
		if err != nil || len(got) != test.yielded || rows.Total() != test.total {
			t.Errorf("Query(%q, max %d) = %d rows of %d, %v, want %d of %d", test.sql, test.max, len(got), rows.Total(), err, test.yielded,
				test.total)
		}
	}
}

func testCancel(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{Time: time.Hour})
	ctx, cancel := context.WithCancel(t.Context())
	// Rows that have come show that the query runs.
	rows, err := e.Query(ctx, engine.Query{SQL: "SELECT i FROM range(1000000000000) r(i)"})
	if err != nil || !rows.Next() {
		t.Fatalf("Query(endless rows) = %v, want a row", err)
	}
	cancel()
	ended := start(func() error { return drain(rows, nil) })
	if err := within(t, ended); !errors.Is(err, context.Canceled) {
		t.Errorf("Query(endless rows), cancelled = %v, want context.Canceled", err)
	}
	testCancelBeforeRows(t, e)
	if got, err := query(t, e, engine.Query{SQL: "SELECT 1"}); err != nil || len(got) != 1 {
		t.Errorf("Query after a cancelled one = %v, %v, want a row", got, err)
	}
	over, stop := context.WithCancel(t.Context())
	stop()
	if _, err := e.Query(over, engine.Query{SQL: "SELECT 1"}); !errors.Is(err, context.Canceled) {
		t.Errorf("Query(ended context) = %v, want context.Canceled", err)
	}
}

// testCancelBeforeRows cancels a query that has not given a row: its table has
// been asked for, and another query that came later is done.
func testCancelBeforeRows(t *testing.T, e engine.Engine) {
	t.Helper()
	table := numbers(t, e, 10)
	ctx, cancel := context.WithCancel(t.Context())
	resolved := make(chan struct{})
	done := start(func() error {
		return drain(e.Query(ctx, engine.Query{SQL: endless + " AND i < (SELECT count(*) FROM t)",
			Resolve: func(context.Context, engine.Ref) (engine.Table, error) {
				close(resolved)
				return table, nil
			}}))
	})
	select {
	case <-resolved:
	case err := <-done:
		t.Fatalf("Query(endless) = %v before it was cancelled", err)
	}
	if _, err := query(t, e, engine.Query{SQL: "SELECT 1"}); err != nil {
		t.Errorf("Query beside an endless one = %v, want a row", err)
	}
	cancel()
	if err := within(t, done); !errors.Is(err, context.Canceled) {
		t.Errorf("Query(endless), cancelled = %v, want context.Canceled", err)
	}
}

func start(work func() error) <-chan error {
	done := make(chan error, 1)
	go func() { done <- work() }()
	return done
}

func within(t *testing.T, done <-chan error) error {
	t.Helper()
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		t.Fatalf("nothing within %v", patience)
		return nil
	}
}

func drain(rows engine.Rows, err error) error {
	if err != nil {
		return err
	}
	_, err = collect(rows)
	return err
}

func testTimeLimit(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{Time: 200 * time.Millisecond})
	for _, sql := range []string{
		endless,
		"WITH RECURSIVE r AS (SELECT 1 n UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r",
		"SELECT i FROM range(100000000000) r(i)",
		"SELECT sum(list_sum(range(i % 1000))) FROM range(1000000000) r(i)",
	} {
		err := within(t, start(func() error { return drain(e.Query(t.Context(), engine.Query{SQL: sql, MaxRows: 10})) }))
		if !quern.Is(err, quern.Timeout) {
			t.Errorf("Query(%q) = %v, want a timeout", sql, err)
		}
	}
}

func testMemoryLimit(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{Memory: 128 << 20})
	for _, sql := range []string{
		"SELECT length(repeat('x', 1000000000) || repeat('y', 1000000000))",
		"SELECT length(rpad('x', 2000000000, 'y'))",
		"SELECT length(lpad('x', 2000000000, 'y')) FROM range(1000000)",
		"SELECT length(replace(repeat('x', 5000), 'x', repeat('y', 5000))) FROM range(1000000)",
		"SELECT length(regexp_replace(repeat('x', 5000), 'x', repeat('y', 5000), 'g')) FROM range(1000000)",
		"SELECT length(format('{:>1000000000}', 1))",
		"SELECT length(printf('%1000000000d', 1))",
		"SELECT length(format('{:>{}}', 1, 1000000000))",
		"SELECT length(format(repeat('{}', 10), 1))",
		"SELECT string_agg(repeat('x', 60000), '') FROM range(100000)",
		"SELECT len(range(1000000000))",
		"SELECT len(generate_series(0, 1000000000))",
		"SELECT len(range(0, -1000000000, -1))",
		"SELECT list_resize([1], 1000000000)[1]",
		"SELECT array_resize([1], 1000000000, 7)[1]",
		"SELECT bitstring('1', 1000000000)::text",
	} {
		err := within(t, start(func() error { return drain(e.Query(t.Context(), engine.Query{SQL: sql})) }))
		if kind := quern.KindOf(err); kind != quern.Invalid {
			t.Errorf("Query(%q) = %v, want it refused", sql, err)
		}
	}
	_, err := query(t, e, engine.Query{SQL: "SELECT list(i) FROM range(1000000000) r(i)"})
	if refusal, ok := errors.AsType[*quern.Error](err); !ok || !strings.Contains(refusal.Detail, "128 MiB") {
		t.Errorf("Query(too large) = %v, want a message that names the limit", err)
	}
	if got, err := query(t, e, engine.Query{SQL: "SELECT 1"}); err != nil || len(got) != 1 {
		t.Errorf("Query after one too large = %v, %v, want a row", got, err)
	}
}

func testManyAtOnce(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{Concurrency: 3, Queue: 100})
	table := numbers(t, e, 1000)
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() {
			sql := fmt.Sprintf("SELECT count(*), sum(n + %d) FROM t", i)
			want := fmt.Sprintf("[1000,%d]", 499500+1000*i)
			got, err := query(t, e, engine.Query{SQL: sql, Resolve: only("t", table)})
			if err != nil || len(got) != 1 || got[0] != want {
				t.Errorf("Query(%q) = %v, %v, want %s", sql, got, err, want)
			}
		})
		if i%6 == 0 {
			all.Go(func() {
				if got, err := scan(t, e, table, int64(i), 2); err != nil || len(got) != 2 {
					t.Errorf("Scan(%d, 2) = %v, %v, want two rows", i, got, err)
				}
			})
		}
	}
	all.Wait()
}

func testQueueOverflow(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{Concurrency: 1, Queue: 1, Time: time.Hour})
	table := numbers(t, e, 100_000)
	working, err := e.Query(t.Context(), engine.Query{SQL: "SELECT n FROM t", Resolve: only("t", table)})
	if err != nil {
		t.Fatalf("Query = %v, want rows", err)
	}
	defer working.Close()
	const others = 5
	results := make(chan error, others)
	for range others {
		go func() { results <- drain(e.Query(t.Context(), engine.Query{SQL: "SELECT 1"})) }()
	}
	for range others - 1 {
		if err := within(t, results); !quern.Is(err, quern.Unavailable) {
			t.Errorf("Query beyond the queue = %v, want unavailable", err)
		}
	}
	if err := working.Close(); err != nil {
		t.Errorf("Close() = %v, want no error", err)
	}
	if err := within(t, results); err != nil {
		t.Errorf("Query that waited = %v, want rows", err)
	}
}

func testClose(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{})
	table := numbers(t, e, 100_000)
	rows, err := e.Query(t.Context(), engine.Query{SQL: "SELECT n FROM t", Resolve: only("t", table)})
	if err != nil || !rows.Next() {
		t.Fatalf("Query = %v, want rows", err)
	}
	closed := start(e.Close)
	deadline := time.Now().Add(patience)
	for {
		if err := drain(e.Query(t.Context(), engine.Query{SQL: "SELECT 1"})); quern.Is(err, quern.Unavailable) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("Query after Close keeps working, want unavailable")
		}
	}
	select {
	case <-closed:
		t.Error("Close() came back while rows were open, want it to wait")
	default:
	}
	if got, err := collect(rows); err != nil || len(got) != 99_999 {
		t.Errorf("rows open during Close = %d, %v, want 99999", len(got), err)
	}
	if err := within(t, closed); err != nil {
		t.Errorf("Close() = %v, want no error", err)
	}
}
