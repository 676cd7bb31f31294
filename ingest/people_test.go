package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"quern"
)

// people is files as people write them, and the tables that they meant.
var people = []struct {
	name, file, data, want string
	notes                  []string
	options                quern.IngestionOptions
}{
	{name: "money, percentages and thousands", file: "a.csv",
		data: "item,price,share,big,change\nBolt,\"$1,250.00\",35 %,1.2k,(350)\nNut,$5.00,2.5%,3M,12\n",
		want: `item text, price double $, share double %, big integer, change integer
["Bolt",1250,35,1200,-350]
["Nut",5,2.5,3000000,12]
`},
	{name: "decimal commas with the sign behind", file: "a.csv", data: "Posten;Betrag\nMiete;1.200,50 €\nStrom;-12,50 €\n",
		want: "Posten text, Betrag double €\n[\"Miete\",1200.5]\n[\"Strom\",-12.5]\n"},
	{name: "codes and negative money", file: "a.csv", data: "a,b\nEUR 12,-$3.50\nEUR 1000,($4.00)\n",
		want: "a integer EUR, b double $\n[12,-3.5]\n[1000,-4]\n"},
	{name: "measures", file: "a.csv", data: "w,t,code,size\n12.5 kg,21 °C,5A,3M-x\n3 kg,-2 °C,12m,4\n",
		want: "w double kg, t integer °C, code text, size text\n[12.5,21,\"5A\",\"3M-x\"]\n[3,-2,\"12m\",\"4\"]\n"},
	{name: "two currencies stay text", file: "a.csv", data: "n,p\n1,$5\n2,5 €\n", want: "n integer, p text\n[1,\"$5\"]\n[2,\"5 €\"]\n",
		notes: []string{"p has values in $ and in €; it was left as text"}},
	{name: "two currencies, each written its own way", file: "a.csv", data: "n;p\n1;12,50 €\n2;$3.00\n3;$4.00\n",
		want: "n integer, p text\n[1,\"12,50 €\"]\n[2,\"$3.00\"]\n[3,\"$4.00\"]\n", notes: []string{"p has values in € and in $; it was left as text"}},
	{name: "percentages beside parts of one stay text", file: "a.csv", data: "n,p\n1,5%\n2,0.05\n",
		want: "n integer, p text\n[1,\"5%\"]\n[2,\"0.05\"]\n", notes: []string{"p has values with and without %"}},
	{name: "money with some signs left out", file: "a.csv", data: "n,p\n1,$5\n2,7\n", want: "n integer, p integer $\n[1,5]\n[2,7]\n",
		notes: []string{"p has numbers without a unit beside those in $"}},
	{name: "a title, empty lines and rows of commas", file: "a.csv",
		data: "Sales report\nFrom:,2024-01-01\n\nid,name,n\n1,Ada,2\n,,\n2,Bo,3\n", want: "id integer, name text, n integer\n[1,\"Ada\",2]\n[2,\"Bo\",3]\n",
		notes: []string{"2 rows above the header were left out"}},
	{name: "a header of two rows", file: "a.csv", data: "Region,2023,,2024,\n,Q1,Q2,Q1,Q2\nNorth,1,2,3,4\nSouth,5,6,7,8\n",
		want: `Region text, _2023_Q1 integer, _2023_Q2 integer, _2024_Q1 integer, _2024_Q2 integer
["North",1,2,3,4]
["South",5,6,7,8]
`},
	{name: "a header of two rows in a page", file: "a.html",
		data: `<table><tr><th colspan=3>Sales</th></tr><tr><th rowspan=2>Region</th><th colspan=2>2023</th></tr><tr><th>Q1</th><th>Q2</th></tr>
			<tr><td>North</td><td>1</td><td>2</td></tr></table>`,
		want: "Region text, _2023_Q1 integer, _2023_Q2 integer\n[\"North\",1,2]\n", notes: []string{"1 row above the header was left out"}},
	{name: "totals that follow", file: "a.csv", data: "id,amount,share\n1,10.50,40%\n2,15.75,60%\nTotal,26.25,100%\n",
		want:  "id integer, amount double, share integer %\n[1,10.5,40]\n[2,15.75,60]\n",
		notes: []string{"the last row was left out: its numbers are totals"}},
	{name: "totals that do not follow", file: "a.csv", data: "id,amount\n1,10\n2,15\nTotal,26\n",
		want: "id text, amount integer\n[\"1\",10]\n[\"2\",15]\n[\"Total\",26]\n"},
	{name: "totals that are kept", file: "a.csv", options: quern.IngestionOptions{Totals: quern.KeepTotals},
		data: "id,amount\n1,10\n2,15\nTotal,25\n", want: "id text, amount integer\n[\"1\",10]\n[\"2\",15]\n[\"Total\",25]\n"},
	{name: "a table that is called total", file: "a.csv", data: "team,points\nTotal,3\nAjax,4\n",
		want: "team text, points integer\n[\"Total\",3]\n[\"Ajax\",4]\n"},
	{name: "no delimiter", file: "a.csv", data: "name\nAda\nBo\n", want: "name text\n[\"Ada\"]\n[\"Bo\"]\n",
		notes: []string{"each line is one value"}},
	{name: "ragged", file: "a.csv", data: "a,b,c,d\n1,2\n1,2,3\n1,2,3,4\n1,2\n1,2,3\n",
		want: `a integer, b integer, c integer, d integer
[1,2,null,null]
[1,2,3,null]
[1,2,3,4]
[1,2,null,null]
[1,2,3,null]
`, notes: []string{"4 rows had fewer cells"}},
	{name: "tiny", file: "a.csv", data: "a,b\n", want: "a text, b text\n", notes: []string{"it has no rows: all that it holds was read as the names of columns"}},
	{name: "a sentence with a comma", file: "note.txt", data: "just a sentence, and nothing more.",
		want: "text text\n[\"just a sentence, and nothing more.\"]\n"},
	{name: "names of columns in a text", file: "note.txt", data: "id, first name, city of birth\n", want: "id text, first_name text, city_of_birth text\n",
		notes: []string{"it has no rows: all that it holds was read as the names of columns"}},
	{name: "signs and billions", file: "a.csv", data: "coin,change,cap,phone\nBitcoin,+2.1%,$845.2B,+49 301 234\nTether,-0.4%,$95.1B,+49 301 235\n",
		want: "coin text, change double %, cap integer $, phone text\n[\"Bitcoin\",2.1,845200000000,\"+49 301 234\"]\n[\"Tether\",-0.4,95100000000,\"+49 301 235\"]\n"},
	{name: "what an account is, above its lines", file: "a.csv",
		data: "Statement;;;\nAccount 12345678;Period 01.01.2030 - 31.01.2030;;\n\nDay;Text;Amount;Balance\n02.01.2030;Rent;-850,00;150,00\n03.01.2030;Pay;2.500,00;2.650,00\n",
		want: `Day date, Text text, Amount double, Balance double
["2030-01-02","Rent",-850,150]
["2030-01-03","Pay",2500,2650]
`, notes: []string{"2 rows above the header were left out"}},
	{name: "the same without an empty line", file: "a.csv", data: "Account 12345678;Period 01.01.2030 - 31.01.2030;;\nDay;Text;Amount;Balance\n02.01.2030;Rent;-8,50;1,00\n",
		want: "Day date, Text text, Amount double, Balance double\n[\"2030-01-02\",\"Rent\",-8.5,1]\n", notes: []string{"1 row above the header was left out"}},
	{name: "a log with decimal commas", file: "a.log", data: "2030-02-04 08:00:00,000 INFO [w-1] a - up\n2030-02-04 08:00:01,007 WARN [w-2] b - slow, very\n  at x.go:1\n",
		want: `text text
["2030-02-04 08:00:00,000 INFO [w-1] a - up"]
["2030-02-04 08:00:01,007 WARN [w-2] b - slow, very"]
["  at x.go:1"]
`},
	{name: "an envelope far down", file: "a.json", data: `{"data":{"shop":{"orders":{"total":2,"nodes":[{"id":1,"by":{"login":"ada"}},{"id":2,"by":{}}]}}}}`,
		want: "id integer, by_login text\n[1,\"ada\"]\n[2,null]\n", notes: []string{"the rows are those of data.shop.orders.nodes"}},
	{name: "objects without members", file: "a.json", data: `[{"id":1,"more":{}},{"id":2,"more":{}}]`, want: "id integer\n[1]\n[2]\n",
		notes: []string{"objects without members were left out: more"}},
	{name: "a sentence and another", file: "a.csv", data: "The figures were approved by the board.\nAsk Ada for the rest of them.\n",
		want: "column_1 text\n[\"The figures were approved by the board.\"]\n[\"Ask Ada for the rest of them.\"]\n"},
	{name: "a bar of links above a table", file: "a.html",
		data: `<table><tr><td>Home</td><td>Blog</td></tr></table><h2>Ropes</h2><table><tr><th>a</th></tr><tr><td>1</td></tr></table>`,
		want: "a integer\n[1]\n", notes: []string{"1 table without rows was left out"}},
	{name: "types that are asked for", file: "a.csv",
		options: quern.IngestionOptions{Columns: map[string]quern.ColumnOption{
			"ID": {Type: quern.Integer}, "when": {DateOrder: "dmy"}, "n": {Decimal: ","}, "zip": {Type: quern.Text}, "At": {Type: quern.Timestamp},
		}},
		data: "id,when,n,zip,at\n007,01/02/2024,\"1,234\",1,2024-01-02\n010,03/04/2024,2,2,2024-01-03\n",
		want: `id integer, when date, n double, zip text, at timestamp
[7,"2024-02-01",1.234,"1","2024-01-02T00:00:00Z"]
[10,"2024-04-03",2,"2","2024-01-03T00:00:00Z"]
`},
}

// unitTable is table with the units of columns behind their types.
func (m *fileHouse) unitTable(name string) string {
	m.t.Helper()
	text := m.table(name)
	d, _, err := m.Catalog.Describe(m.t.Context(), m.ada, dataset(name))
	must(m.t, err)
	head, rows, _ := strings.Cut(text, "\n")
	parts := strings.Split(head, ", ")
	for i, c := range d.Columns {
		if c.Unit != "" {
			parts[i] += " " + c.Unit
		}
	}
	return strings.Join(parts, ", ") + "\n" + rows
}

func TestFilesAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for _, tc := range people {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := newFileHouse(t)
			i := m.ingestFiles("it", tc.options, file{tc.file, []byte(tc.data)})
			if i.Status != quern.IngestionCompleted {
				t.Fatalf("ingest(%q) = %s: %s, want it completed", tc.data, i.Status, i.Message)
			}
			if got := m.unitTable("it"); got != tc.want {
				t.Errorf("ingest(%q) =\n%s\nwant\n%s", tc.data, got, tc.want)
			}
			notes := fmt.Sprint(i.Report.Tables[0].Notes)
			for _, want := range tc.notes {
				if !strings.Contains(notes, want) {
					t.Errorf("ingest(%q) notes %s, want %q among them", tc.data, notes, want)
				}
			}
		})
	}
}

func TestTotalsAreListed(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	i := m.ingestFiles("it", quern.IngestionOptions{}, file{"a.csv", []byte("id,n\n1,10\n2,15\nTotal,25\n")})
	rows, err := m.ingest.Rejected(t.Context(), m.ada, i.ID, 0, 10)
	must(t, err)
	if i.Report.Rejected != 1 || len(rows) != 1 || rows[0].Line != 4 || !strings.Contains(rows[0].Reason, "totals") {
		t.Errorf("rejected rows = %d, %+v, want the totals", i.Report.Rejected, rows)
	}
}

// A second file in another currency makes the column text; one in the same adds to it.
func TestUnitsOfAColumnStay(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	m.ingestFiles("it", quern.IngestionOptions{}, file{"a.csv", []byte("n,p\n1,$5\n")})
	m.ingestFiles("it", quern.IngestionOptions{}, file{"b.csv", []byte("n,p\n2,$6.50\n")})
	if got, want := m.unitTable("it"), "n integer, p double $\n[1,5]\n[2,6.5]\n"; got != want {
		t.Errorf("two files in one currency =\n%s\nwant\n%s", got, want)
	}
	m.ingestFiles("it", quern.IngestionOptions{}, file{"c.csv", []byte("n,p\n3,7 €\n")})
	if got := m.unitTable("it"); !strings.HasPrefix(got, "n integer, p text\n") || !strings.Contains(got, `[3,"7 €"]`) {
		t.Errorf("with a third in another =\n%s\nwant text", got)
	}
}

func TestWantedTypesThatDoNotFit(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	want := quern.IngestionOptions{Columns: map[string]quern.ColumnOption{"n": {Type: quern.Integer}}}
	data := []byte("id,n\n1,5\n2,x\n3,7.5\n")
	i := m.ingestFiles("it", want, file{"a.csv", data})
	if i.Status != quern.IngestionFailed || !strings.Contains(i.Message, `line 3: "x" is no integer, which "n" is to be (and 1 more)`) {
		t.Errorf("ingest() = %s: %s, want it refused for two rows", i.Status, i.Message)
	}
	want.OnError = quern.Quarantine
	if i = m.ingestFiles("it", want, file{"a.csv", data}); i.Report.Rejected != 2 {
		t.Errorf("ingest() with quarantine = %s: %s, %d rejected, want 2", i.Status, i.Message, i.Report.Rejected)
	}
	if got := m.table("it"); got != "id integer, n integer\n[1,5]\n" {
		t.Errorf("the dataset is\n%s", got)
	}
	unknown := quern.IngestionOptions{Columns: map[string]quern.ColumnOption{"nn": {Type: quern.Integer}}}
	if i = m.ingestFiles("it", unknown, file{"a.csv", data}); !strings.Contains(i.Message, `columns: "nn" is no column of the files, which have id, n`) {
		t.Errorf("ingest() = %s: %s, want the unknown column named", i.Status, i.Message)
	}
	typed := quern.IngestionOptions{Columns: map[string]quern.ColumnOption{"n": {Type: quern.Date}}}
	if i = m.ingestFiles("it", typed, file{"a.json", []byte(`[{"n":1}]`)}); !strings.Contains(i.Message, "types of their own") {
		t.Errorf("ingest(JSON) = %s: %s, want it refused", i.Status, i.Message)
	}
}
