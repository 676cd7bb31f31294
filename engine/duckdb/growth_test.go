package duckdb_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"quern"
	"quern/engine"
	"quern/engine/duckdb"
)

// Bounds on growth must not stand in the way of what people write.
func TestGrowthLetsUsefulQueriesPass(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{})
	items := strings.TrimSuffix(strings.Repeat("'a value', ", 1000), ", ")
	for _, sql := range []string{
		"SELECT lpad(i::TEXT, 10, '0') || '-' || lpad(i::TEXT, 10, '0') || '-' || rpad(i::TEXT, 20, ' ') || repeat('x', 5) FROM range(3) r(i)",
		"SELECT concat_ws(', ', " + strings.TrimSuffix(strings.Repeat("i, ", 100), ", ") + ") FROM range(3) r(i)",
		"SELECT " + strings.TrimSuffix(strings.Repeat("i || ' ' || ", 60), " || ") + " FROM range(3) r(i)",
		"SELECT string_agg('(' || i || ', ' || i || ', ' || i || ')', '; ' ORDER BY i) || '.' FROM range(3) r(i)",
		"SELECT a || ' ' || b || ' ' || c || ': ' || every || '.' FROM (SELECT i % 2 a, i % 2 b, i % 2 c, string_agg(i::TEXT, ', ') every FROM range(9) r(i) GROUP BY ALL)",
		"WITH g AS (SELECT i % 3 k, list(i) l FROM range(9) r(i) GROUP BY 1) SELECT k, list_transform(list_sort(l), x -> x + k), len(l), list_sum(l) FROM g",
		"WITH RECURSIVE r AS (SELECT 1 id, 'root' path UNION ALL SELECT id + 1, path || '/' || (id + 1) || '/' FROM r WHERE id < 5) SELECT * FROM r",
		"SELECT " + strings.Repeat("replace(", 12) + "'text'" + strings.Repeat(", 'a', 'b')", 12),
		"SELECT regexp_replace(trim(upper(replace(i::TEXT, ' ', ''))), '[^0-9]', '', 'g') FROM range(3) r(i)",
		"SELECT count(*) FROM range(3) r(i) WHERE i::TEXT IN (" + items + ")",
		"SELECT len([" + items + "])",
		"SELECT json_object('a', i, 'b', [i, i, i], 'c', {'d': i})::TEXT FROM range(3) r(i)",
		"SELECT [x || '!' FOR x IN string_split('a,b,c', ',')] || ['z']",
		"SELECT list_reduce([1, 2, 3], (a, b) -> a + b), list_reduce(['a', 'b'], (a, b) -> a || ',' || b)",
		"SELECT md5(concat(i, i, i)) || hex(i) || to_base64(i::TEXT::BLOB) FROM range(3) r(i)",
		"SELECT i, (SELECT string_agg(j::TEXT, ',') FROM range(3) s(j) WHERE j < i) || ' < ' || i FROM range(3) r(i)",
		"SELECT list_transform(range(10), x -> x || ' of ' || i) FROM range(3) r(i)",
		"SELECT array_to_string(list_transform(range(5), x -> 'item ' || x), ', ')",
		"FROM (PIVOT (SELECT i, i % 3 k FROM range(9) r(i)) ON k IN (0, 1, 2) USING sum(i))",
	} {
		if err := drain(e.Query(t.Context(), engine.Query{SQL: sql, Resolve: nothing})); err != nil {
			t.Errorf("Query(%.300s) = %v, want rows", sql, err)
		}
	}
}

func TestGrowthRefuses(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{MemoryLimit: 128 << 20})
	const deep = "s || s || s || s || s || s || s || s || s || s || s || s || s || s || s || s || s"
	for _, sql := range []string{
		"SELECT length(q) FROM (SELECT " + deep + " q FROM (SELECT " + deep + " s FROM (SELECT 'x' s)))",
		"SELECT length(\"" + "Q\") FROM (SELECT " + strings.ReplaceAll(deep, "s", "t.a") + " q FROM (SELECT " + deep + " FROM (SELECT 'x' s)) t(a))",
		"WITH a AS (SELECT " + deep + " s FROM (SELECT 'x' s)), b AS (FROM a) SELECT " + deep + " FROM b",
		"WITH a(s) AS (SELECT " + deep + " FROM (SELECT 'x' s)) SELECT " + deep + " FROM a",
		"SELECT (SELECT " + strings.ReplaceAll(deep, "s", "a") + ") FROM (SELECT " + deep + " a FROM (SELECT 'x' s))",
		"SELECT 1 FROM (SELECT " + deep + " s FROM (SELECT 'x' s)) WHERE length(" + deep + ") > 0",
		"SELECT 1 FROM (SELECT " + deep + " s FROM (SELECT 'x' s)) ORDER BY " + deep,
		"SELECT " + deep + " FROM (SELECT " + deep + " s FROM (SELECT 'x' s) UNION ALL SELECT 'y')",
		"SELECT " + deep + " FROM (SELECT unnest([" + deep + "]) s FROM (SELECT 'x' s))",
		"SELECT list_transform([1], x -> list_transform([1], y -> y || s || s)) FROM (SELECT 'x' s)",
		"SELECT list_reduce(['a'], (a, b) -> concat(a, a))",
		"SELECT list_resize([], 5, repeat('x', 60000))",
	} {
		err := drain(e.Query(t.Context(), engine.Query{SQL: sql, Resolve: nothing}))
		if !quern.Is(err, quern.Invalid) || !strings.Contains(err.Error(), "times as large as the data") {
			t.Errorf("Query(%.300s) = %v, want it refused for its growth", sql, err)
		}
	}
}

func TestWatchEndsTheYoungestQueryFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var memory atomic.Int64
		memory.Store(1 << 30)
		w := duckdb.NewWatch(100<<20, memory.Load)
		var mu sync.Mutex
		var names []string
		end := func(name string) func() {
			return func() {
				mu.Lock()
				defer mu.Unlock()
				names = append(names, name)
			}
		}
		ended := func() string {
			mu.Lock()
			defer mu.Unlock()
			return strings.Join(names, " ")
		}
		chore := w.Enter(nil)
		old, young := w.Enter(end("old")), w.Enter(end("young"))
		// Three jobs of 100 MiB and the slack are allowed over what was there.
		memory.Add(500 << 20)
		time.Sleep(time.Second)
		synctest.Wait()
		if got := ended(); got != "" {
			t.Errorf("within the limits, ended = %q, want none", got)
		}
		memory.Add(100 << 20)
		time.Sleep(30 * time.Millisecond)
		synctest.Wait()
		if got := ended(); got != "young" {
			t.Errorf("beyond the limits, ended = %q, want the youngest alone", got)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if got := ended(); got != "young old" {
			t.Errorf("still beyond the limits, ended = %q, want both in turn", got)
		}
		young()
		old()
		chore()
		w.Close()
	})
}
