package isolate_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quern"
	"quern/ingest/format"
	"quern/ingest/isolate"
	"quern/sandbox"
)

// The workers of these tests are this same program.
func TestMain(m *testing.M) {
	sandbox.Main(map[string]sandbox.Work{"document": isolate.Work, "spin": spin, "babble": babble, "die": die, "fall": fall})
	goleak.VerifyTestMain(m)
}

// spin takes a document and never says anything.
func spin(w *sandbox.Worker) error {
	if err := w.Ready(); err != nil {
		return err
	}
	for {
		if _, err := w.Read(make([]byte, 1)); err != nil {
			select {}
		}
	}
}

// babble is a worker that somebody else has taken control of.
func babble(w *sandbox.Worker) error {
	if err := w.Ready(); err != nil {
		return err
	}
	if _, err := w.Write([]byte("R\xff\xff\xff\xff\xff\xff\xff\xff\x01 no end of it")); err != nil {
		return err
	}
	select {}
}

func die(w *sandbox.Worker) error {
	if err := w.Ready(); err != nil {
		return err
	}
	_, _ = w.Read(make([]byte, 1))
	panic("a reader breaks")
}

// fall is a worker that the kernel takes.
func fall(w *sandbox.Worker) error {
	if err := w.Ready(); err != nil {
		return err
	}
	_, _ = w.Read(make([]byte, 1))
	return syscall.Kill(os.Getpid(), syscall.SIGKILL)
}

// compiled is where tests keep what was compiled to read PDF files.
var compiled = filepath.Join(os.TempDir(), "quern-compiled")

// onePage is a PDF file with a table.
const onePage = "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n" +
	"3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 840] /Contents 4 0 R " +
	"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>\nendobj\n4 0 obj\n<< /Length 236 >>\nstream\n" +
	"BT /F1 12 Tf 40 700 Td (port) Tj 150 0 Td (ships) Tj -150 -20 Td (Oslo) Tj 150 0 Td (12) Tj -150 -20 Td (Riga) Tj 150 0 Td (7) Tj " +
	"-150 -20 Td (Total) Tj 150 0 Td (19) Tj ET\n" + "\nendstream\nendobj\ntrailer\n<< /Size 5 /Root 1 0 R >>\n%%EOF\n"

// reader reads documents in workers that do a work.
func reader(t *testing.T, work string, most time.Duration) *isolate.Reader {
	t.Helper()
	if err := os.MkdirAll(compiled, 0o700); err != nil {
		t.Fatal(err)
	}
	pool := sandbox.NewPool(sandbox.PoolOptions{
		Spec: sandbox.Spec{Name: work, Dir: t.TempDir(), Memory: 512 << 20, Read: []string{compiled}}, Keep: 1, Uses: 4, Log: slog.New(slog.DiscardHandler),
	})
	t.Cleanup(pool.Close)
	return isolate.NewReader(pool, most, compiled, slog.New(slog.DiscardHandler))
}

func save(t *testing.T, name, data string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func packed(t *testing.T, entries ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(entries); i += 2 {
		w, err := z.Create(entries[i])
		if err == nil {
			_, err = io.WriteString(w, entries[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// show writes all that is in tables.
func show(t *testing.T, tables []format.Table) string {
	t.Helper()
	var b strings.Builder
	for _, table := range tables {
		in, err := table.Open()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s %s %q %q\n", table.Member, table.Detail, in.Header(), table.Totals)
		for {
			rec, err := in.Next()
			fault, isFault := errors.AsType[*format.Fault](err)
			if errors.Is(err, io.EOF) {
				break
			}
			switch {
			case isFault:
				fmt.Fprintf(&b, "%v %q\n", fault, fault.Text)
				continue
			case err != nil:
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%d/%d", rec.Row, rec.Line)
			for _, c := range rec.Cells {
				fmt.Fprintf(&b, " %q", c.Text)
			}
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%q\n", in.Notes())
		_ = in.Close()
	}
	return b.String()
}

// TestWorkersReadWhatTheServerWouldRead holds the way through a worker to what
// format reads in the process, for every kind, twice over.
func TestWorkersReadWhatTheServerWouldRead(t *testing.T) {
	t.Parallel()
	r := reader(t, "document", time.Minute)
	ledger, err := os.ReadFile("../testdata/ledger.xls")
	if err != nil {
		t.Fatal(err)
	}
	sheet := `<row r="1"><c><v>Report</v></c></row><row r="3"><c t="str"><v>a</v></c><c t="str"><v>b</v></c></row>` +
		`<row r="4"><c><v>1</v></c><c t="e"><v>#DIV/0!</v></c></row><row r="5"><c><v>2</v></c><c><v>3</v></c></row>`
	for name, data := range map[string]string{
		"a.html": "<table><tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3</table><table><tr><td>x</table>",
		"a.pdf":  onePage,
		"a.eml":  "From: a@example.org\nSubject: x\n\ntext\n",
		"a.xls":  string(ledger),
		"a.md":   "# T\n\na|b\n-|-\n1|2\n\ntext\n",
		"a.docx": packed(t, "word/document.xml", "<p><t>hello</t></p><tbl><tr><tc><p><t>a</t></p></tc></tr><tr><tc><p><t>1</t></p></tc></tr></tbl>"),
		"a.ods": packed(t, "mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml",
			`<x><table:table table:name="S"><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row>`+
				`<table:table-row table:number-rows-repeated="3"><table:table-cell><text:p>1</text:p></table:table-cell></table:table-row></table:table></x>`),
		"a.xlsx": packed(t, "xl/workbook.xml", `<workbook><sheets><sheet name="s" r:id="r1"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Target="worksheets/s.xml"/></Relationships>`,
			"xl/worksheets/s.xml", `<worksheet><sheetData>`+sheet+`</sheetData></worksheet>`),
	} {
		path := save(t, name, data)
		kind, err := format.Detect(path, name)
		if err != nil || !isolate.Isolated(kind) {
			t.Fatalf("Detect(%s) = %s, %v, want a kind that is read in a worker", name, kind, err)
		}
		direct, err := format.Tables(t.Context(), path, kind, format.Options{Dir: t.TempDir(), Compiled: compiled})
		if err != nil {
			t.Fatal(err)
		}
		tables, err := r.Tables(t.Context(), path, kind, format.Options{Dir: t.TempDir()})
		if err != nil {
			t.Fatalf("Tables(%s) = %v, want them", name, err)
		}
		want := show(t, direct)
		for range 2 {
			if got := show(t, tables); got != want {
				t.Errorf("%s in a worker =\n%s\nwant\n%s", name, got, want)
			}
		}
	}
}

func TestRefusalsOfWorkersAreThoseOfFormat(t *testing.T) {
	t.Parallel()
	r := reader(t, "document", time.Minute)
	for range 3 {
		_, err := r.Tables(t.Context(), save(t, "a.html", strings.Repeat("<table><tr><td>", 100)), format.HTML, format.Options{Dir: t.TempDir()})
		if text, ok := format.Refused(err); !ok || !strings.Contains(text, "more than 64 deep") {
			t.Errorf("Tables(nested) = %v, want the refusal of the reader", err)
		}
	}
}

// TestAWorkerThatFailsFailsItsDocument has workers that do not end, that are not
// to be trusted and that die: the document is refused, with what is known.
func TestAWorkerThatFailsFailsItsDocument(t *testing.T) {
	t.Parallel()
	path := save(t, "a.html", "<table><tr><td>1</table>")
	for work, want := range map[string]string{"spin": "takes more than 1s to read", "babble": "breaks its reader",
		"die": "breaks its reader"} {
		most := time.Minute
		if work == "spin" {
			most = time.Second
		}
		_, err := reader(t, work, most).Tables(t.Context(), path, format.HTML, format.Options{Dir: t.TempDir()})
		if text, ok := format.Refused(err); !ok || !strings.Contains(text, want) {
			t.Errorf("Tables() with a worker that does %s = %v, want a refusal with %q", work, err, want)
		}
	}
}

// A worker that the kernel took, because the machine had no more memory, says nothing about
// its document.
func TestAWorkerThatIsTakenRefusesNothing(t *testing.T) {
	t.Parallel()
	path := save(t, "a.html", "<table><tr><td>1</table>")
	_, err := reader(t, "fall", time.Minute).Tables(t.Context(), path, format.HTML, format.Options{Dir: t.TempDir()})
	if _, refused := format.Refused(err); refused || !quern.Is(err, quern.Unavailable) {
		t.Errorf("Tables() with a worker that is killed = %v, want Unavailable", err)
	}
}
