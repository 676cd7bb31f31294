package duckdb_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern"
	"quern/engine"
	"quern/engine/duckdb"
)

// TestRowGroupsAreSharedByThreads writes rows whose number is told, and not, and looks at the
// row groups of the file.
func TestRowGroupsAreSharedByThreads(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{Threads: 2})
	for _, test := range []struct {
		rows, told, groups int
	}{{100_000, 0, 1}, {100_000, 100_000, 2}, {40_000, 40_000, 2}, {1000, 1000, 1}, {300_000, 300_000, 3}} {
		var lines strings.Builder
		for i := range test.rows {
			fmt.Fprintf(&lines, "{\"c0\":%d}\n", i)
		}
		dir := t.TempDir()
		src := engine.Source{Path: filepath.Join(dir, "rows.ndjson"), Columns: []quern.Column{{Name: "n", Type: quern.Integer}}, Rows: int64(test.told)}
		if err := os.WriteFile(src.Path, []byte(lines.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "t.parquet")
		if w, err := e.Write(t.Context(), src, path); err != nil || w.Rows != int64(test.rows) {
			t.Fatalf("Write(%d rows) = %+v, %v", test.rows, w, err)
		}
		got := duckdb.EngineValues(t, "SELECT row_group_num_rows FROM parquet_metadata('"+path+"')")
		if len(got) != test.groups {
			t.Errorf("Write(%d rows, told %d) made groups of %v, want %d groups", test.rows, test.told, got, test.groups)
		}
	}
}
