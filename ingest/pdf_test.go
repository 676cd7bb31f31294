package ingest_test

import (
	"bytes"
	"crypto/md5"
	"crypto/rc4"
	"fmt"
	"strings"
	"testing"

	"quern"
)

// at is a text and its place on a page, from the upper left corner.
type at struct {
	x, y int
	text string
}

// page draws texts of 12 points.
func page(texts ...at) string {
	var b strings.Builder
	for _, t := range texts {
		fmt.Fprintf(&b, "BT /F1 12 Tf %d %d Td (%s) Tj ET\n", t.x, 800-t.y, t.text)
	}
	return b.String()
}

// tablePage draws rows of cells in columns of 110 points, 20 points apart, from y on.
func tablePage(y int, rows ...[]string) string {
	var b strings.Builder
	for n, row := range rows {
		for c, text := range row {
			if text != "" {
				b.WriteString(page(at{40 + 110*c, y + 20*n, text}))
			}
		}
	}
	return b.String()
}

// pdf makes a file of one page for every drawing; with a password, nobody reads
// it who does not know that.
func pdf(password string, pages ...string) []byte {
	var b bytes.Buffer
	var offsets []int
	object := func(body string) {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(offsets), body)
	}
	lock := newLock(password)
	b.WriteString("%PDF-1.4\n")
	object("<< /Type /Catalog /Pages 2 0 R >>")
	kids := make([]string, len(pages))
	for i := range pages {
		kids[i] = fmt.Sprintf("%d 0 R", 5+2*i)
	}
	object(fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(kids)))
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
	object(fmt.Sprintf("<< /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <%x> /U <%x> >>", lock.owner, lock.user))
	for i, drawing := range pages {
		object(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 840] /Contents %d 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
			6+2*i))
		stream := drawing
		if password != "" {
			stream = lock.closed(6+2*i, drawing)
		}
		object(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(stream), stream))
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	encrypt := ""
	if password != "" {
		encrypt = fmt.Sprintf(" /Encrypt 4 0 R /ID [<%x> <%x>]", lockID, lockID)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R%s >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, encrypt, start)
	return b.Bytes()
}

const (
	lockID  = "0123456789abcdef"
	lockPad = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"
)

// lock is the first encryption that PDF files had.
type lock struct{ owner, user, key []byte }

func newLock(password string) lock {
	padded := []byte((password + lockPad)[:32])
	sum := md5.Sum(padded)
	owner := scramble(sum[:5], padded)
	sum = md5.Sum(append(append(append(padded[:32:32], owner...), 0xFC, 0xFF, 0xFF, 0xFF), lockID...))
	return lock{owner: owner, user: scramble(sum[:5], []byte(lockPad)), key: bytes.Clone(sum[:5])}
}

// closed encrypts the stream of an object.
func (l lock) closed(object int, stream string) string {
	sum := md5.Sum(append(l.key[:5:5], byte(object), byte(object>>8), byte(object>>16), 0, 0))
	return string(scramble(sum[:10], []byte(stream)))
}

func scramble(key, text []byte) []byte {
	c, err := rc4.NewCipher(key)
	if err != nil {
		panic(err)
	}
	out := make([]byte, len(text))
	c.XORKeyStream(out, text)
	return out
}

var (
	ports = [][]string{
		{"Port", "Country", "Ships", "Tonnage"}, {"Bergen", "Norway", "12", "1,234.5"}, {"Hull", "United", "7", "980"},
		{"", "Kingdom", "", ""}, {"Oslo", "Norway", "", "77"}, {"Malmo", "Sweden", "3", "41.25"},
	}
	more = [][]string{{"Port", "Country", "Ships", "Tonnage"}, {"Aarhus", "Denmark", "5", "6"}, {"Turku", "Finland", "8", "9"}}
	rest = [][]string{{"Visby", "Sweden", "1", "2"}, {"Riga", "Latvia", "3", "4"}, {"Tallinn", "Estonia", "5", "6"}}
)

func TestTablesOfPDF(t *testing.T) {
	t.Parallel()
	const title = "A report that has a title line over the whole of its width and then a table of all the ports"
	m := newFileHouse(t)
	i := m.ingestFiles("it", quern.IngestionOptions{},
		file{"a.pdf", pdf("", page(at{40, 40, title})+tablePage(80, ports...), tablePage(60, more...), tablePage(40, rest...))})
	want := "Port text, Country text, Ships integer, Tonnage double\n" + `["Bergen","Norway",12,1234.5]
["Hull","United Kingdom",7,980]
["Oslo","Norway",null,77]
["Malmo","Sweden",3,41.25]
["Aarhus","Denmark",5,6]
["Turku","Finland",8,9]
["Visby","Sweden",1,2]
["Riga","Latvia",3,4]
["Tallinn","Estonia",5,6]
`
	if got := m.table("it"); got != want {
		t.Errorf("ingest(pdf) = %s %s\n%s\nwant\n%s", i.Status, i.Message, got, want)
	}
	about := i.Report.Tables[0]
	if notes := fmt.Sprint(about.Notes); about.Detail != "PDF, table on pages 1 to 3" ||
		!strings.Contains(notes, "1 repeated heading was") || !strings.Contains(notes, "1 page has text outside") {
		t.Errorf("the report says %q and %s, want three pages, the heading and the title", about.Detail, notes)
	}
}

// TestTwoTablesOfAPage has tables whose columns stand below each other, with titles.
func TestTwoTablesOfAPage(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	fees := [][]string{{"Berth", "Calls", "Fees"}, {"B1", "2", "130.50"}, {"B2", "4", "260.00"}, {"B3", "6", "390.25"}}
	i := m.ingestFiles("it", quern.IngestionOptions{},
		file{"a.pdf", pdf("", page(at{40, 40, "Arrivals"})+tablePage(60, more...)+page(at{40, 150, "Fees by berth"})+tablePage(170, fees...))})
	for name, want := range map[string]string{
		"it":               "Port text, Country text, Ships integer, Tonnage integer\n[\"Aarhus\",\"Denmark\",5,6]\n[\"Turku\",\"Finland\",8,9]\n",
		"it_Fees_by_berth": "Berth text, Calls integer, Fees double\n[\"B1\",2,130.5]\n[\"B2\",4,260]\n[\"B3\",6,390.25]\n",
	} {
		if got := m.table(name); got != want {
			t.Errorf("%s = %s %s\n%s\nwant\n%s", name, i.Status, i.Message, got, want)
		}
	}
}

// TestTablesOfAPage are called as their captions or the headings above them.
func TestTablesOfAPage(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	i := m.ingestFiles("it", quern.IngestionOptions{}, file{"a.html", []byte(`<h1>Prices</h1><table><caption>Ropes</caption><tr><th>rope</th><th>price</th></tr>
		<tr><td>R1</td><td>3</td></tr></table><h2>Deck <b>lamps</b></h2><table><tr><th>lamp</th><th>power</th></tr><tr><td>L1</td><td>10 W</td></tr></table>
		<table><tr><th>x</th><th>y</th></tr><tr><td>1</td><td>2</td></tr></table>`)})
	var found []string
	for _, table := range i.Report.Tables {
		found = append(found, table.Member+" in "+table.Dataset)
	}
	if got := strings.Join(found, ", "); got != "Ropes in it, Deck lamps in it_Deck_lamps, table 3 in it_table_3" {
		t.Errorf("tables = %s: %s %s", got, i.Status, i.Message)
	}
}

// TestNumbersAtTheRightOfTheirHeading has numbers of which the long ones alone reach
// under the heading at the left of their column.
func TestNumbersAtTheRightOfTheirHeading(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	i := m.ingestFiles("it", quern.IngestionOptions{}, file{"a.pdf", pdf("", page(at{40, 40, "Item"}, at{200, 40, "Price"}, at{40, 60, "Rope"},
		at{247, 60, "4.50"}, at{40, 80, "Oar"}, at{247, 80, "7.25"}, at{40, 100, "Sail"}, at{220, 100, "11119.50"}, at{40, 120, "Mast"},
		at{226, 120, "8119.50"}))})
	want := "Item text, Price double\n" + `["Rope",4.5]
["Oar",7.25]
["Sail",11119.5]
["Mast",8119.5]
`
	if got := m.table("it"); got != want {
		t.Errorf("ingest(pdf) = %s %s\n%s\nwant\n%s", i.Status, i.Message, got, want)
	}
}

func TestTextOfPDF(t *testing.T) {
	t.Parallel()
	two := pdf("", page(at{40, 100, "First page"}), page(at{40, 100, "Second page"}))
	table := pdf("", tablePage(80, ports...))
	columns := make([]at, 0, 40)
	for n := range 20 {
		columns = append(columns, at{40, 60 + 14*n, "prose that is set in two columns is text"},
			at{320, 60 + 14*n, "and every line of it goes on and goes on"})
	}
	for _, tc := range []struct {
		name, want string
		data       []byte
		o          quern.IngestionOptions
	}{
		{"no table", "First page\"]\n[2,", two, quern.IngestionOptions{}},
		{"two columns of prose", "[1,", pdf("", page(columns...)), quern.IngestionOptions{PDF: "auto"}},
		{"a table read as pages", "Bergen", table, quern.IngestionOptions{PDF: "pages"}},
	} {
		m := newFileHouse(t)
		i := m.ingestFiles("it", tc.o, file{"a.pdf", tc.data})
		if got := m.table("it"); !strings.HasPrefix(got, "page integer, text text\n[1,") || !strings.Contains(got, tc.want) {
			t.Errorf("ingest(%s) = %s %s\n%s\nwant pages and %q", tc.name, i.Status, i.Message, got, tc.want)
		}
	}
}

func TestLockedPDF(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	for _, tc := range []struct {
		name, want string
		data       []byte
		o          quern.IngestionOptions
	}{
		{"locked.pdf", "locked.pdf: the PDF file is encrypted; save it without a password", pdf("secret", tablePage(80, ports...)),
			quern.IngestionOptions{}},
		{"locked.pdf", "locked.pdf: the PDF file is encrypted; save it without a password", pdf("secret", tablePage(80, ports...)),
			quern.IngestionOptions{PDF: "pages"}},
		{"none.pdf", "none.pdf: the PDF file holds no table; read as pages, it gives its text", pdf("", page(at{40, 40, "Text"})),
			quern.IngestionOptions{PDF: "tables"}},
		{"blank.pdf", "blank.pdf: the PDF file holds no text; pictures of text cannot be read", pdf("", ""), quern.IngestionOptions{}},
	} {
		if i := m.ingestFiles("it", tc.o, file{tc.name, tc.data}); i.Status != quern.IngestionFailed || i.Message != tc.want {
			t.Errorf("ingest(%s) = %s: %q, want %q", tc.name, i.Status, i.Message, tc.want)
		}
	}
}
