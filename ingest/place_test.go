package ingest_test

import (
	"encoding/json"
	"strings"
	"testing"

	"quern"
	"quern/catalog"
	"quern/query"
	"quern/store"
)

// rowsOf writes the rows of a query.
func (m *fileHouse) rowsOf(sql string) (string, error) {
	m.t.Helper()
	rows, err := m.Query.SQL(m.t.Context(), m.ada, query.Request{In: quern.NamespacePath{Owner: "ada", Namespace: "files"}, SQL: sql})
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		row, err := json.Marshal(rows.Row())
		must(m.t, err)
		all = append(all, string(row))
	}
	return strings.Join(all, " "), rows.Err()
}

func TestRowsTellTheirFileSheetAndPage(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	m.ingestFiles("it", quern.IngestionOptions{}, file{"book.xlsx", sheetsFile(january, people2, february)})
	m.ingestFiles("it", quern.IngestionOptions{}, file{"more.csv", []byte("id,n\n4,40\n")})
	head := []string{"id", "ship", "crew"}
	m.ingestFiles("ships", quern.IngestionOptions{}, file{"ships.pdf", pdf("",
		tablePage(100, head, []string{"1", "Argo", "50"}, []string{"2", "Boreas", "40"}),
		tablePage(100, head, []string{"3", "Calypso", "30"}, []string{"4", "Dido", "20"}))})
	m.ingestFiles("text", quern.IngestionOptions{PDF: "pages"}, file{"two.pdf", pdf("", page(at{40, 40, "one"}), page(at{40, 40, "two"}))})
	for sql, want := range map[string]string{
		"SELECT id, __file, __sheet, __page FROM it ORDER BY id": `[1,"book.xlsx","Jan",null] [2,"book.xlsx","Jan",null] ` +
			`[3,"book.xlsx","Feb",null] [4,"more.csv",null,null]`,
		"SELECT name, __sheet FROM it_The_people":                                 `["Ada","The people"]`,
		"SELECT __sheet, sum(n) FROM it GROUP BY __sheet ORDER BY 1":              `["Feb",30] ["Jan",30] [null,40]`,
		"SELECT * FROM it WHERE __FILE = 'more.csv'":                              `[4,40,null]`,
		"SELECT ship, __page, __row FROM ships ORDER BY id":                       `["Argo",1,0] ["Boreas",1,1] ["Calypso",2,2] ["Dido",2,3]`,
		"SELECT a.ship FROM ships a JOIN it b USING (id) WHERE b.__sheet = 'Feb'": `["Calypso"]`,
		"SELECT text, __page FROM text ORDER BY 2":                                `["one",1] ["two",2]`,
	} {
		if got, err := m.rowsOf(sql); got != want || err != nil {
			t.Errorf("%s = %s, %v, want %s", sql, got, err, want)
		}
	}
	for sql, want := range map[string]string{
		"SELECT id, __row FROM it WHERE id = 3":        `"source":{"file":"book.xlsx","member":"Feb","sheet":"Feb","row":1}`,
		"SELECT ship, __row FROM ships WHERE id = '4'": `"source":{"file":"ships.pdf","page":2,"row":4}`,
	} {
		in := quern.NamespacePath{Owner: "ada", Namespace: "files"}
		rows, err := m.Query.SQL(t.Context(), m.ada, query.Request{In: in, SQL: sql})
		must(t, err)
		sourced := m.Query.Sourced(t.Context(), m.ada, rows)
		for sourced.Next() {
			if got := string(query.NewEncoder(rows.Columns()).Scored(1).AppendFrom(nil, sourced.Row(), sourced.RowSource())); !strings.Contains(got, want) {
				t.Errorf("%s = %s, want %s", sql, got, want)
			}
		}
		must(t, rows.Close())
	}
	for sql, want := range map[string]string{
		"SELECT __files FROM it":                       `line 1, column 8`,
		"SELECT *, __sheets FROM it WHERE __file = ''": `line 1, column 11`,
	} {
		if got, err := m.rowsOf(sql); !quern.Is(err, quern.Invalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s = %s, %v, want Invalid at %s", sql, got, err, want)
		}
	}
	// A sheet of a row that came before sheets were noted is not known.
	d, err := m.Catalog.Dataset(t.Context(), m.ada, dataset("it"), catalog.Read)
	must(t, err)
	must(t, m.Store.Update(t.Context(), func(tx *store.Tx) error { return tx.DeleteSources(t.Context(), d.ID) }))
	if got, err := m.rowsOf("SELECT DISTINCT __file, __sheet, __page FROM it"); got != "[null,null,null]" || err != nil {
		t.Errorf("rows without a source = %s, %v, want nulls", got, err)
	}
}
