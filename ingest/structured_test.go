package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"quern"
	"quern/ingest"
)

// startSteps queues a file whose rows go through steps, and works on it.
func (m *fileHouse) startSteps(name string, guide quern.IngestGuide, f file) quern.Ingestion {
	m.t.Helper()
	id, err := m.ingest.Start(m.t.Context(), m.ada, dataset(name), ingest.Request{Session: m.upload(f), Guide: guide})
	must(m.t, err)
	if took, err := m.ingest.WorkOnce(m.t.Context()); !took || err != nil {
		m.t.Fatalf("WorkOnce() = %v, %v, want true", took, err)
	}
	return m.ingestion(id)
}

func TestFilesGoThroughSteps(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	var log strings.Builder
	for i := range 50 {
		fmt.Fprintf(&log, "2030-01-31 12:00:%02d WARN [w-%d] disk %d is full\n", i, i%3, i)
	}
	table := quern.InferStep{Type: quern.StepTable, DeriveFrom: "text", Replace: true}
	text := "What the server said."
	guide := quern.IngestGuide{Steps: []quern.InferStep{table}, Definition: quern.InferDefinition{DataDescription: &text,
		SchemaDefinition: map[string]string{"severity": "the level", "at": "when it was said"}}}
	first := m.startSteps("log", guide, file{"server.log", []byte(log.String() + "\n-- the end --\n")})
	if first.Status != quern.IngestionCompleted || first.ProcessedRows != 51 || len(first.Report.Steps) != 1 || first.Report.Steps[0].Unread != 1 {
		t.Fatalf("ingestion = %+v, want all lines, and the last told", first)
	}
	got, _, _ := strings.Cut(m.table("log"), "\n[\"2030-01-31T12:00:01Z\"")
	if want := "at timestamp, severity text, context text, message text, text text\n[\"2030-01-31T12:00:00Z\",\"WARN\",\"w-0\",\"disk 0 is full\",null]"; got != want {
		t.Errorf("rows = %s\nwant %s", got, want)
	}
	// Who brings no definition goes by the saved one, and that is noted.
	again := m.startSteps("log", quern.IngestGuide{Steps: []quern.InferStep{table}}, file{"b.log", []byte(log.String())})
	if def := again.Options.Definition; again.Status != quern.IngestionCompleted || def == nil || def.SchemaDefinition["at"] == "" || *def.DataDescription != text {
		t.Errorf("the second ingestion = %+v, want the saved definition", again)
	}
	rows := m.Rows(m.ada, "files", `select count(*) as n, count("at") as seen from log`)
	if rows[0] != `{"n":101,"seen":100}` {
		t.Errorf("both = %s", rows[0])
	}
	sheet := m.startSteps("people", quern.IngestGuide{Steps: []quern.InferStep{
		{Type: quern.StepNormalise, Mode: "field-by-field", TargetCols: map[string]string{"email": "", "born": "day of birth"}},
		{Type: quern.StepValidate, Mode: "fields", Columns: []string{"email"}}}},
		file{"people.csv", []byte("Name,E-Mail,Birth date,Shoe size\nAda,ada@x.example,1815-12-10,38\nBob,nobody,1990-01-02,44\n")})
	if got := m.table("people"); sheet.Status != quern.IngestionCompleted ||
		got != "Name text, email text, born date, Shoe_size integer\n[\"Ada\",\"ada@x.example\",\"1815-12-10\",38]\n[\"Bob\",\"nobody\",\"1990-01-02\",44]\n" {
		t.Errorf("people = %s, %s", sheet.Message, got)
	}
	if rows := m.Rows(m.ada, "files", "select name from people where not __valid"); len(rows) != 1 || rows[0] != `{"Name":"Bob"}` {
		t.Errorf("invalid rows = %v, want Bob", rows)
	}
	nested := m.startSteps("nested", quern.IngestGuide{Steps: []quern.InferStep{{Type: quern.StepRows, DeriveFrom: "rows"}}},
		file{"n.json", []byte(`{"rows":[{"a":1,"b":{"c":[2]}},{"a":2}]}`)})
	if got := m.table("nested"); nested.Status != quern.IngestionCompleted || got != "a integer, b json\n[1,{\"c\":[2]}]\n[2,null]\n" {
		t.Errorf("nested = %s %s", nested.Message, got)
	}
}

func TestFilesWhoseStepsCannotRun(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	steps := func(s quern.InferStep) quern.IngestGuide { return quern.IngestGuide{Steps: []quern.InferStep{s}} }
	failed := m.startSteps("none", steps(quern.InferStep{Type: quern.StepTable, DeriveFrom: "body"}), file{"a.txt", []byte("just words\n")})
	if failed.Status != quern.IngestionFailed || !strings.Contains(failed.Message, "no row has a column body; there are text") {
		t.Errorf("a missing column = %s %q, want it named", failed.Status, failed.Message)
	}
	broken := m.startSteps("none", steps(quern.InferStep{Type: quern.StepRows, DeriveFrom: "rows"}), file{"a.json", []byte(`[{"rows":[]},`)})
	if broken.Status != quern.IngestionFailed || !strings.Contains(broken.Message, "a.json: the JSON is cut short") {
		t.Errorf("broken JSON = %s %q", broken.Status, broken.Message)
	}
	_, err := m.ingest.Start(t.Context(), m.ada, dataset("none"), ingest.Request{
		Session: m.upload(file{"a.txt", []byte("x\n")}), Guide: steps(quern.InferStep{Type: quern.StepTable, DeriveFrom: "text", Model: "large-9"})})
	if !quern.Is(err, quern.Invalid) {
		t.Errorf("a model that there is not = %v, want Invalid at once", err)
	}
}
