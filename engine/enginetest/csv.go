package enginetest

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quern"
	"quern/engine"
)

// csvCell writes a JSON value as a cell.
func csvCell(t *testing.T, value string, wrapped *bool) string {
	t.Helper()
	if value == "" || value[0] != '"' {
		return value
	}
	var text string
	if err := json.Unmarshal([]byte(value), &text); err != nil {
		t.Fatal(err)
	}
	*wrapped = *wrapped || strings.ContainsAny(text, "\r\n")
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}

// testWriteCSV writes what must come back as it went in as delimited text, in
// every dialect that a source may have.
func testWriteCSV(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{})
	dialects := []engine.CSV{{Delimiter: ','}, {Delimiter: '\t', Header: true}, {Delimiter: ';', Returns: true},
		{Delimiter: '|', Header: true, Returns: true}}
	for n, test := range exact {
		_, _, decimal := test.typ.DecimalSize()
		exponent := decimal && strings.Contains(test.in, "e")
		if test.typ == quern.JSON || strings.Contains(test.in, `\u0000`) || exponent {
			continue // what delimited text does not hold
		}
		for _, csv := range []engine.CSV{dialects[n%4], dialects[(n+1)%4]} {
			cell := csvCell(t, test.in, &csv.Wrapped)
			end, mark := "\n", string(csv.Delimiter)
			if csv.Returns {
				end = "\r\n"
			}
			text := "x" + mark + cell + mark + "1" + end + mark + mark + end + "y" + mark + cell + mark + "2" + end
			if csv.Header {
				text = "some" + mark + "7" + mark + "names" + end + text
			}
			source, path := filepath.Join(t.TempDir(), "rows"), filepath.Join(t.TempDir(), "segment.parquet")
			writeFile(t, source, text)
			columns := []quern.Column{{Name: "n", Type: quern.Integer}, {Name: "v", Type: test.typ}}
			csv.Cells, csv.At = 3, []int{2, 1}
			written, err := e.Write(t.Context(), engine.Source{Path: source, Columns: columns, CSV: &csv}, path)
			if err != nil || written.Rows != 3 {
				t.Errorf("Write(%q, %+v) = %d rows, %v, want 3", text, csv, written.Rows, err)
				continue
			}
			table := engine.Table{Columns: columns, Segments: []engine.Segment{{Path: path, Columns: columns, Rows: 3}}}
			got, err := scan(t, e, table, 0, -1)
			if want := []string{"[1," + test.want + "]", "[null,null]", "[2," + test.want + "]"}; err != nil || !slices.Equal(got, want) {
				t.Errorf("Write(%q, %+v) reads back as %v, %v, want %v", text, csv, got, err, want)
			}
		}
	}
}

// testWriteLongCSV writes enough lines that they are read side by side, and keeps
// their order.
func testWriteLongCSV(t *testing.T, _ string, maker Maker) {
	e := maker(t, Limits{})
	for _, wrapped := range []bool{false, true} {
		var text strings.Builder
		const rows = 200_000
		for i := range rows {
			if wrapped && i%1000 == 0 {
				fmt.Fprintf(&text, "%d,\"a line\n%d,\"\"and\"\" more of it, in row %d\"\n", i, i, i)
				continue
			}
			fmt.Fprintf(&text, "%d,\"a text of some length, with a comma in it, in row %d\"\n", i, i)
		}
		source, path := filepath.Join(t.TempDir(), "rows.csv"), filepath.Join(t.TempDir(), "segment.parquet")
		writeFile(t, source, text.String())
		columns := []quern.Column{{Name: "n", Type: quern.Integer}, {Name: "v", Type: quern.Text}}
		written, err := e.Write(t.Context(), engine.Source{Path: source, Columns: columns,
			CSV: &engine.CSV{Delimiter: ',', Wrapped: wrapped, Cells: 2, At: []int{0, 1}}}, path)
		if err != nil || written.Rows != rows {
			t.Fatalf("Write(wrapped: %t) = %d rows, %v, want %d", wrapped, written.Rows, err, rows)
		}
		table := engine.Table{Columns: columns, Segments: []engine.Segment{{Path: path, Columns: columns, Rows: rows}}}
		got, err := scan(t, e, table, 0, -1)
		if err != nil || len(got) != rows {
			t.Fatalf("Scan() = %d rows, %v", len(got), err)
		}
		for i, row := range got {
			if !strings.HasPrefix(row, fmt.Sprintf("[%d,", i)) || !strings.HasSuffix(row, fmt.Sprintf(" row %d\"]", i)) {
				t.Fatalf("row %d of Write(wrapped: %t) = %s", i, wrapped, row)
			}
		}
	}
}
