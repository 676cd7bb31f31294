package enginetest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"quern"
	"quern/engine"
)

// testLostSegment reads tables whose files are not what was written: an error of
// its own, never one that says that the dataset or the query is wrong.
func testLostSegment(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{})
	for name, harm := range map[string]func(path string) error{
		"missing": os.Remove,
		"empty":   func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"other":   func(path string) error { return os.WriteFile(path, []byte("id,name\n1,a\n2,b\n"), 0o600) },
		"cut":     func(path string) error { return os.Truncate(path, 100) },
		"altered": alter,
	} {
		table := numbers(t, e, 50_000)
		if err := harm(table.Segments[0].Path); err != nil {
			t.Fatal(err)
		}
		_, queried := query(t, e, engine.Query{SQL: "SELECT sum(n), count(*) FROM t WHERE n % 7 = 3", Resolve: only("t", table)})
		_, scanned := scan(t, e, table, 0, -1)
		_, copied := e.Copy(t.Context(), table, filepath.Join(t.TempDir(), "copy.parquet"))
		for what, err := range map[string]error{"Query": queried, "Scan": scanned, "Copy": copied} {
			if lost, ok := errors.AsType[*quern.Error](err); !ok || lost.Code != quern.CodeDataLost {
				t.Errorf("%s(a table whose segment is %s) = %v, want %s", what, name, err, quern.CodeDataLost)
			}
		}
	}
}

// alter overwrites the middle of a file.
func alter(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for i := 4; i < len(text)*9/10; i++ {
		text[i] ^= 0x5a
	}
	return os.WriteFile(path, text, 0o600)
}
