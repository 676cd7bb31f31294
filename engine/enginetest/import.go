package enginetest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"quern"
	"quern/engine"
)

// testImport reads a Parquet file back as what it is, and refuses what is none.
func testImport(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{})
	table, want := pieces(t, e)
	path := filepath.Join(t.TempDir(), "copy.parquet")
	if _, err := e.Copy(t.Context(), table, path); err != nil {
		t.Fatal(err)
	}
	rows, err := e.Import(t.Context(), path)
	if err != nil {
		t.Fatalf("Import = %v, want rows", err)
	}
	if !slices.Equal(rows.Columns(), table.Columns) {
		t.Errorf("Import has columns %v, want %v", rows.Columns(), table.Columns)
	}
	if n, err := count(rows); n != len(want) || err != nil {
		t.Errorf("Import = %d rows, %v, want %d", n, err, len(want))
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"empty": nil, "text": []byte("a,b\n1,2\n"), "cut": whole[:len(whole)-20],
		"damaged": slices.Concat(whole[:40], make([]byte, len(whole)-80), whole[len(whole)-40:]),
	} {
		bad := filepath.Join(t.TempDir(), fmt.Sprintf("%s.parquet", name))
		if err := os.WriteFile(bad, data, 0o600); err != nil {
			t.Fatal(err)
		}
		rows, err := e.Import(t.Context(), bad)
		if err == nil {
			_, err = count(rows)
		}
		if !quern.Is(err, quern.Invalid) || err == nil {
			t.Errorf("Import(%s) = %v, want it refused", name, err)
		}
	}
}

// count reads rows to their end.
func count(rows engine.Rows) (n int, err error) {
	defer rows.Close()
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}
