package ingest_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"quern"
	"quern/catalog"
	"quern/query"
)

// manyLines are rows of many chunks, some of which change what is known of their columns.
func manyLines() (rows []string) {
	for i := range 30_000 {
		row := fmt.Sprintf(`{"id":%d,"n":%d,"day":"2024-01-%02d","text":"some text of row %d"}`, i, i%7, i%28+1, i)
		switch {
		case i == 9_000:
			row = strings.Replace(row, `"n":`, `"n":0.5e1,"was":`, 1) // a double, and one more column
		case i == 12_345:
			row = strings.Replace(row, `"2024-01-`, `"in 2024-01-`, 1) // a text
		case i == 20_000:
			row = `{"id":20000,"text":"` + strings.Repeat("long ", 120_000) + `"}` // longer than chunks are
		case i == 25_000:
			row = `{"id":25000,"inside":{"a":1,"b":[1,2]}}`
		case i%1500 == 3:
			row = ` {"text" : "\u00e4\"x", "id" : ` + fmt.Sprint(i) + ` }`
		}
		rows = append(rows, row)
	}
	return rows
}

// text is a dataset as NDJSON.
func (m *fileHouse) text(name string) string {
	m.t.Helper()
	export, err := m.Query.Export(m.t.Context(), m.ada, dataset(name), query.NDJSON)
	must(m.t, err)
	var out bytes.Buffer
	must(m.t, export.Write(m.t.Context(), &out))
	return out.String()
}

// TestLinesAreReadAsListsAre reads the same rows as lines, by all cores, and as a list, one
// by one.
func TestLinesAreReadAsListsAre(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	rows := manyLines()
	lines := m.ingestFiles("lines", quern.IngestionOptions{}, file{"a.ndjson", []byte(strings.Join(rows, "\n\n"))})
	list := m.ingestFiles("list", quern.IngestionOptions{}, file{"a.json", []byte("[" + strings.Join(rows, ",") + "]")})
	for _, i := range []quern.Ingestion{lines, list} {
		if i.Status != quern.IngestionCompleted || i.ProcessedRows != int64(len(rows)) {
			t.Fatalf("ingest() = %s %q, %d rows, want %d", i.Status, i.Message, i.ProcessedRows, len(rows))
		}
	}
	if got, want := m.table("lines"), m.table("list"); got != want {
		t.Errorf("lines become\n%.2000s\nwant\n%.2000s", got, want)
	}
	if m.text("lines") != m.text("list") {
		t.Error("lines become other rows than the same as a list")
	}
	if got, want := fmt.Sprintf("%+v", lines.Report.Tables[0].Columns), fmt.Sprintf("%+v", list.Report.Tables[0].Columns); got != want {
		t.Errorf("lines become columns %s, want %s", got, want)
	}
}

// TestBrokenLinesAmongMany holds that what is wrong with a line is said of that line, wherever
// it is, and that the rows behind it are known by their places.
func TestBrokenLinesAmongMany(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	rows := manyLines()
	broken := []int{5, 9_001, 17_000, 29_999}
	for _, at := range broken {
		rows[at] = `{"id":`
	}
	i := m.ingestFiles("it", quern.IngestionOptions{OnError: quern.Quarantine}, file{"a.ndjson", []byte("\n" + strings.Join(rows, "\n"))})
	if i.Status != quern.IngestionCompleted || i.ProcessedRows != int64(len(rows)-len(broken)) {
		t.Fatalf("ingest() = %s %q, %d rows, want %d", i.Status, i.Message, i.ProcessedRows, len(rows)-len(broken))
	}
	rejected, err := m.ingest.Rejected(t.Context(), m.ada, i.ID, 0, 10)
	must(t, err)
	for n, at := range broken {
		if n >= len(rejected) || rejected[n].Line != int64(at+2) || rejected[n].Row != int64(at+1) {
			t.Fatalf("Rejected() = %+v, want rows %v", rejected, broken)
		}
	}
	d, err := m.Catalog.Dataset(t.Context(), m.ada, dataset("it"), catalog.Read)
	must(t, err)
	for _, place := range []struct{ row, file int64 }{{0, 1}, {4, 5}, {5, 7}, {16_997, 17_000}, {16_998, 17_002}} {
		sources, err := m.Catalog.Sources(t.Context(), m.ada, d.ID, place.row, place.row+1)
		must(t, err)
		if len(sources) == 0 || sources[0].FileRow+place.row-sources[0].FirstRow != place.file {
			t.Errorf("Sources(%d) = %+v, want row %d of the file", place.row, sources, place.file)
		}
	}
}
