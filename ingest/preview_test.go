package ingest_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"quern"
	"quern/ingest"
)

func (m *fileHouse) preview(name string, o quern.IngestionOptions, files ...file) (ingest.Preview, error) {
	m.t.Helper()
	return m.ingest.Preview(m.t.Context(), m.ada, dataset(name), ingest.Request{Session: m.upload(files...), Options: o})
}

func TestPreviewStoresNothing(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	rows := "id,when,n\n" + strings.Repeat("1,01/02/2024,5\n", 20) + "2,01/02/2024,unknown\n3,1,2,3\n"
	seen, err := m.preview("it", quern.IngestionOptions{}, file{"a.csv", []byte(rows)})
	must(t, err)
	table := seen.Tables[0]
	if !seen.Complete || !table.Header || table.Rows != 21 || table.Rejected != 1 || len(table.Faults) != 1 || len(table.Sample) != 20 || table.Dataset != "it" {
		t.Errorf("preview = %+v, want 21 rows and a fault", table)
	}
	n := table.Columns[2]
	if n.Type != quern.Text || n.Misfits == nil || n.Misfits.Type != quern.Integer || n.Misfits.Cells != 1 || n.Misfits.Examples[0].Text != "unknown" || n.Misfits.Examples[0].Row != 21 {
		t.Errorf("n = %+v %+v, want a value that is no integer", n, n.Misfits)
	}
	if first, _ := json.Marshal(table.Sample[0]); string(first) != `[1,"01/02/2024","5"]` {
		t.Errorf("the first row is %s", first)
	}
	if notes := fmt.Sprint(table.Notes); !strings.Contains(notes, "the dates of when can be read as day/month and as month/day") {
		t.Errorf("notes = %s, want the dates", notes)
	}
	if _, _, err := m.Catalog.Describe(t.Context(), m.ada, dataset("it")); !quern.Is(err, quern.NotFound) {
		t.Errorf("the dataset after a preview = %v, want NotFound", err)
	}
	want := quern.IngestionOptions{Columns: map[string]quern.ColumnOption{"when": {Type: quern.Date, DateOrder: "dmy"}, "n": {Type: quern.Integer}}}
	seen, err = m.preview("it", want, file{"a.csv", []byte(rows)})
	must(t, err)
	if c := seen.Tables[0].Columns; c[1].Type != quern.Date || c[2].Type != quern.Integer || c[2].Misfits.Cells != 1 || seen.Tables[0].Rejected != 2 {
		t.Errorf("preview with types = %+v, want them, and two rows that do not fit", seen.Tables[0])
	}
}

func TestPreviewOfEveryKind(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	m.ingestFiles("it", quern.IngestionOptions{}, file{"a.csv", []byte("id,name\n1,Ada\n")})
	parquet := m.exported("it")
	for _, f := range []file{
		{"b.json", []byte(`[{"id":"x","name":"Bo"}]`)}, {"b.ndjson", []byte("{\"id\":\"x\",\"name\":\"Bo\"}\n")},
		{"b.xlsx", sheetsFile([][]string{{"S"}, {"id", "name"}, {"x", "Bo"}})},
		{"b.zip", zipped(file{"b.csv", []byte("id,name\nx,Bo\n")})},
	} {
		seen, err := m.preview("it", quern.IngestionOptions{}, f)
		must(t, err)
		table := seen.Tables[0]
		row, _ := json.Marshal(table.Sample)
		if len(seen.Tables) != 1 || string(row) != `[["x","Bo"]]` || table.Columns[0].Type != quern.Text || table.Columns[0].Former != quern.Integer || table.Columns[0].Added {
			t.Errorf("preview(%s) = %+v %s, want text in place of integers", f.name, table, row)
		}
	}
	seen, err := m.preview("it", quern.IngestionOptions{}, file{"b.parquet", parquet})
	must(t, err)
	if row, _ := json.Marshal(seen.Tables[0].Sample); string(row) != `[[1,"Ada"]]` {
		t.Errorf("preview(Parquet) = %s", row)
	}
	if _, err := m.preview("it", quern.IngestionOptions{}, file{"b.csv", nil}); err == nil || !strings.Contains(err.Error(), "the file is empty") {
		t.Errorf("preview of nothing = %v, want it refused", err)
	}
	many := file{"m.csv", []byte("id,name\n" + strings.Repeat("1,Ada\n", 30_000))}
	if seen, err = m.preview("it", quern.IngestionOptions{}, many); err != nil || seen.Complete || seen.Tables[0].Rows != 20_000 {
		t.Errorf("preview of many rows = %+v, %v, want the first 20,000", seen.Tables, err)
	}
}

// The same file comes with a remark, or not at all.
func TestTheSameFileAgain(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	f := file{"a.csv", []byte("id\n1\n2\n")}
	first := m.ingestFiles("it", quern.IngestionOptions{SameFile: quern.RefuseSame}, f)
	second := m.ingestFiles("it", quern.IngestionOptions{SameFile: quern.RefuseSame}, f)
	if second.Status != quern.IngestionFailed || second.Files[0].SameAs != first.ID || !strings.Contains(second.Message, "the same file was ingested before") {
		t.Errorf("the same file refused = %s: %s, %+v, want it to fail", second.Status, second.Message, second.Files)
	}
	seen, err := m.preview("it", quern.IngestionOptions{}, f)
	must(t, err)
	if seen.Files[0].SameAs != first.ID {
		t.Errorf("the preview says %+v, want the same as the first", seen.Files)
	}
	third := m.ingestFiles("it", quern.IngestionOptions{}, f)
	if third.Status != quern.IngestionCompleted || third.Files[0].SameAs != first.ID || !strings.Contains(fmt.Sprint(third.Report.Tables[0].Notes), "ingested before") {
		t.Errorf("the same file stored = %s: %+v %v, want it said", third.Status, third.Files, third.Report.Tables)
	}
	m.ingestFiles("it", quern.IngestionOptions{Mode: quern.ReplaceRows, SameFile: quern.RefuseSame}, f)
	if got := m.table("it"); got != "id integer\n[1]\n[2]\n" {
		t.Errorf("after replacing, the dataset is\n%s", got)
	}
	if other := m.ingestFiles("it", quern.IngestionOptions{SameFile: quern.RefuseSame}, file{"b.csv", []byte("id\n1\n3\n")}); other.Status != quern.IngestionCompleted {
		t.Errorf("another file = %s: %s, want it stored", other.Status, other.Message)
	}
}

// Replacing lets the new file decide what the columns are.
func TestReplacing(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	m.ingestFiles("it", quern.IngestionOptions{}, file{"a.csv", []byte("id,old\nx,1\n")})
	replace := quern.IngestionOptions{Mode: quern.ReplaceRows}
	m.ingestFiles("it", replace, file{"b.csv", []byte("id,new\n1,2\n")})
	if got, want := m.table("it"), "id integer, new integer\n[1,2]\n"; got != want {
		t.Errorf("the dataset is\n%s\nwant\n%s", got, want)
	}
	if i := m.ingestFiles("it", replace, file{"c.csv", nil}); i.Status != quern.IngestionFailed {
		t.Errorf("replacing by nothing = %s, want it to fail", i.Status)
	}
	if got, want := m.table("it"), "id integer, new integer\n[1,2]\n"; got != want {
		t.Errorf("after a failure the dataset is\n%s\nwant\n%s", got, want)
	}
}
