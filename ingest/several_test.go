package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"quern"
	"quern/catalog"
)

// sheetsFile makes an Excel file of sheets, each of rows of cells. A row nil is empty.
func sheetsFile(sheets ...[][]string) []byte {
	const head = `<?xml version="1.0" encoding="UTF-8"?>`
	var list, relations strings.Builder
	entries := []file{}
	for n, rows := range sheets {
		fmt.Fprintf(&list, `<sheet name=%q sheetId="%d" r:id="rId%d"/>`, rows[0][0], n+1, n+1)
		fmt.Fprintf(&relations, `<Relationship Id="rId%d" Target="worksheets/sheet%d.xml"/>`, n+1, n+1)
		var body strings.Builder
		for i, row := range rows[1:] {
			fmt.Fprintf(&body, `<row r="%d">`, i+1)
			for c, cell := range row {
				ref := fmt.Sprintf("%c%d", 'A'+c, i+1)
				switch {
				case cell == "":
				case cell[0] >= '0' && cell[0] <= '9':
					fmt.Fprintf(&body, `<c r=%q><v>%s</v></c>`, ref, cell)
				default:
					body.WriteString(inline(ref, cell))
				}
			}
			body.WriteString(`</row>`)
		}
		entries = append(entries, file{fmt.Sprintf("xl/worksheets/sheet%d.xml", n+1),
			[]byte(head + `<worksheet><sheetData>` + body.String() + `</sheetData></worksheet>`)})
	}
	return zipped(append(entries, file{"[Content_Types].xml", []byte(head + `<Types/>`)},
		file{"xl/workbook.xml", []byte(head + `<workbook xmlns:r="r"><sheets>` + list.String() + `</sheets></workbook>`)},
		file{"xl/_rels/workbook.xml.rels", []byte(head + `<Relationships>` + relations.String() + `</Relationships>`)})...)
}

var (
	january  = [][]string{{"Jan"}, {"id", "n"}, {"1", "10"}, {"2", "20"}}
	february = [][]string{{"Feb"}, {"id", "n"}, {"3", "30"}}
	people2  = [][]string{{"The people"}, {"name", "born"}, {"Ada", "1815"}}
)

func TestSheetsBecomeDatasets(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	book := file{"book.xlsx", sheetsFile(january, people2, february)}
	i := m.ingestFiles("it", quern.IngestionOptions{}, book)
	if i.Status != quern.IngestionCompleted || i.ProcessedRows != 4 {
		t.Fatalf("ingest() = %s: %s, %d rows, want 4", i.Status, i.Message, i.ProcessedRows)
	}
	var datasets []string
	for _, table := range i.Report.Tables {
		datasets = append(datasets, table.Dataset)
	}
	if got := fmt.Sprint(datasets); got != "[it it_The_people it]" {
		t.Errorf("the tables went into %s", got)
	}
	for name, want := range map[string]string{
		"it":            "id integer, n integer, sheet text\n[1,10,\"Jan\"]\n[2,20,\"Jan\"]\n[3,30,\"Feb\"]\n",
		"it_The_people": "name text, born integer\n[\"Ada\",1815]\n",
	} {
		if got := m.table(name); got != want {
			t.Errorf("%s =\n%s\nwant\n%s", name, got, want)
		}
	}
	// The same workbook again goes into the same datasets; replacing empties them all.
	m.ingestFiles("it", quern.IngestionOptions{Mode: quern.ReplaceRows}, book)
	if got := m.table("it_The_people"); got != "name text, born integer\n[\"Ada\",1815]\n" {
		t.Errorf("it_The_people after replacing =\n%s", got)
	}
	m.ingestFiles("it", quern.IngestionOptions{}, book)
	if got := strings.Count(m.table("it_The_people"), "Ada"); got != 2 {
		t.Errorf("it_The_people has Ada %d times after another, want 2", got)
	}
	// A dataset of somebody's own is not written to.
	m.Dataset(m.ada, "files/other_The_people", "")
	m.ingestFiles("other", quern.IngestionOptions{}, book)
	if got := m.table("other_The_people_2"); got != "name text, born integer\n[\"Ada\",1815]\n" {
		t.Errorf("other_The_people_2 =\n%s", got)
	}
	m.ingestFiles("one", quern.IngestionOptions{Into: quern.IntoOne}, book)
	if got := m.table("one"); !strings.HasPrefix(got, "id integer, n integer, name text, born integer\n") {
		t.Errorf("into one =\n%s", got)
	}
	m.ingestFiles("sheet", quern.IngestionOptions{Sheet: "the PEOPLE"}, book)
	if got := m.table("sheet"); got != "name text, born integer\n[\"Ada\",1815]\n" {
		t.Errorf("one sheet =\n%s", got)
	}
	if i = m.ingestFiles("none", quern.IngestionOptions{Sheet: "Mar"}, book); !strings.Contains(i.Message, `has no sheet "Mar" that holds something; it has Jan, The people, Feb`) {
		t.Errorf("a sheet that is not there = %s: %s", i.Status, i.Message)
	}
}

func TestArchivesBecomeDatasets(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	data := zipped(file{"2024/jan.csv", []byte("id,n\n1,2\n")}, file{"2024/feb.csv", []byte("id,n\n3,4\n")},
		file{"ships.json", []byte(`[{"ship":"Vega"}]`)}, file{"more.json", []byte(`[{"ship":"Rhea"}]`)})
	i := m.ingestFiles("it", quern.IngestionOptions{}, file{"all.zip", data})
	for name, want := range map[string]string{
		"it":       "id integer, n integer, file text\n[1,2,\"jan\"]\n[3,4,\"feb\"]\n",
		"it_ships": "file text, ship text\n[\"ships\",\"Vega\"]\n[\"more\",\"Rhea\"]\n",
	} {
		if got := m.table(name); got != want {
			t.Errorf("%s = %s %s\n%s\nwant\n%s", name, i.Status, i.Message, got, want)
		}
	}
}

func TestTablesOfOneSheet(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	below := [][]string{{"S"}, {"id", "n"}, {"1", "10"}, {"2", "20"}, nil, {"Expenses"}, {"what", "cost"}, {"Rent", "900"}, nil, {"Food", "100"}}
	m.ingestFiles("below", quern.IngestionOptions{}, file{"a.xlsx", sheetsFile(below)})
	beside := [][]string{{"S"}, {"id", "n", "", "what", "cost"}, {"1", "10", "", "Rent", "900"}, {"2", "20"}}
	i := m.ingestFiles("beside", quern.IngestionOptions{}, file{"a.xlsx", sheetsFile(beside)})
	room := [][]string{{"S"}, {"id", "n", "", "what", "cost"}, {"1", "10", "", "Rent", "900"}}
	m.ingestFiles("room", quern.IngestionOptions{}, file{"a.xlsx", sheetsFile(room)})
	for name, want := range map[string]string{
		"below":            "id integer, n integer\n[1,10]\n[2,20]\n",
		"below_S_Expenses": "what text, cost integer\n[\"Rent\",900]\n[\"Food\",100]\n",
		"beside":           "id integer, n integer\n[1,10]\n[2,20]\n",
		"beside_S_table_2": "what text, cost integer\n[\"Rent\",900]\n",
		"room":             "id integer, n integer, what text, cost integer\n[1,10,\"Rent\",900]\n",
	} {
		if got := m.table(name); got != want {
			t.Errorf("%s = %s %s\n%s\nwant\n%s", name, i.Status, i.Message, got, want)
		}
	}
}

// An editor may write to a dataset but make none beside it.
func TestWhoMayNotMakeDatasets(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	m.Dataset(m.ada, "files/it", "")
	bo := m.User("bo")
	_, err := m.Catalog.Share(t.Context(), m.ada, catalog.Target{Owner: "ada", Namespace: "files"}, quern.Share{Username: "bo", Role: quern.Editor})
	must(t, err)
	ada := m.ada
	m.ada = bo
	i := m.ingestFiles("it", quern.IngestionOptions{}, file{"a.xlsx", sheetsFile(january, people2)})
	if i.Status != quern.IngestionFailed || !strings.Contains(i.Message, "several tables (Jan, The people)") || !strings.Contains(i.Message, "into: one") {
		t.Errorf("an editor's workbook = %s: %s, want it refused with the tables", i.Status, i.Message)
	}
	if i = m.ingestFiles("it", quern.IngestionOptions{Into: quern.IntoOne}, file{"a.xlsx", sheetsFile(january, people2)}); i.Status != quern.IngestionCompleted {
		t.Errorf("into one = %s: %s, want it stored", i.Status, i.Message)
	}
	m.ada = ada
}

func TestPercentAndMoneyOfWorkbooks(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	rows := `<row r="1">` + inline("A1", "share") + inline("B1", "price") + inline("C1", "sum") + `</row>` +
		`<row r="2"><c r="A2" s="4"><v>0.355</v></c><c r="B2" s="5"><v>1250.5</v></c><c r="C2"><f>A2+B2</f></c></row>`
	i := m.ingestFiles("it", quern.IngestionOptions{}, file{"a.xlsx", workbook(rows)})
	if got, want := m.unitTable("it"), "share double %, price double €, sum text\n[35.5,1250.5,null]\n"; got != want {
		t.Errorf("ingest(workbook) = %s %s\n%s\nwant\n%s", i.Status, i.Message, got, want)
	}
	if notes := fmt.Sprint(i.Report.Tables[0].Notes); !strings.Contains(notes, "1 formula has no stored value") {
		t.Errorf("notes = %s, want the formula", notes)
	}
}
