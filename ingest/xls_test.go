package ingest_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"quern"
)

func TestOldWorkbooks(t *testing.T) {
	t.Parallel()
	book, err := os.ReadFile("testdata/ledger.xls")
	must(t, err)
	m := newFileHouse(t)
	i := m.ingestFiles("it", quern.IngestionOptions{}, file{"ledger.xls", book})
	if i.Status != quern.IngestionCompleted || len(i.Report.Tables) != 3 {
		t.Fatalf("ingest(.xls) = %s %s %+v, want three sheets", i.Status, i.Message, i.Report)
	}
	orders := "order integer, customer text, placed date, price double, paid boolean, note text\n" +
		`[1001,"Müller \u0026 Söhne","2003-01-05",1250.5,true,"` + strings.Repeat("x", 40) + `"]` + "\n" +
		`[1002,"Ωmega","2003-02-14",-35.25,false,null]` + "\n" + `[1003,"Smith","2003-03-31",99,true,"said \"no\""]` + "\n"
	if got := m.table("it"); got != orders {
		t.Errorf("the first sheet =\n%s\nwant\n%s", got, orders)
	}
	if unit := i.Report.Tables[0].Columns[3].Unit; unit != "€" {
		t.Errorf("the unit of price = %q, want €", unit)
	}
	if got := m.table("it_Stock"); !strings.HasPrefix(got, "part text, count integer, share integer, twice text\n") || !strings.Contains(got, `["P-005",50,5`) {
		t.Errorf("the second sheet =\n%s", got)
	}
	if got := m.table("it_Long"); !strings.Contains(got, "line 59 äß line 59") || strings.Count(got, "\n") != 61 {
		t.Errorf("the third sheet = %d lines, want 61 with texts that go on over records", strings.Count(got, "\n"))
	}
}

func TestOldWorkbooksThatCannotBeRead(t *testing.T) {
	t.Parallel()
	book, err := os.ReadFile("testdata/ledger.xls")
	must(t, err)
	m := newFileHouse(t)
	// The first record of the workbook, and the one behind it, which may say that what
	// follows is encrypted.
	begin := bytes.Index(book, []byte("\x09\x08\x10\x00\x00\x06\x05\x00"))
	locked, older, long := bytes.Clone(book), bytes.Clone(book), bytes.Clone(book)
	copy(locked[begin+20:], "\x2f\x00")
	copy(older[begin+4:], "\x00\x05")
	copy(long[begin+22:], "\xff\xff")
	for name, tc := range map[string]struct {
		data []byte
		want string
	}{
		"encrypted": {locked, "the document is encrypted; save it without a password"},
		"Excel 95":  {older, "the workbook is of Excel 95 or older, which is not read; save it as .xlsx"},
		"damaged":   {long, "the workbook is damaged or cut short"},
		"cut short": {book[:len(book)/2], "the file is a document of an old binary kind that is not read"},
	} {
		if i := m.ingestFiles("it", quern.IngestionOptions{}, file{"a.xls", tc.data}); i.Status != quern.IngestionFailed || !strings.Contains(i.Message, tc.want) {
			t.Errorf("ingest(%s) = %s: %q, want %q", name, i.Status, i.Message, tc.want)
		}
	}
}
