package bench_test

import (
	"archive/zip"
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"quern/client"
)

// ingestFile uploads a file and waits until its rows are part of a dataset of its
// own.
func (s *server) ingestFile(path string) (rows int64) {
	s.b.Helper()
	info, err := os.Stat(path)
	if err != nil {
		s.b.Fatal(err)
	}
	c, err := client.New(client.Options{Server: s.url, Token: s.token})
	if err != nil {
		s.b.Fatal(err)
	}
	session := s.upload(path, info.Size())
	s.datasets++
	id, err := c.Ingest(s.b.Context(), client.Dataset{Namespace: "bench", Name: "file" + strconv.Itoa(s.datasets)}, client.IngestRequest{Session: session})
	if err != nil {
		s.b.Fatal(err)
	}
	tick := time.NewTicker(25 * time.Millisecond) // asking costs the server time
	defer tick.Stop()
	for {
		i, err := c.Ingestion(s.b.Context(), id)
		if err != nil || i.Done() && i.Status != "completed" {
			s.b.Fatalf("ingestion of %s = %s %s, %v", path, i.Status, i.Message, err)
		}
		if i.Done() {
			return i.ProcessedRows
		}
		<-tick.C
	}
}

// raceFile holds upload and ingestion of a file against DuckDB, which reads it
// where it lies.
func raceFile(b *testing.B, what, path, sql string, rows int, aim float64) {
	s, r := newHome(b).serve(), openRaw(b)
	out := filepath.Join(b.TempDir(), "out.parquet")
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	a := s.race(r, 5, func() {
		if n := s.ingestFile(path); n != int64(rows) {
			b.Fatalf("ingest(%s) = %d rows, want %d", path, n, rows)
		}
	}, func() { r.run("COPY (SELECT * FROM " + sql + ") TO '" + out + "' " + copyOptions) }, s.rest)
	record(b, result{What: fmt.Sprintf("%s, %d rows in %d MB, uploaded and ingested", what, rows, info.Size()/1e6), Quern: seconds(a.ours),
		Other: seconds(a.theirs) + ", DuckDB", Value: a.ratio(), Unit: "×", Aim: aim, Processor: a.processor})
}

// BenchmarkFileCSV ingests a million rows of ten columns.
func BenchmarkFileCSV(b *testing.B) {
	rows := 1_000_000 / *shrink
	path := filepath.Join(b.TempDir(), "rows.csv")
	openRaw(b).run("COPY (" + rawRows(0, rows) + ") TO '" + path + "' (FORMAT csv, HEADER)")
	raceFile(b, "CSV", path, "read_csv('"+path+"')", rows, 1.3)
}

// BenchmarkFileNDJSON ingests a hundred megabytes of NDJSON.
func BenchmarkFileNDJSON(b *testing.B) {
	rows := 490_000 / *shrink
	path := filepath.Join(b.TempDir(), "rows.ndjson")
	openRaw(b).run("COPY (" + rawRows(0, rows) + ") TO '" + path + "' (FORMAT json)")
	raceFile(b, "NDJSON", path, "read_ndjson('"+path+"')", rows, 1.5)
}

// BenchmarkFileExcel ingests a workbook, which DuckDB alone does not read: beside
// it are the same cells as CSV.
func BenchmarkFileExcel(b *testing.B) {
	rows := 100_000 / *shrink
	dir := b.TempDir()
	book, text := filepath.Join(dir, "rows.xlsx"), filepath.Join(dir, "rows.csv")
	if err := writeWorkbook(book, text, rows); err != nil {
		b.Fatal(err)
	}
	s := newHome(b).serve()
	ours, theirs := alternate(3, func() { s.ingestFile(book) }, func() { s.ingestFile(text) })
	record(b, result{What: fmt.Sprintf("Excel, %d rows of 8 columns, uploaded and ingested", rows), Quern: seconds(ours),
		Other: seconds(theirs) + ", the same as CSV", Value: ours.Seconds(), Unit: "s", Aim: 10})
}

// writeWorkbook writes the same rows as a workbook and as CSV.
func writeWorkbook(book, text string, rows int) error {
	f, err := os.Create(book)
	if err != nil {
		return err
	}
	defer f.Close()
	lines, err := os.Create(text)
	if err != nil {
		return err
	}
	defer lines.Close()
	z := zip.NewWriter(f)
	for name, part := range map[string]string{
		"[Content_Types].xml":        `<Types/>`,
		"xl/workbook.xml":            `<workbook xmlns:r="r"><sheets><sheet name="Rows" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/styles.xml":              `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
	} {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(part))
		}
		if err != nil {
			return err
		}
	}
	w, err := z.Create("xl/worksheets/sheet1.xml")
	if err != nil {
		return err
	}
	sheet, csv := bufio.NewWriter(w), bufio.NewWriter(lines)
	writeSheet(sheet, csv, rows)
	if err := sheet.Flush(); err != nil {
		return err
	}
	if err := csv.Flush(); err != nil {
		return err
	}
	return z.Close()
}

func writeSheet(sheet, csv *bufio.Writer, rows int) {
	names := []string{"id", "name", "amount", "quantity", "day", "note", "score", "ok"}
	fmt.Fprint(sheet, `<worksheet><sheetData><row r="1">`)
	for _, name := range names {
		fmt.Fprintf(sheet, `<c t="inlineStr"><is><t>%s</t></is></c>`, name)
	}
	fmt.Fprint(sheet, "</row>")
	fmt.Fprintln(csv, "id,name,amount,quantity,day,note,score,ok")
	start := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range rows {
		n, amount, day, score := i%5000, float64(i*37%1_000_000)/100, i%2000, float64(i%9973)/9973
		fmt.Fprintf(sheet, `<row r="%d"><c><v>%d</v></c><c t="inlineStr"><is><t>name %d</t></is></c><c><v>%.2f</v></c><c><v>%d</v></c><c s="1"><v>%d</v></c>`+
			`<c t="inlineStr"><is><t>a note about order %d</t></is></c><c><v>%.4f</v></c><c t="b"><v>%d</v></c></row>`, i+2, i, n, amount, i%1000, 43831+day, i, score, i%2)
		fmt.Fprintf(csv, "%d,name %d,%.2f,%d,%s,a note about order %d,%.4f,%t\n", i, n, amount, i%1000, start.AddDate(0, 0, day).Format(time.DateOnly), i, score, i%2 == 1)
	}
	fmt.Fprint(sheet, "</sheetData></worksheet>")
}
