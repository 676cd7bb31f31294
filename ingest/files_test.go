package ingest_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/catalog"
	"quern/ingest"
	"quern/store"
	"quern/store/storetest"
)

func zipped(entries ...file) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		w, _ := z.Create(e.name)
		_, _ = w.Write(e.data)
	}
	_ = z.Close()
	return b.Bytes()
}

// exported returns a dataset as a Parquet file.
func (m *fileHouse) exported(name string) []byte {
	m.t.Helper()
	e, err := m.Query.Export(m.t.Context(), m.ada, dataset(name), "parquet")
	must(m.t, err)
	var b bytes.Buffer
	must(m.t, e.Write(m.t.Context(), &b))
	return b.Bytes()
}

func TestFilesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	m.ingestFiles("it", quern.IngestionOptions{}, file{"a.csv", []byte("id,name\n1,Ada\n")})
	parquet := m.exported("it")
	bomb := zipped(file{"zeros.csv", make([]byte, 80<<20)})
	nested := []byte("a,b\n1,2\n")
	for range 5 {
		nested = zipped(file{"inner.zip", nested})
	}
	tests := []struct {
		name string
		data []byte
		want string
		o    quern.IngestionOptions
	}{
		{"empty.csv", nil, "the file is empty", quern.IngestionOptions{}},
		{"space.csv", []byte(" \n\n"), "the file holds nothing but white space", quern.IngestionOptions{}},
		{"binary.csv", []byte("\x7fELF\x02\x01\x01\x00\x00\x00\x00id,name"), "the file is a program (ELF)", quern.IngestionOptions{}},
		{"late.csv", []byte("id,name\n" + strings.Repeat("1,a\n", 100_000) + "2,\x00\n"), "the file is binary", quern.IngestionOptions{}},
		{"cut.parquet", parquet[:len(parquet)-10], "cut short", quern.IngestionOptions{}},
		{"broken.parquet", append(append([]byte("PAR1"), make([]byte, 200)...), "PAR1"...), "the Parquet file is damaged",
			quern.IngestionOptions{}},
		{"bomb.zip", bomb, "zeros.csv: the archive unpacks to more than 64 MiB and more than 200 times its size", quern.IngestionOptions{}},
		{"nested.zip", nested, "packed into one another more than 3 deep", quern.IngestionOptions{}},
		{"none.zip", zipped(), "the archive is empty", quern.IngestionOptions{}},
		{"cut.gz", []byte(gzipped(strings.Repeat("a,b\n", 1000)))[:30], "the gzip file is damaged or cut short", quern.IngestionOptions{}},
		{"line.csv", append([]byte("a,b\n"), bytes.Repeat([]byte("x"), 100<<20)...), "line 2 is longer than 16 MiB", quern.IngestionOptions{}},
		{"long.json", append([]byte(`[{"a":"`), bytes.Repeat([]byte("x"), 40<<20)...), "a row is longer than 16 MiB", quern.IngestionOptions{}},
		{"wide.csv", []byte(strings.Repeat("a,", 20_000) + "\n1\n"), "has 20001 columns; more than 16384 cannot be read",
			quern.IngestionOptions{}},
		{"wider.csv", []byte(strings.Repeat("column,", 99_999) + "column\n" + strings.Repeat("1,", 99_999) + "1\n"),
			"has 100000 columns; more than 16384 cannot be read", quern.IngestionOptions{}},
		{"columns.csv", []byte(strings.Repeat("a,", 2_000) + "\n1\n"), "at most 1000 columns", quern.IngestionOptions{}},
		{"quote.csv", []byte("a,b\n1,2\n3,\"4\n5,6\n"), "line 3: a quote is opened here and never closed", quern.IngestionOptions{}},
		{"ragged.csv", []byte("a,b\n1,2\n3,4,5\n6,7\n8,9,10\n"), "line 3: has 3 cells where there are 2 columns (and 1 more)",
			quern.IngestionOptions{}},
		{"cut.json", []byte(`[{"a":1},{"a":`), "cut short", quern.IngestionOptions{}},
		{"scalars.json", []byte(`[1,2]`), "row 1: is not an object", quern.IngestionOptions{}},
		{"bad.ndjson", []byte("{\"a\":1}\n{\"a\":}\n"), "line 2: is not valid JSON", quern.IngestionOptions{}},
		{"page.html", []byte("<html><p>nothing</p></html>"), "the page holds no table", quern.IngestionOptions{}},
		{"old.xls", compound("Root Entry", "Book"), "the workbook is of Excel 95 or older, which is not read; save it as .xlsx",
			quern.IngestionOptions{}},
		{"old.doc", compound("Root Entry", "WordDocument"), "the old binary Word format (.doc) is not read; save it as .docx",
			quern.IngestionOptions{}},
		{"old.dat", compound("Root Entry"), "a document of an old binary kind", quern.IngestionOptions{}},
		{"wrapped.xlsx", compound("Root Entry", "EncryptedPackage"), "the document is encrypted", quern.IngestionOptions{}},
		{"locked.ods", odsFile("", file{"META-INF/manifest.xml",
			[]byte(`<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/></manifest:file-entry>`)}),
			"the document is encrypted", quern.IngestionOptions{}},
		{"broken.ods", odsFile(`<table:table table:name="A"><table:table-row><table:table-cell`), "the spreadsheet is damaged or cut short",
			quern.IngestionOptions{}},
		{"empty.ods", odsFile(`<table:table table:name="A"><table:table-row table:number-rows-repeated="1048576"><table:table-cell/></table:table-row></table:table>`), "the workbook holds no data", quern.IngestionOptions{}},
		{"bomb.ods", odsFile(`<table:table table:name="A"><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="900"><text:p>x</text:p></table:table-cell></table:table-row></table:table>`), "unpacks to more than 64 MiB and more than 200 times its size", quern.IngestionOptions{}},
		{"report.odt", zipped(file{"mimetype", []byte("application/vnd.oasis.opendocument.text")}, file{"content.xml", []byte("<a/>")}),
			"of a kind that cannot be read", quern.IngestionOptions{}},
		{"locked.xlsx", append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), wide("EncryptedPackage", false)...), "the document is encrypted",
			quern.IngestionOptions{}},
		{"cut.xlsx", workbook("<row><c><v>1</v></c></row>")[:200], "damaged or cut short", quern.IngestionOptions{}},
		{"broken.xlsx", workbook("<row><c><v>1</row>"), "damaged or cut short", quern.IngestionOptions{}},
		{"broken.pdf", []byte("%PDF-1.4\nnothing"), "the PDF file is damaged", quern.IngestionOptions{}},
		{"table.csv", []byte("a,b\n1,2\n"), "is csv, not parquet", quern.IngestionOptions{Format: "parquet"}},
	}
	before := m.table("it")
	for _, tc := range tests {
		i := m.ingestFiles("it", tc.o, file{tc.name, tc.data})
		if i.Status != quern.IngestionFailed || !strings.HasPrefix(i.Message, tc.name+": ") || !strings.Contains(i.Message, tc.want) {
			t.Errorf("ingest(%s) = %s: %q, want failed, with the file and %q", tc.name, i.Status, i.Message, tc.want)
		}
		if i.EndedAt.IsZero() || i.Attempt != 1 {
			t.Errorf("ingest(%s) ended at %v after %d attempts, want one", tc.name, i.EndedAt, i.Attempt)
		}
	}
	if after := m.table("it"); after != before {
		t.Errorf("the dataset is now\n%s\nwant it as before\n%s", after, before)
	}
}

func TestParquetKeepsItsTypes(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	m.ingestFiles("it", quern.IngestionOptions{}, file{"a.csv", []byte("i,d,s,t,b\n1,0.5,2024-01-02,2024-01-02T03:04:05Z,true\n,,x,,\n")})
	i := m.ingestFiles("copy", quern.IngestionOptions{}, file{"a.bin", m.exported("it")})
	if got, want := m.table("copy"), m.table("it"); got != want || i.Status != quern.IngestionCompleted {
		t.Errorf("ingest(parquet) = %s %s\n%s\nwant\n%s", i.Status, i.Message, got, want)
	}
}

func TestArchiveOfSeveralTables(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	archive := zipped(file{"one.csv", []byte("Unit Price,id\n1.5,1\n")}, file{"__MACOSX/x", []byte("x")},
		file{"deep/two.json.gz", []byte(gzipped(`[{"id":2,"unit_price":2,"new":"x"}]`))})
	i := m.ingestFiles("it", quern.IngestionOptions{Into: quern.IntoOne}, file{"a.zip", archive})
	want := "Unit_Price double, id integer, new text\n[1.5,1,null]\n[2,2,\"x\"]\n"
	if got := m.table("it"); got != want {
		t.Errorf("ingest(zip) = %s %s\n%s\nwant\n%s", i.Status, i.Message, got, want)
	}
	d, err := m.Catalog.Dataset(t.Context(), m.ada, dataset("it"), catalog.Read)
	must(t, err)
	sources, err := m.Catalog.Sources(t.Context(), m.ada, d.ID, 0, 10)
	must(t, err)
	if got := fmt.Sprint(sources); !strings.Contains(got, "a.zip one.csv  0 1") || !strings.Contains(got, "a.zip deep/two.json.gz  0 1") {
		t.Errorf("Sources() = %s, want both members", got)
	}
}

func TestSecondFileIsMappedByName(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	m.ingestFiles("it", quern.IngestionOptions{}, file{"a.csv", []byte("Unit Price,When\n1,2024-01-31\n")})
	i := m.ingestFiles("it", quern.IngestionOptions{}, file{"b.csv", []byte("WHEN,unit-price,extra\n28/02/2024,n/a,x\n")},
		file{"c.csv", []byte("when,unitprice\nlater,2.5\n")})
	want := "Unit_Price double, When text, extra text\n" + `[1,"2024-01-31",null]
[null,"2024-02-28","x"]
[2.5,"later",null]
`
	if got := m.table("it"); got != want {
		t.Errorf("ingest(b, c) = %s %s\n%s\nwant\n%s", i.Status, i.Message, got, want)
	}
	if c := i.Report.Tables[0].Columns[1]; c.Original != "unit-price" || c.Name != "Unit_Price" || c.Added {
		t.Errorf("mapping = %+v, want unit-price to Unit_Price", c)
	}
	if c := i.Report.Tables[0].Columns[2]; !c.Added {
		t.Errorf("mapping = %+v, want it added", c)
	}
}

func TestQuarantine(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	var b strings.Builder
	b.WriteString("id,n\n")
	for i := range 300 {
		fmt.Fprintf(&b, "%d,%d\n", i, i)
	}
	b.WriteString("300,odd\n301,1,2\n302,5\n")
	i := m.ingestFiles("it", quern.IngestionOptions{OnError: quern.Quarantine}, file{"a.csv", []byte(b.String())})
	if i.Status != quern.IngestionCompleted || i.ProcessedRows != 301 || i.Report.Rejected != 2 {
		t.Fatalf("ingest() = %s %q, %d rows, %d rejected, want 301 and 2", i.Status, i.Message, i.ProcessedRows, i.Report.Rejected)
	}
	rejected, err := m.ingest.Rejected(t.Context(), m.ada, i.ID, 0, 10)
	must(t, err)
	if len(rejected) != 2 || rejected[0].Line != 302 || rejected[0].Row != 301 ||
		!strings.Contains(rejected[0].Reason, `"odd" does not fit the other values of "n"`) || rejected[1].Text != "301,1,2" {
		t.Errorf("Rejected() = %+v, want lines 302 and 303", rejected)
	}
	d, err := m.Catalog.Dataset(t.Context(), m.ada, dataset("it"), catalog.Read)
	must(t, err)
	if d.Columns[1].Type != quern.Integer {
		t.Errorf("n is %s, want integer", d.Columns[1].Type)
	}
	sources, err := m.Catalog.Sources(t.Context(), m.ada, d.ID, 300, 301)
	must(t, err)
	if len(sources) != 1 || sources[0].FileRow != 303 {
		t.Errorf("Sources(300) = %+v, want row 303 of the file", sources)
	}
}

func TestWorkThatWasCutOffIsDoneOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		m := newFileHouseOn(t, s)
		i := m.start("it", quern.IngestionOptions{}, file{"a.csv", []byte("id\n1\n2\n")})
		// A worker takes it and is never heard of again.
		must(t, s.Update(t.Context(), func(tx *store.Tx) error {
			_, _, err := tx.TakeIngestion(t.Context(),
				quern.Claim{Lease: quern.Lease{Holder: "dead", Until: time.Now().Add(-time.Second)}, Now: time.Now(), Suspects: true}, nil)
			return err
		}))
		if got := m.ingestion(i.ID); got.Status != quern.IngestionProcessing || got.Attempt != 1 {
			t.Errorf("taken ingestion = %s, attempt %d, want processing, 1", got.Status, got.Attempt)
		}
		if took, err := m.ingest.WorkOnce(t.Context()); !took || err != nil {
			t.Fatalf("WorkOnce() = %v, %v, want true", took, err)
		}
		if got := m.ingestion(i.ID); got.Status != quern.IngestionCompleted || got.Attempt != 1 {
			t.Errorf("ingestion = %s %s, attempt %d, want completed, and the death not counted", got.Status, got.Message, got.Attempt)
		}
		// The dead worker wakes up and finds that it has lost.
		must(t, s.Update(t.Context(), func(tx *store.Tx) error {
			ended, err := tx.EndIngestion(t.Context(), quern.Ingestion{ID: i.ID, Status: quern.IngestionCompleted}, "dead")
			if ended {
				t.Error("EndIngestion(dead) = true, want false")
			}
			return err
		}))
		if took, _ := m.ingest.WorkOnce(t.Context()); took {
			t.Error("WorkOnce() again = true, want nothing left")
		}
		if want := "id integer\n[1]\n[2]\n"; m.table("it") != want {
			t.Errorf("table = %s, want %s", m.table("it"), want)
		}
	})
}

// TestOnlyWhatServersDieOfIsGivenUp has a server die with two ingestions in hand,
// and others over one of them.
func TestOnlyWhatServersDieOfIsGivenUp(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		m := newFileHouseOn(t, s)
		guilty := m.start("guilty", quern.IngestionOptions{}, file{"a.csv", []byte("id\n1\n")})
		beside := m.start("beside", quern.IngestionOptions{}, file{"b.csv", []byte("id\n2\n")})
		dies := func(suspects bool, others ...string) {
			now := time.Now()
			must(t, s.Update(t.Context(), func(tx *store.Tx) error {
				c := quern.Claim{Lease: quern.Lease{Holder: "dead", Until: now.Add(-time.Second)}, Now: now, Suspects: suspects}
				_, _, err := tx.TakeIngestion(t.Context(), c, others)
				return err
			}))
		}
		dies(false)
		dies(false)
		for range quern.Trials {
			dies(true, string(beside.ID))
		}
		for range 2 {
			if took, err := m.ingest.WorkOnce(t.Context()); !took || err != nil {
				t.Fatalf("WorkOnce() = %v, %v, want true", took, err)
			}
		}
		if got := m.ingestion(guilty.ID); got.Status != quern.IngestionFailed || !strings.Contains(got.Message, "given up") {
			t.Errorf("the ingestion that servers died of = %s %q, want it given up", got.Status, got.Message)
		}
		if got := m.ingestion(beside.ID); got.Status != quern.IngestionCompleted {
			t.Errorf("the ingestion beside it = %s %q, want completed", got.Status, got.Message)
		}
	})
}

func TestRightsAreThoseOfTheMoment(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	bo := m.User("bo")
	m.ingestFiles("it", quern.IngestionOptions{}, file{"a.csv", []byte("id\n1\n")})
	_, err := m.Catalog.Share(t.Context(), m.ada, dataset("it"), quern.Share{Username: "bo", Role: quern.Editor})
	must(t, err)
	id, err := m.ingest.Start(t.Context(), bo, dataset("it"), ingest.Request{Session: m.upload(file{"b.csv", []byte("id\n2\n")})})
	must(t, err)
	_, err = m.Catalog.Revoke(t.Context(), m.ada, dataset("it"), "bo")
	must(t, err)
	if _, err := m.ingest.WorkOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := m.ingestion(id); got.Status != quern.IngestionFailed || got.ProcessedRows != 0 {
		t.Errorf("ingestion of a former editor = %s, want failed", got.Status)
	}
	if want := "id integer\n[1]\n"; m.table("it") != want {
		t.Errorf("table = %s, want %s", m.table("it"), want)
	}
}

func TestCancelAndRetry(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	i := m.start("it", quern.IngestionOptions{}, file{"a.csv", []byte("id\n1\n")})
	for range 2 {
		must(t, m.ingest.Cancel(t.Context(), m.ada, i.ID))
	}
	if took, _ := m.ingest.WorkOnce(t.Context()); took {
		t.Error("WorkOnce() = true, want nothing to do")
	}
	again, err := m.ingest.Retry(t.Context(), m.ada, i.ID)
	must(t, err)
	if again.RetryOf != i.ID {
		t.Errorf("Retry() = %+v, want one of %s", again, i.ID)
	}
	if _, err := m.ingest.WorkOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := m.ingestion(again.ID); got.Status != quern.IngestionCompleted {
		t.Errorf("retried ingestion = %s %s, want completed", got.Status, got.Message)
	}
	if _, err := m.ingest.Retry(t.Context(), m.ada, again.ID); !quern.Is(err, quern.Conflict) {
		t.Errorf("Retry(completed) = %v, want a conflict", err)
	}
}

func TestTwoWorkersShareTheWork(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		m := newFileHouseOn(t, s)
		const files = 6
		for n := range files {
			m.start("it", quern.IngestionOptions{}, file{"a.csv", fmt.Appendf(nil, "id\n%d\n", n)})
		}
		done := make(chan int, 2)
		for range 2 {
			go func() {
				n := 0
				for took := true; took; n++ {
					var err error
					if took, err = m.ingest.WorkOnce(t.Context()); err != nil {
						t.Error(err)
					}
				}
				done <- n - 1
			}()
		}
		if total := <-done + <-done; total != files {
			t.Errorf("workers did %d ingestions, want %d", total, files)
		}
		if got := strings.Count(m.table("it"), "\n"); got != files+1 {
			t.Errorf("the table has %d lines, want %d", got, files+1)
		}
	})
}

// TestTransactionsThatBreakKeepTheID breaks the transaction that stores an ingestion at
// each of its statements: what is run again stores, and answers with, the same id.
func TestTransactionsThatBreakKeepTheID(t *testing.T) {
	t.Parallel()
	for at := range 16 {
		o := storetest.SQLite(t)
		o.Break = at
		m := newFileHouseOn(t, storetest.Open(t, o))
		request := ingest.Request{Key: "k", Session: m.upload(file{"a.csv", []byte("id\n1\n")})}
		id, err := m.ingest.Start(t.Context(), m.ada, dataset("it"), request)
		must(t, err)
		if got := m.ingestion(id); id == "" || got.Status != quern.IngestionPending {
			t.Errorf("Start() that broke at statement %d = %q, an ingestion that is %q, want one that is pending", at, id, got.Status)
		}
	}
}

func TestAskedTwiceIsDoneOnce(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	session := m.upload(file{"a.csv", []byte("id\n1\n")})
	first, err := m.ingest.Start(t.Context(), m.ada, dataset("it"), ingest.Request{Key: "k", Session: session})
	must(t, err)
	second, err := m.ingest.Start(t.Context(), m.ada, dataset("it"), ingest.Request{Key: "k", Session: session})
	if err != nil || second != first {
		t.Errorf("Start() again = %s, %v, want %s", second, err, first)
	}
	_, err = m.ingest.Start(t.Context(), m.ada, dataset("other"), ingest.Request{Key: "k", Session: session})
	if !quern.Is(err, quern.Conflict) {
		t.Errorf("Start(other) under the same key = %v, want a conflict", err)
	}
	if _, err := m.ingest.WorkOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	if took, _ := m.ingest.WorkOnce(t.Context()); took {
		t.Error("WorkOnce() again = true, want one ingestion")
	}
}

// TestFilesWithoutRows: a file that is a header alone gives its columns to a dataset that
// has no rows, and nothing to others; the first rows say what the columns hold.
func TestFilesWithoutRows(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	header, rows := file{"a.csv", []byte("id,price\n")}, file{"b.csv", []byte("id,price\n7,1.5\n")}
	for _, step := range []struct {
		options quern.IngestionOptions
		file    file
		want    string
	}{
		{quern.IngestionOptions{}, header, "id text, price text\n"},
		{quern.IngestionOptions{}, file{"c.csv", []byte("id,note\n")}, "id text, price text, note text\n"},
		{quern.IngestionOptions{}, rows, "id integer, price double, note text\n[7,1.5,null]\n"},
		{quern.IngestionOptions{}, file{"d.csv", []byte("id,more\n")}, "id integer, price double, note text\n[7,1.5,null]\n"},
		{quern.IngestionOptions{Mode: quern.ReplaceRows}, header, "id text, price text\n"},
	} {
		if i := m.ingestFiles("it", step.options, step.file); i.Status != quern.IngestionCompleted {
			t.Fatalf("ingest(%s) = %s: %s, want it completed", step.file.data, i.Status, i.Message)
		}
		if got := m.table("it"); got != step.want {
			t.Errorf("behind %q the dataset is\n%s\nwant\n%s", step.file.data, got, step.want)
		}
	}
	m.ingestFiles("typed", quern.IngestionOptions{Columns: map[string]quern.ColumnOption{"id": {Type: quern.Integer}}}, header)
	if i := m.ingestFiles("copy", quern.IngestionOptions{}, file{"e.parquet", m.exported("typed")}); i.Status != quern.IngestionCompleted {
		t.Fatalf("ingest(parquet without rows) = %s: %s, want it completed", i.Status, i.Message)
	}
	if got, want := m.table("copy"), "id integer, price text\n"; got != want {
		t.Errorf("of a Parquet file without rows the dataset is\n%s\nwant\n%s", got, want)
	}
}
