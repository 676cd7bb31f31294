package duckdb

import "testing"

// TestUnions: a union whose parts are many rows that had to be collected first, of joins
// and of groups, is handed over whole. Streamed, the engine would stand still.
func TestUnions(t *testing.T) {
	t.Parallel()
	in := openFor(t)
	defer in.close()
	for sql, want := range map[string]int{
		"SELECT a.i FROM range(1000000) a(i), range(1000000) b(i) WHERE a.i = b.i UNION ALL SELECT a.i FROM range(1000000) a(i), range(1000000) b(i) WHERE a.i = b.i": 2_000_000,
		"SELECT i % 400000 AS g FROM range(800000) t(i) GROUP BY g\nunion  all BY NAME SELECT i % 300000 AS g FROM range(800000) t(i) GROUP BY g":                     700_000,
	} {
		if got := len(values(t, in, sql)); got != want {
			t.Errorf("%s gives %d rows, want %d", sql, got, want)
		}
	}
}
