package bench_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkFilePDF ingests a hundred pages of tables, once what reads them is
// compiled, and tells the most memory that its worker had.
func BenchmarkFilePDF(b *testing.B) {
	pages := 100 / min(*shrink, 20)
	path := filepath.Join(b.TempDir(), "pages.pdf")
	if err := os.WriteFile(path, tablePages(pages), 0o600); err != nil {
		b.Fatal(err)
	}
	s := newHome(b).serve()
	s.ingestFile(path)
	stop, peak := s.watchWorkers()
	var took []time.Duration
	for range 3 {
		begun := time.Now()
		if n := s.ingestFile(path); n != int64(pages*pageRows) {
			b.Fatalf("ingest(PDF) = %d rows, want %d", n, pages*pageRows)
		}
		took = append(took, time.Since(begun))
	}
	stop()
	record(b, result{What: fmt.Sprintf("PDF, %d pages of tables, uploaded and ingested", pages), Quern: seconds(median(took)),
		Value: median(took).Seconds(), Unit: "s", Aim: 2})
	record(b, result{What: "PDF, memory of its worker at most", Quern: fmt.Sprintf("%d MiB", peak.Load()>>10),
		Value: float64(peak.Load() >> 10), Unit: "MiB", Aim: 256})
}

// pageRows is how many rows of a table a page has.
const pageRows = 38

// tablePages makes a PDF file of pages with a table each, under the same heading.
func tablePages(pages int) []byte {
	var b bytes.Buffer
	var offsets []int
	object := func(body string) {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(offsets), body)
	}
	b.WriteString("%PDF-1.4\n")
	object("<< /Type /Catalog /Pages 2 0 R >>")
	kids := make([]string, pages)
	for i := range kids {
		kids[i] = fmt.Sprintf("%d 0 R", 4+2*i)
	}
	object(fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), pages))
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
	for i := range pages {
		object(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 840] /Contents %d 0 R "+
			"/Resources << /Font << /F1 3 0 R >> >> >>", 5+2*i))
		var page strings.Builder
		line := func(y int, cells ...string) {
			for c, text := range cells {
				fmt.Fprintf(&page, "BT /F1 10 Tf %d %d Td (%s) Tj ET\n", 40+90*c, y, text)
			}
		}
		line(810, "Day", "Port", "Ships", "Tonnage", "Dues", "Flag")
		for n := range pageRows {
			line(790-20*n, fmt.Sprintf("2024-%02d-%02d", 1+n%12, 1+i%28), "Port "+strconv.Itoa(n), strconv.Itoa(n*i),
				strconv.Itoa(1000+n)+".5", "12.50", "NO")
		}
		object(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", page.Len(), page.String()))
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, start)
	return b.Bytes()
}

// watchWorkers looks, until stop is called, for the most memory in KiB that one of the
// processes has had that read documents.
func (s *server) watchWorkers() (stop func(), peak *atomic.Int64) {
	peak = &atomic.Int64{}
	ended, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		for {
			peak.Store(max(peak.Load(), workerPeak(s.pid)))
			select {
			case <-ended:
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return func() { close(ended); <-gone }, peak
}

// workerPeak is the most memory that a child of a process has had which reads documents.
func workerPeak(parent int) (most int64) {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range lines {
		command, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(command, []byte("worker:document")) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(filepath.Dir(path), "status"))
		if err != nil || !bytes.Contains(text, fmt.Appendf(nil, "PPid:\t%d\n", parent)) {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if value, ok := strings.CutPrefix(line, "VmHWM:"); ok {
				n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
				most = max(most, n)
			}
		}
	}
	return most
}

// BenchmarkFileSheets ingests a workbook of twenty sheets, no two of one shape, which
// become twenty datasets.
func BenchmarkFileSheets(b *testing.B) {
	const sheets = 20
	rows := 5000 / *shrink
	path := filepath.Join(b.TempDir(), "sheets.xlsx")
	if err := writeSheets(path, sheets, rows); err != nil {
		b.Fatal(err)
	}
	s := newHome(b).serve()
	s.ingestFile(path)
	var took []time.Duration
	for range 3 {
		begun := time.Now()
		if n := s.ingestFile(path); n != int64(sheets*rows) {
			b.Fatalf("ingest(workbook) = %d rows, want %d", n, sheets*rows)
		}
		took = append(took, time.Since(begun))
	}
	record(b, result{What: fmt.Sprintf("Excel, %d sheets of %d rows, uploaded and ingested as datasets", sheets, rows),
		Quern: seconds(median(took)), Value: median(took).Seconds(), Unit: "s", Aim: 10})
}

// writeSheets writes a workbook of sheets with names of their own.
func writeSheets(path string, sheets, rows int) error {
	parts := map[string]string{"[Content_Types].xml": "<Types/>"}
	var list, relations strings.Builder
	for n := range sheets {
		fmt.Fprintf(&list, `<sheet name="Sheet %d" sheetId="%d" r:id="rId%d"/>`, n, n+1, n)
		fmt.Fprintf(&relations, `<Relationship Id="rId%d" Target="worksheets/sheet%d.xml"/>`, n, n)
		var sheet strings.Builder
		sheet.WriteString(`<worksheet><sheetData><row r="1">`)
		for _, name := range []string{"id", "name", "amount"} {
			fmt.Fprintf(&sheet, `<c t="str"><v>%s %d</v></c>`, name, n)
		}
		sheet.WriteString(`</row>`)
		for r := range rows {
			fmt.Fprintf(&sheet, `<row r="%d"><c><v>%d</v></c><c t="str"><v>name %d</v></c><c><v>%d.25</v></c></row>`, r+2, r, r%97, r%1000)
		}
		parts[fmt.Sprintf("xl/worksheets/sheet%d.xml", n)] = sheet.String() + "</sheetData></worksheet>"
	}
	parts["xl/workbook.xml"] = `<workbook xmlns:r="r"><sheets>` + list.String() + `</sheets></workbook>`
	parts["xl/_rels/workbook.xml.rels"] = "<Relationships>" + relations.String() + "</Relationships>"
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for name, part := range parts {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(part))
		}
		if err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, packed.Bytes(), 0o600)
}
