package duckdb_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern"
	"quern/engine"
	"quern/engine/duckdb"
)

// bigRows is enough for a source to be read in several parts.
const bigRows = 150_000

func bigSource(t *testing.T, line func(i int) string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.ndjson")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	out := bufio.NewWriter(file)
	for i := range bigRows {
		fmt.Fprintln(out, line(i))
	}
	if err := errors.Join(out.Flush(), file.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestWriteKeepsOrderAndValuesOfLargeSources(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{Threads: 3})
	pad := strings.Repeat("x", 60)
	tests := []struct {
		name string
		kind quern.Type
		line func(i int) string
		want func(i int) string
	}{
		{
			"nothing to rewrite", quern.Text,
			func(i int) string { return fmt.Sprintf(`{"c0":%d,"c1":"%s %d"}`, i, pad, i) },
			func(i int) string { return fmt.Sprintf("[%d %s %d]", i, pad, i) },
		},
		{
			"one number among texts", quern.Text,
			func(i int) string {
				if i == bigRows-2 {
					return fmt.Sprintf(`{"c1":1.50e-400,"c0":%d}`, i)
				}
				return fmt.Sprintf(`{"c0":%d,"c1":"%s\"\\"}`, i, pad)
			},
			func(i int) string {
				if i == bigRows-2 {
					return fmt.Sprintf("[%d 1.50e-400]", i)
				}
				return fmt.Sprintf(`[%d %s"\]`, i, pad)
			},
		},
		{
			"decimals", quern.Decimal(38, 4),
			func(i int) string {
				return fmt.Sprintf(`{ "c0" : %d , "c1" : 1234567890123456789012345678.%04d }`, i, i%10000) + strings.Repeat(" ", 20)
			},
			func(i int) string { return fmt.Sprintf("[%d 1234567890123456789012345678.%04d]", i, i%10000) },
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			columns := []quern.Column{{Name: "i", Type: quern.Integer}, {Name: "v", Type: test.kind}}
			path := filepath.Join(t.TempDir(), "t.parquet")
			written, err := e.Write(t.Context(), engine.Source{Path: bigSource(t, test.line), Columns: columns}, path)
			if err != nil || written.Rows != bigRows {
				t.Fatalf("Write = %d, %v, want %d rows", written.Rows, err, bigRows)
			}
			rows, err := e.Scan(t.Context(), engine.Table{Columns: columns, Segments: []engine.Segment{{Path: path, Columns: columns, Rows: bigRows}}}, 0, -1)
			if err != nil {
				t.Fatalf("Scan = %v, want rows", err)
			}
			defer rows.Close()
			for i := 0; rows.Next(); i++ {
				if got, want := fmt.Sprint(rows.Row()), test.want(i); got != want {
					t.Fatalf("row %d = %s, want %s", i, got, want)
				}
			}
			if err := rows.Err(); err != nil {
				t.Errorf("Scan = %v, want no error", err)
			}
		})
	}
}

func TestWriteNamesTheWrongRowOfLargeSources(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{Threads: 3})
	pad := strings.Repeat("x", 60)
	const wrong = bigRows - 100
	source := bigSource(t, func(i int) string {
		if i == wrong {
			return `{"c0":1.5}`
		}
		return fmt.Sprintf(`{"c0":%d,"c1":"%s"}`, i, pad)
	})
	columns := []quern.Column{{Name: "i", Type: quern.Integer}, {Name: "v", Type: quern.Text}}
	path := filepath.Join(t.TempDir(), "t.parquet")
	_, err := e.Write(t.Context(), engine.Source{Path: source, Columns: columns}, path)
	got, ok := errors.AsType[*quern.Error](err)
	if want := fmt.Sprintf("row %d:", wrong+1); !ok || got.Kind != quern.Invalid || !strings.HasPrefix(got.Detail, want) {
		t.Errorf("Write(1.5 as an integer) = %v, want Invalid with %q", err, want)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after a failed Write, Stat = %v, want no file", err)
	}
}
