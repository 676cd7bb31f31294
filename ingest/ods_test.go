package ingest_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"quern"
)

// odsFile makes an OpenDocument spreadsheet of sheets, and parts beside them.
func odsFile(sheets string, parts ...file) []byte {
	return zipped(append([]file{
		{"mimetype", []byte("application/vnd.oasis.opendocument.spreadsheet")},
		{"content.xml", []byte(`<?xml version="1.0"?><office:document-content><office:body><office:spreadsheet>` + sheets +
			`</office:spreadsheet></office:body></office:document-content>`)},
	}, parts...)...)
}

// compound makes a file such as office programs wrote before 2007, of which only
// the names of its parts are there.
func compound(names ...string) []byte {
	b := make([]byte, 2048)
	copy(b, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	binary.LittleEndian.PutUint16(b[30:], 9) // sectors of 512 bytes
	binary.LittleEndian.PutUint32(b[48:], 1) // the names begin in the second
	for i, name := range names {
		copy(b[1024+128*i:], wide(name, false))
	}
	return b
}

func odsCell(kind, value string) string {
	return fmt.Sprintf(`<table:table-cell office:value-type=%q %s><text:p>shown</text:p></table:table-cell>`, kind, value)
}

func odsText(text string) string {
	return `<table:table-cell office:value-type="string"><text:p>` + text + `</text:p></table:table-cell>`
}

func TestOpenDocument(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	first := `<table:table table:name="First"><table:table-row>` + odsText("Report of the year") + `</table:table-row>` +
		`<table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>` +
		`<table:table-row>` + odsText("name") + odsText("born") + odsText("at") + odsText("share") + odsText("ok") + odsText("clock") +
		odsText("bad") + `</table:table-row>` +
		`<table:table-row>` + odsText(`A<text:span>d</text:span>a<office:annotation><text:p>a comment</text:p></office:annotation>`) +
		odsCell("date", `office:date-value="2024-01-02"`) + odsCell("date", `office:date-value="2024-01-02T12:30:00"`) +
		odsCell("percentage", `office:value="0.30000000000000004"`) + odsCell("boolean", `office:boolean-value="true"`) + odsCell("time",
		`office:time-value="PT08H05M00S"`) +
		`<table:table-cell office:value-type="string" calcext:value-type="error"><text:p>#DIV/0!</text:p></table:table-cell></table:table-row>` +
		`<table:table-row table:number-rows-repeated="2">` + odsText(`two<text:s text:c="2"/>gaps`) +
		`<table:table-cell table:number-columns-repeated="2"/>` + odsCell("percentage", `office:value="2"`) + `</table:table-row>` +
		`<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`
	second := `<table:table table:name="Second"><table:table-row><table:table-cell table:number-columns-spanned="2" office:value-type="string"><text:p>Sales</text:p></table:table-cell><table:covered-table-cell/>` + odsText("name") + `</table:table-row>` +
		`<table:table-row>` + odsText("north") + odsText("south") + `</table:table-row><table:table-row>` + odsCell("float",
		`office:value="1"`) + odsCell("currency", `office:value="2.5" office:currency="EUR"`) + odsText("Bo") + `</table:table-row></table:table>`
	i := m.ingestFiles("it", quern.IngestionOptions{}, file{"a.csv", odsFile(first + second)})
	want := "name text, born date, at timestamp, share integer %, ok boolean, clock text, bad text\n" +
		`["Ada","2024-01-02","2024-01-02T12:30:00Z",30,true,"08:05:00",null]
["two  gaps",null,null,200,null,null,null]
["two  gaps",null,null,200,null,null,null]
`
	if got := m.unitTable("it"); got != want {
		t.Errorf("ingest(ods) = %s %s\n%s\nwant\n%s", i.Status, i.Message, got, want)
	}
	want = "Sales_north integer, Sales_south double EUR, name text\n[1,2.5,\"Bo\"]\n"
	if got := m.unitTable("it_Second"); got != want {
		t.Errorf("ingest(ods) = %s %s\n%s\nwant\n%s", i.Status, i.Message, got, want)
	}
	if notes := fmt.Sprint(i.Report.Tables[0].Notes); i.Report.Tables[0].Member != "First" ||
		!strings.Contains(notes, "1 row above the header was") || !strings.Contains(notes, "1 cell holds an error") {
		t.Errorf("the report of %q says %s, want the title and the error", i.Report.Tables[0].Member, notes)
	}
}
