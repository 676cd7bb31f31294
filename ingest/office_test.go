package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"quern"
)

// workbook makes an Excel file of one sheet with the rows, and what follows them.
func workbook(rows string, behind ...string) []byte {
	const head = `<?xml version="1.0" encoding="UTF-8"?>`
	return zipped(
		file{"[Content_Types].xml", []byte(head + `<Types/>`)},
		file{"xl/workbook.xml", []byte(head + `<workbook xmlns:r="r"><sheets><sheet name="First" sheetId="1" r:id="rId1"/></sheets></workbook>`)},
		file{"xl/_rels/workbook.xml.rels", []byte(head + `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`)},
		file{"xl/styles.xml", []byte(head + `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy hh:mm"/><numFmt numFmtId="165" formatCode="&quot;day &quot;0.0"/><numFmt numFmtId="166" formatCode="#,##0.00\ [$€-407];[Red]-0"/></numFmts>` +
			`<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="10"/><xf numFmtId="166"/></cellXfs></styleSheet>`)},
		file{"xl/sharedStrings.xml", []byte(head + `<sst><si><t>name</t></si><si><r><t>A</t></r><r><t>da</t></r></si></sst>`)},
		file{"xl/worksheets/sheet1.xml", []byte(head + `<worksheet><sheetData>` + rows + `</sheetData>` + strings.Join(behind,
			"") + `</worksheet>`)},
	)
}

func inline(ref, text string) string {
	return fmt.Sprintf(`<c r=%q t="inlineStr"><is><t>%s</t></is></c>`, ref, text)
}

func TestWorkbook(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	rows := `<row r="1">` + inline("A1", "Report of the year") + `</row>` +
		`<row r="3"><c r="A3" t="s"><v>0</v></c>` + inline("B3", "born") + inline("C3", "at") + inline("D3", "sum") + inline("E3",
		"ok") + inline("F3", "bad") + `</row>` +
		`<row r="4"><c r="A4" t="s"><v>1</v></c><c r="B4" s="1"><v>45292</v></c><c r="C4" s="2"><v>45292.5</v></c><c r="D4" s="3"><f>0.1+0.2</f><v>0.30000000000000004</v></c><c r="E4" t="b"><v>1</v></c><c r="F4" t="e"><v>#DIV/0!</v></c></row>` +
		`<row r="6"><c r="A6" t="str"><v>Bo</v></c><c r="D6"><v>2</v></c><c r="F6"><v>7</v></c></row>`
	i := m.ingestFiles("it", quern.IngestionOptions{}, file{"a.csv", workbook(rows)})
	want := "name text, born date, at timestamp, sum double, ok boolean, bad integer\n" +
		`["Ada","2024-01-01","2024-01-01T12:00:00Z",0.3,true,null]
["Bo",null,null,2,null,7]
`
	if got := m.table("it"); got != want {
		t.Errorf("ingest(workbook) = %s %s\n%s\nwant\n%s", i.Status, i.Message, got, want)
	}
	if notes := fmt.Sprint(i.Report.Tables[0].Notes); !strings.Contains(notes, "1 row above the header was") ||
		!strings.Contains(notes, "1 cell holds an error") {
		t.Errorf("notes = %s, want the title and the error", notes)
	}
}

func TestMergedHeader(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	rows := `<row r="1">` + inline("A1", "Name") + inline("B1", "Sales") + `</row>` +
		`<row r="2">` + inline("B2", "north") + inline("C2", "south") + `</row>` +
		`<row r="3">` + inline("A3", "Ada") + `<c r="B3"><v>1</v></c><c r="C3"><v>2</v></c></row>`
	i := m.ingestFiles("it", quern.IngestionOptions{},
		file{"a.xlsx", workbook(rows, `<mergeCells><mergeCell ref="A1:A2"/><mergeCell ref="B1:C1"/></mergeCells>`)})
	want := "Name text, Sales_north integer, Sales_south integer\n[\"Ada\",1,2]\n"
	if got := m.table("it"); got != want {
		t.Errorf("ingest(workbook) = %s %s\n%s\nwant\n%s", i.Status, i.Message, got, want)
	}
}

func TestTextDocument(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	cell := func(s string) string { return `<w:tc><w:p><w:r><w:t>` + s + `</w:t></w:r></w:p></w:tc>` }
	body := `<w:document><w:body><w:p><w:r><w:t>A </w:t></w:r><w:r><w:t>title</w:t></w:r></w:p><w:tbl><w:tr>` + cell("id") + cell("name") +
		`</w:tr><w:tr>` + cell("1") + cell("Ada") + `</w:tr></w:tbl></w:body></w:document>`
	i := m.ingestFiles("it", quern.IngestionOptions{}, file{"a.docx", zipped(file{"word/document.xml", []byte(body)})})
	want := "id integer, name text, text text\n[1,\"Ada\",null]\n[null,null,\"A title\"]\n"
	if got := m.table("it"); got != want {
		t.Errorf("ingest(document) = %s %s\n%s\nwant\n%s", i.Status, i.Message, got, want)
	}
}
