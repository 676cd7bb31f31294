package duckdb_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"quern"
	"quern/engine"
	"quern/engine/duckdb"
)

// csvValues are cells of columns of each type: those that blocks take, and others.
var csvValues = []struct {
	kind       quern.Type
	usual, odd []string
}{
	{quern.Integer, []string{"0", "-12", "9223372036854775807", `"7"`, ""}, []string{"+1", " 1", "1.5", "null", `""`, "x"}},
	{quern.Double, []string{"0", "0.1", "-1.5", "1e300", "123456789012345678", "0.30000000000000004", ""}, []string{"-0", "null", "1;5", "NaN", "0x1"}},
	{quern.Boolean, []string{"true", "false", "True", "FALSE", ""}, []string{"1", "null", "truex", "T"}},
	{quern.Date, []string{"2024-02-29", "0001-01-01", ""}, []string{"2024-02-30", "2024-2-01", "2024-01-01 "}},
	{
		quern.Timestamp, []string{"2024-02-29 23:59:59", "2024-02-29T23:59:59.5", "1969-12-31 00:00:00.000001Z", "2024-01-01T00:00:00+02:00",
			"2024-01-01 00:00:00+02", "2024-01-01 00:00:00.25-11", ""},
		[]string{"2024-01-01", "2024-01-01 00:00:00+2", "2024-01-01 00:00:00+0200", "2024-01-01 00:00:00+15", "2024-01-01 00:00:00 02", "2024-01-01 00:00:00.", "2024-01-01 00:00:00.1234567"},
	},
	{quern.Text, []string{"a", `""`, `"a ""quoted"" text; with more"`, `"""x"""`, "grüße", " padded ", "null", "'", `\n`, "1,5", ""}, []string{`a"b`, `"a"b`, `"a`, "a\rb"}},
	{quern.Decimal(20, 4), []string{"1", "-2.5", "1234567890123456.1234", "0", ""}, []string{"12345678901234567.5", "0.00001", "x"}},
}

func csvSource(t *testing.T, kind quern.Type, cells []string, end string) engine.Source {
	t.Helper()
	text := "n;ignored;v" + end
	for i, cell := range cells {
		text += fmt.Sprintf("%d;%q;%s%s", i, "x", cell, end)
	}
	path := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return engine.Source{
		Path: path, Columns: []quern.Column{{Name: "v", Type: kind}, {Name: "n", Type: quern.Integer}},
		CSV: &engine.CSV{Delimiter: ';', Header: true, Returns: end == "\r\n", Cells: 3, At: []int{2, 0}},
	}
}

// TestBlocksReadTheCSVThatTheEngineReads writes delimited text both ways and compares every
// value and all that is known of them.
func TestBlocksReadTheCSVThatTheEngineReads(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{Threads: 2})
	for _, test := range csvValues {
		for _, end := range []string{"\n", "\r\n"} {
			wantAlike(t, e, test.kind, csvSource(t, test.kind, test.usual, end), e.WriteCSV)
		}
	}
}

// TestBlocksLeaveUnusualCSVToTheEngine holds that cells that are not surely read alike are not
// read as blocks.
func TestBlocksLeaveUnusualCSVToTheEngine(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{Threads: 2})
	refuses := func(what string, src engine.Source) {
		t.Helper()
		if _, usual, err := e.WriteBlocks(t.Context(), src, filepath.Join(t.TempDir(), "t.parquet")); usual {
			t.Errorf("WriteBlocks(%s) = %v, want it left to the engine", what, err)
		}
	}
	for _, test := range csvValues {
		for _, cell := range test.odd {
			refuses(fmt.Sprintf("%q as %s", cell, test.kind), csvSource(t, test.kind, []string{cell}, "\n"))
		}
	}
	for _, line := range []string{"", "1;2", "1;2;3;4", "1;x;2\r"} {
		src := csvSource(t, quern.Integer, nil, "\n")
		if err := os.WriteFile(src.Path, []byte("h\n1;x;1\n"+line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		refuses(line, src)
	}
	src := csvSource(t, quern.Integer, []string{"1"}, "\n")
	src.CSV.Returns = true
	refuses("lines without a return", src)
}
