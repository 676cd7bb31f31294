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

// What the Parquet writer tells must be what the file holds.
func TestWrittenStatsAreWhatTheFileHolds(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{})
	long := strings.Repeat("é", 300)
	tests := []struct {
		kind     quern.Type
		values   []string
		low, top string
	}{
		{quern.Integer, []string{"3", "-9223372036854775808", "9223372036854775807"}, "-9223372036854775808", "9223372036854775807"},
		{quern.Double, []string{"0.1", "-1e-320", "1.5e300"}, "-1e-320", "1.5e+300"},
		{quern.Double, []string{"-0.0", "0"}, "-0", "-0"},
		{quern.Boolean, []string{"true", "false"}, "false", "true"},
		{quern.Boolean, []string{"true"}, "true", "true"},
		{quern.Text, []string{`"b"`, `"a\"\\"`, `"é\u0000"`}, `a"\`, "é\x00"},
		{quern.Text, []string{`"` + long + `z"`, `"a"`}, "a", strings.Repeat("é", 255) + "…"},
		{quern.Text, []string{`""`}, "", ""},
		{quern.Date, []string{`"2024-02-29"`, `"0001-01-01"`, `"9999-12-31"`}, "0001-01-01", "9999-12-31"},
		{quern.Timestamp, []string{`"1969-12-31T23:59:59.5Z"`, `"2024-02-29T00:00:00.123456+05:30"`, `"2024-01-01T00:00:00Z"`}, "1969-12-31T23:59:59.5Z", "2024-02-28T18:30:00.123456Z"},
		{quern.Decimal(10, 2), []string{"1.5", "-2", "12345678.25"}, "-2.00", "12345678.25"},
		{quern.Decimal(18, 18), []string{"0.000000000000000001", "0.5"}, "0.000000000000000001", "0.500000000000000000"},
		{quern.Decimal(38, 3), []string{"12345678901234567890123456789012345.678", "-12345678901234567890123456789012345.678"}, "-12345678901234567890123456789012345.678", "12345678901234567890123456789012345.678"},
	}
	for _, name := range []string{"n", `we"ird.name`} {
		for _, test := range tests {
			dir := t.TempDir()
			source := filepath.Join(dir, "rows.ndjson")
			var text strings.Builder
			for _, v := range append(test.values, "null") {
				fmt.Fprintf(&text, "{\"c0\":%s}\n", v)
			}
			if err := os.WriteFile(source, []byte(text.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			columns := []quern.Column{{Name: name, Type: test.kind}}
			written, err := e.Write(t.Context(), engine.Source{Path: source, Columns: columns}, filepath.Join(dir, "t.parquet"))
			if err != nil || len(written.Columns) != 1 {
				t.Errorf("Write(%s, %v) = %v, %v, want stats", test.kind, test.values, written, err)
				continue
			}
			got := written.Columns[0]
			if want := int64(len(test.values) + 1); written.Rows != want || got.Nulls != 1 || got.Min != test.low || got.Max != test.top {
				t.Errorf("Write(%s, %v) = %d rows, %d nulls, %q to %q, want %d, 1, %q to %q",
					test.kind, test.values, written.Rows, got.Nulls, got.Min, got.Max, want, test.low, test.top)
			}
		}
	}
}
