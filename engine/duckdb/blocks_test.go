package duckdb_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quern"
	"quern/engine"
	"quern/engine/duckdb"
)

// blockValues are values of each type as a source writes them: those that blocks take, and
// those that the engine reads by itself.
var blockValues = []struct {
	kind       quern.Type
	usual, odd []string
}{
	{quern.Integer, []string{"0", "7", "-12", "999999999999999999", "9223372036854775807", "-9223372036854775808", "null"}, nil},
	{
		quern.Double,
		[]string{"0", "0.0", "1", "-1.5", "0.1", "123456789012.345", "0.000001", "3.141592653589793", "1e300", "-2.5E-7", "5e-324", "4.35",
			"123456789012345678", "9007199254740993", "0.30000000000000004", "100000000000000.5", "1234567890123456.7", "null"},
		[]string{"-0.0", "-0"},
	},
	{quern.Boolean, []string{"true", "false", "null"}, nil},
	{quern.Date, []string{`"2024-02-29"`, `"1970-01-01"`, `"0001-01-01"`, `"9999-12-31"`, `"1900-02-28"`, `"2000-02-29"`, `"1969-12-31"`, "null"}, nil},
	{
		quern.Timestamp,
		[]string{`"2024-02-29T23:59:59Z"`, `"1969-12-31T23:59:59.999999Z"`, `"2024-01-01T00:00:00.5+02:00"`, `"2024-12-31T20:00:00-08:30"`,
			`"0001-01-01T00:00:00Z"`, `"9999-12-31T23:59:59.123456Z"`, "null"},
		[]string{`"2024-01-01T00:00:00+15:30"`},
	},
	{
		quern.Text,
		[]string{`""`, `"a"`, `"exactly twelve"`, `"a \"quoted\" \\ and \/ \b\f\n\r\t"`, `"grüße, 東京 😀"`, `"\u00e9\ud83d\ude00"`, "12", "-1.50e3", "true", "false", `"null"`, "null"},
		nil,
	},
	{quern.Decimal(20, 4), []string{"1", "-2.5", "1234567890123456.1234", "1e3", "0", "null"}, nil},
	{quern.JSON, []string{`{"a":[1,2,{"b":null}],"c":"ü \"x\""}`, "[]", `"text"`, "1.50", "true", "null"}, nil},
}

// blockSource writes rows of a column of values, in every third of which it is missing, and
// one of numbers.
func blockSource(t *testing.T, kind quern.Type, values []string) engine.Source {
	t.Helper()
	var text strings.Builder
	for i, v := range values {
		fmt.Fprintf(&text, "{\"c0\":%d,\"c1\":%s}\n", i, v)
		if i%3 == 0 {
			fmt.Fprintf(&text, "{\"c0\":%d}\n{\"c1\":%s,\"c0\":1}\n", i, v)
		}
	}
	path := filepath.Join(t.TempDir(), "rows.ndjson")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return engine.Source{Path: path, Columns: []quern.Column{{Name: "n", Type: quern.Integer}, {Name: "v", Type: kind}}}
}

func writtenRows(t *testing.T, e *duckdb.Engine, src engine.Source, path string) (rows []string) {
	t.Helper()
	table := engine.Table{Columns: src.Columns, Segments: []engine.Segment{{Path: path, Columns: src.Columns, Rows: 1 << 20}}}
	all, err := e.Scan(t.Context(), table, 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	for all.Next() {
		rows = append(rows, fmt.Sprintf("%#v", all.Row()))
	}
	if all.Err() != nil {
		t.Fatal(all.Err())
	}
	return rows
}

// TestBlocksReadWhatTheEngineReads writes sources both ways and compares every value and all
// that is known of them.
func TestBlocksReadWhatTheEngineReads(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{Threads: 2})
	for _, test := range blockValues {
		wantAlike(t, e, test.kind, blockSource(t, test.kind, test.usual), e.WriteRewritten)
	}
}

// wantAlike writes a source as blocks and as the engine reads it, and compares every value and
// all that is known of them.
func wantAlike(
	t *testing.T, e *duckdb.Engine, kind quern.Type, src engine.Source, write func(context.Context, engine.Source, string) (engine.Written, error),
) {
	t.Helper()
	dir := t.TempDir()
	one, other := filepath.Join(dir, "one.parquet"), filepath.Join(dir, "other.parquet")
	got, usual, err := e.WriteBlocks(t.Context(), src, one)
	if err != nil || !usual {
		t.Errorf("%s: WriteBlocks = %v, want values", kind, err)
		return
	}
	want, err := write(t.Context(), src, other)
	if err != nil {
		t.Fatalf("%s: written as the engine reads it = %v, want values", kind, err)
	}
	if got.Rows != want.Rows || !reflect.DeepEqual(got.Columns, want.Columns) {
		t.Errorf("%s: WriteBlocks = %d rows, %+v\nwant %d, %+v", kind, got.Rows, got.Columns, want.Rows, want.Columns)
	}
	if got, want := writtenRows(t, e, src, one), writtenRows(t, e, src, other); !reflect.DeepEqual(got, want) {
		t.Errorf("%s: WriteBlocks wrote\n%s\nwant\n%s", kind, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestBlocksLeaveTheUnusualToTheEngine holds that what is not surely read alike is not read
// as blocks.
func TestBlocksLeaveTheUnusualToTheEngine(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{Threads: 2})
	odd := map[quern.Type][]string{
		quern.Integer: {"1.5", "1e3", `"1"`, "9223372036854775808", "true", "-", "+1"},
		quern.Double:  {`"1"`, "1e999", "0x10", "1_000", "Infinity", "NaN", "true"},
		quern.Boolean: {"1", `"true"`, "truth"},
		quern.Date: {`"2024-02-30"`, `"2023-02-29"`, `"1900-02-29"`, `"2024-13-01"`, `"2024-00-10"`, `"2024-01-00"`, `"0000-01-01"`, `"2024-1-01"`,
			`"2024-01-01T00:00:00Z"`, `"infinity"`, "1"},
		quern.Timestamp: {`"2024-01-01"`, `"2024-01-01 00:00:00Z"`, `"2024-01-01T00:00:00"`, `"2024-01-01T24:00:00Z"`, `"2024-01-01T00:00:60Z"`,
			`"2024-01-01T00:00:00.1234567Z"`, `"2024-01-01T00:00:00+02"`, `"2024-01-01T00:00:00Zx"`, `"2024-02-30T00:00:00Z"`},
		quern.Text:          {`"\u0000"`, `"\ud83d"`, `"\ud83dx"`, `"\x"`, "{}", "[1]", "\"\xff\"", "nul"},
		quern.Decimal(5, 2): {"1000", "0.001", `"1"`, "true"},
		quern.JSON:          {"{]", "nul"},
	}
	for _, test := range blockValues {
		odd[test.kind] = append(odd[test.kind], test.odd...)
	}
	for kind, values := range odd {
		for _, v := range values {
			src := blockSource(t, kind, []string{v})
			if _, usual, err := e.WriteBlocks(t.Context(), src, filepath.Join(t.TempDir(), "t.parquet")); usual {
				t.Errorf("WriteBlocks(%s as %s) = %v, want it left to the engine", v, kind, err)
			}
		}
	}
	for _, line := range []string{"", " {}", "{} ", `{"c0":1,}`, `{"c0":1,"c0":2}`, `{"c2":1}`, `{"c0" :1}`, `{"x":1}`, `{"c0":}`, `[]`, `{"c0":1`, `{"c0":1 }`} {
		path := filepath.Join(t.TempDir(), "rows.ndjson")
		if err := os.WriteFile(path, []byte("{\"c0\":1}\n"+line+"\n{\"c0\":1}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		src := engine.Source{Path: path, Columns: []quern.Column{{Name: "n", Type: quern.Integer}, {Name: "v", Type: quern.Text}}}
		if _, usual, err := e.WriteBlocks(t.Context(), src, filepath.Join(t.TempDir(), "t.parquet")); usual {
			t.Errorf("WriteBlocks(%q) = %v, want it left to the engine", line, err)
		}
	}
}
