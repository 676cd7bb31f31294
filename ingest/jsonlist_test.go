package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"quern"
	"quern/catalog"
	"quern/ingest"
)

const shopOrders = `{"meta":{"page":1},"data":[
	{"id":7,"customer":{"name":"Ada","phones":[{"no":"1"},{"no":"2"}]},
	 "lines":[{"sku":"a","n":2,"at":{"shop":"x"}},{"sku":"b","n":1}],"tags":["x"]},
	{"id":8,"customer":{"name":"Bob"},"lines":[],"tags":[]},
	{"id":9,"customer":{"name":"Ada"},"lines":[{"sku":"a","n":5,"parts":[{"x":1}],"orders_id":1}]}]}`

func TestListsOfObjectsBecomeDatasets(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	i := m.ingestFiles("orders", quern.IngestionOptions{}, file{"orders.json", []byte(shopOrders)})
	if i.Status != quern.IngestionCompleted || i.ProcessedRows != 8 {
		t.Fatalf("ingest() = %s: %s, %d rows, want 8", i.Status, i.Message, i.ProcessedRows)
	}
	for name, want := range map[string]string{
		"orders": "id integer, customer_name text, tags json\n[7,\"Ada\",[\"x\"]]\n[8,\"Bob\",[]]\n[9,\"Ada\",null]\n",
		"orders_lines": "orders_id_2 integer, sku text, n integer, at_shop text, parts json, orders_id integer\n" +
			"[7,\"a\",2,\"x\",null,null]\n[7,\"b\",1,null,null,null]\n[9,\"a\",5,null,[{\"x\":1}],1]\n",
		"orders_customer_phones": "orders_id integer, no text\n[7,\"1\"]\n[7,\"2\"]\n",
	} {
		if got := m.table(name); got != want {
			t.Errorf("%s =\n%s\nwant\n%s", name, got, want)
		}
	}
	notes := fmt.Sprint(i.Report.Tables)
	for _, want := range []string{"became datasets: customer_phones (orders_customer_phones), lines (orders_lines)", "stayed nested: tags",
		"stayed nested: parts", "orders_id_2 is the key of orders"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the report = %s, want %q", notes, want)
		}
	}
	// The next file goes into the same datasets, and tells where its rows came from.
	m.ingestFiles("orders", quern.IngestionOptions{}, file{"more.json", []byte(`[{"id":10,"lines":[{"sku":"c","n":3}]}]`)})
	const joined = "SELECT l.sku, o.id, l.__file FROM orders o JOIN orders_lines l ON l.orders_id_2 = o.id WHERE o.id > 8 ORDER BY 2"
	if got, err := m.rowsOf(joined); got != `["a",9,"orders.json"] ["c",10,"more.json"]` || err != nil {
		t.Errorf("lines of the later orders = %s, %v", got, err)
	}
}

func TestListsOfRowsThatNothingTellsApart(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	lines := `{"who":"a","id":1,"items":[{"x":1},{"x":2}]}` + "\n" + `{"who":"b","id":1,"items":[{"x":3}]}` + "\n"
	for n, mode := range []quern.IngestMode{"", "", quern.ReplaceRows} {
		i := m.ingestFiles("seen", quern.IngestionOptions{Mode: mode}, file{fmt.Sprint(n, ".ndjson"), []byte(lines)})
		if i.Status != quern.IngestionCompleted {
			t.Fatalf("ingest(%d) = %s: %s", n, i.Status, i.Message)
		}
		got, err := m.rowsOf("SELECT s.who, i.x FROM seen s JOIN seen_items i ON i.seen_row_number = s.row_number " +
			"WHERE s.row_number = s.__row ORDER BY s.__row, x")
		want := `["a",1] ["a",2] ["b",3]`
		if n == 1 {
			want += " " + want
		}
		if got != want || err != nil {
			t.Errorf("ingest(%d): rows with their items = %s, %v, want %s", n, got, err, want)
		}
	}
}

func TestListsStayNestedWhereThatIsSaid(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	data := []byte(`[{"id":1,"items":[{"x":1}],"notes":[{"t":"a"}],"mixed":[{"x":1}]},{"id":2,"items":null,"mixed":[2]}]`)
	for name, o := range map[string]quern.IngestionOptions{"one": {Into: quern.IntoOne}, "none": {Nested: new(int)}} {
		m.ingestFiles(name, o, file{"a.json", data})
		want := "id integer, items json, notes json, mixed json\n[1,[{\"x\":1}],[{\"t\":\"a\"}],[{\"x\":1}]]\n[2,null,null,[2]]\n"
		if got := m.table(name); got != want {
			t.Errorf("%s =\n%s\nwant\n%s", name, got, want)
		}
	}
	m.ingestFiles("one", quern.IngestionOptions{}, file{"b.json", data}) // its columns are nested already
	if got := m.table("one"); strings.Count(got, "[{") != 6 {
		t.Errorf("one, again =\n%s\nwant what is nested to stay so", got)
	}
	m.ingestFiles("named", quern.IngestionOptions{Lists: map[string]string{"items": "things", "notes": ""}}, file{"a.json", data})
	for name, want := range map[string]string{
		"named":  "id integer, notes json, mixed json\n[1,[{\"t\":\"a\"}],[{\"x\":1}]]\n[2,null,[2]]\n",
		"things": "named_id integer, x integer\n[1,1]\n",
	} {
		if got := m.table(name); got != want {
			t.Errorf("%s =\n%s\nwant\n%s", name, got, want)
		}
	}
	for want, o := range map[string]quern.IngestionOptions{
		"lists: \"other\" is no list of objects": {Lists: map[string]string{"other": "x"}},
		"all lists stay nested":                  {Lists: map[string]string{"items": "x"}, Into: quern.IntoOne},
	} {
		if i := m.ingestFiles("bad", o, file{"a.json", data}); i.Status != quern.IngestionFailed || !strings.Contains(i.Message, want) {
			t.Errorf("ingest(%+v) = %s: %s, want a failure with %s", o, i.Status, i.Message, want)
		}
	}
	look, err := m.ingest.Preview(t.Context(), m.ada, dataset("later"), ingest.Request{Session: m.upload(file{"a.json", data})})
	must(t, err)
	var tables []string
	for _, table := range look.Tables {
		tables = append(tables, fmt.Sprint(table.Dataset, " ", table.Rows))
	}
	if got := strings.Join(tables, ", "); got != "later 2, later_items 1, later_notes 1" {
		t.Errorf("Preview() = %s, want the datasets of lists", got)
	}
}

func TestWhoMayMakeNoDatasetsKeepsListsNested(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	m.ingestFiles("shared", quern.IngestionOptions{}, file{"a.json", []byte(`[{"id":1}]`)})
	bob := m.User("bob")
	everything := catalog.Target{Owner: "ada", Namespace: "files"}
	_, err := m.Catalog.Share(t.Context(), m.ada, everything, quern.Share{Username: "bob", Role: quern.Editor})
	must(t, err)
	data := file{"b.json", []byte(`[{"id":2,"items":[{"x":1}]}]`)}
	for _, into := range []quern.Into{"", quern.IntoOne} {
		want := quern.IngestionFailed
		if into == quern.IntoOne {
			want = quern.IngestionCompleted
		}
		id, err := m.ingest.Start(t.Context(), bob, dataset("shared"), ingest.Request{
			Session: m.upload(data), Options: quern.IngestionOptions{Into: into}})
		must(t, err)
		_, err = m.ingest.WorkOnce(t.Context())
		must(t, err)
		i, _, err := m.ingest.Ingestion(t.Context(), bob, id)
		must(t, err)
		if i.Status != want || want == quern.IngestionFailed && !strings.Contains(i.Message, "items") {
			t.Errorf("ingest(into %q) by an editor = %s: %s, want %s", into, i.Status, i.Message, want)
		}
	}
}
