package format_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern/ingest/format"
)

// packed makes a zip file of names and texts by turns.
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

// workbookFile makes an Excel file with one sheet under as many names as wanted.
func workbookFile(t *testing.T, sheets int, text, rows string) string {
	t.Helper()
	var list strings.Builder
	for i := range sheets {
		fmt.Fprintf(&list, `<sheet name="s%d" r:id="rId1"/>`, i)
	}
	return packed(t, "xl/workbook.xml", `<workbook><sheets>`+list.String()+`</sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/sharedStrings.xml", `<sst><si><t>`+text+`</t></si></sst>`,
		"xl/worksheets/sheet1.xml", `<worksheet><sheetData>`+rows+`</sheetData></worksheet>`)
}

func sheetRow(cell string) string { return `<table:table-row>` + cell + `</table:table-row>` }

// TestCellsAreCountedBeforeTheyAreMade holds every reader to its budget: a small
// file that asks for more cells or text than any machine has is refused, and the
// refusal says what there is too much of.
func TestCellsAreCountedBeforeTheyAreMade(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long text ", 100_000)
	wideCell := `<row><c r="XFD1"><v>1</v></c></row>`
	tests := []struct{ name, data, want string }{
		{"spans.html", "<table>" + strings.Repeat("<tr><td colspan=1000 rowspan=65534>x</td></tr>", 2000),
			"a row of a table has more than 16384 cells"},
		{"rows.html", "<table>" + strings.Repeat("<tr><td colspan=1000 rowspan=65534>x", 16) + strings.Repeat("<tr>", 4000),
			"more than 4194304 cells"},
		{"text.html", "<table><tr><td colspan=1000>" + long, "64 MiB of text"},
		{"nested.html", strings.Repeat("<table><tr><td>", 5000), "stand in one another more than 64 deep"},
		{"tables.html", strings.Repeat("<table><tr><td>1</table>", 501), "more than 500 tables"},
		{"nested.docx", packed(t, "word/document.xml", strings.Repeat("<tbl><tr><tc>", 2000)+strings.Repeat("</tc></tr></tbl>", 2000)),
			"stand in one another more than 64 deep"},
		{"tables.docx", packed(t, "word/document.xml", strings.Repeat("<tbl><tr><tc/></tr></tbl>", 2000)), "more than 500 tables"},
		{"rows.docx", packed(t, "word/document.xml", "<tbl>"+strings.Repeat("<tr/>", 5<<20)+"</tbl>"), "more than 4194304 cells"},
		{"wide.md", strings.Repeat("a|", 40_000) + "\n" + strings.Repeat("-|", 40_000) + "\n", "has 40001 cells; more than 16384 cannot be read"},
		{"row.md", "a|b\n-|-\n" + strings.Repeat("1|", 1<<20), "line 3 has 1048577 cells"},
		{"lines.md", "x" + strings.Repeat("\n", 5<<20), "more than 4194304 lines"},
		{"tables.md", strings.Repeat("a|b\n-|-\n\n", 501), "more than 500 tables"},
		{"sheets.xlsx", workbookFile(t, 501, "", "<row><c><v>1</v></c></row>"), "more than 500 tables"},
		{"wide.xlsx", workbookFile(t, 1, "", strings.Repeat(wideCell, 2_000)), "unpacks to more than 64 MiB"},
		{"again.xlsx", workbookFile(t, 400, "", strings.Repeat(wideCell, 100)), "unpacks to more than 64 MiB"},
		{"shared.xlsx", workbookFile(t, 1, long, `<row>`+strings.Repeat(`<c t="s"><v>0</v></c>`, 100)+`</row>`), "a row is longer than 16 MiB"},
		{"texts.xlsx", workbookFile(t, 1, long, strings.Repeat(`<row><c t="s"><v>0</v></c></row>`, 1000)), "unpacks to more than 64 MiB"},
		{"sheets.ods", sheetFile(strings.Repeat(`<table:table><table:table-row/></table:table>`, 501)), "more than 500 tables"},
		{"rows.ods", sheetFile(`<table:table>` + strings.Repeat(sheetRow(`<table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell>`), 2_000) + `</table:table>`), "unpacks to more than 64 MiB"},
		{"spaces.ods", sheetFile(`<table:table><table:table-row><table:table-cell><text:p>` + strings.Repeat(`<text:s text:c="1000"/>`,
			20_000) + `</text:p></table:table-cell></table:table-row></table:table>`), "a cell is longer than 16 MiB"},
		{"blank.ods", sheetFile(`<table:table>` + strings.Repeat(sheetRow(`<table:table-cell table:number-columns-repeated="16384"><text:p> </text:p></table:table-cell>`), 2_000) + `</table:table>`), "unpacks to more than 64 MiB"},
		{"wide.csv", strings.Repeat("column,", 99_999) + "column\n" + strings.Repeat("1,", 99_999) + "1\n",
			"has 100000 columns; more than 16384 cannot be read"},
		{"commas.csv", "a,b\n" + strings.Repeat(",", 3<<20) + "x\n", "has 3145729 cells where there are 2 columns"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, tc.name)
			if err := os.WriteFile(path, []byte(tc.data), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := readFile(t, path, dir); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("reading %s = %v, want a refusal with %q", tc.name, err, tc.want)
			}
		})
	}
}

// readFile reads the tables of a file as an ingestion does: to learn, and to write.
func readFile(t *testing.T, path, dir string) error {
	t.Helper()
	kind, err := format.Detect(path, path)
	if err != nil {
		return err
	}
	tables, err := format.Tables(t.Context(), path, kind, format.Options{Dir: dir})
	for _, table := range tables {
		for range 2 {
			if err := readTable(table); err != nil {
				return err
			}
		}
	}
	return err
}

func readTable(table format.Table) error {
	in, err := table.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	for {
		switch _, err := in.Next(); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}
