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
	{"id":9,"customer":{"name":"Ada"},"lines":[{"sku":"a","n":5,"parts":[1],"orders_id":1}]}]}`

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
			"[7,\"a\",2,\"x\",null,null]\n[7,\"b\",1,null,null,null]\n[9,\"a\",5,null,[1],1]\n",
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

const nestedOrders = `[
	{"id":7,"shipments":[
		{"id":"s1","boxes":[{"no":1,"items":[{"sku":"a","lots":[{"lot":"x"}]},{"sku":"b"}]},{"no":2,"items":[]}]},
		{"id":"s2","boxes":[{"no":1,"items":[{"sku":"a","lots":[]}]}]}]},
	{"id":8,"shipments":[{"id":"s3","boxes":null}]}]`

// TestListsInLists become datasets with the keys of the objects that they are in: an id,
// or else the number of the row.
func TestListsInLists(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	want := map[string]string{
		"orders":                       "id integer\n[7]\n[8]\n",
		"orders_shipments":             "orders_id integer, id text\n[7,\"s1\"]\n[7,\"s2\"]\n[8,\"s3\"]\n",
		"orders_shipments_boxes":       "orders_shipments_id text, row_number integer, no integer\n[\"s1\",0,1]\n[\"s1\",1,2]\n[\"s2\",2,1]\n",
		"orders_shipments_boxes_items": "orders_shipments_boxes_row_number integer, sku text, lots json\n[0,\"a\",[{\"lot\":\"x\"}]]\n[0,\"b\",null]\n[2,\"a\",[]]\n",
	}
	i := m.ingestFiles("orders", quern.IngestionOptions{}, file{"orders.json", []byte(nestedOrders)})
	for name, want := range want {
		if got := m.table(name); got != want {
			t.Errorf("%s =\n%s\nwant\n%s", name, got, want)
		}
	}
	notes := fmt.Sprint(i.Report.Tables)
	for _, want := range []string{"shipments_boxes_items (orders_shipments_boxes_items)", "stayed nested: lots",
		"orders_shipments_boxes_row_number is the key of orders_shipments_boxes", "their numbers are kept in row_number"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the report = %s, want %q", notes, want)
		}
	}
	// Another file goes on with the numbers; the places of its rows are told.
	more := `[{"id":9,"shipments":[{"id":"s4","boxes":[{"no":1,"items":[{"sku":"c"}]}]}]}]`
	m.ingestFiles("orders", quern.IngestionOptions{}, file{"more.json", []byte(more)})
	const joined = "SELECT s.orders_id, b.no, i.sku, i.__file FROM orders_shipments_boxes_items i " +
		"JOIN orders_shipments_boxes b ON b.row_number = i.orders_shipments_boxes_row_number " +
		"JOIN orders_shipments s ON s.id = b.orders_shipments_id WHERE b.row_number = b.__row ORDER BY i.__row"
	got, err := m.rowsOf(joined)
	if want := `[7,1,"a","orders.json"] [7,1,"b","orders.json"] [7,1,"a","orders.json"] [9,1,"c","more.json"]`; got != want || err != nil {
		t.Errorf("items with their orders = %s, %v, want %s", got, err, want)
	}
}

func TestHowDeepListsInListsGo(t *testing.T) {
	t.Parallel()
	m := newFileHouse(t)
	one := 1
	data := file{"orders.json", []byte(nestedOrders)}
	for name, o := range map[string]quern.IngestionOptions{
		"flat": {Nested: &one}, "kept": {Lists: map[string]string{"shipments_boxes": ""}},
	} {
		m.ingestFiles(name, o, data)
		if got := m.table(name + "_shipments"); !strings.HasPrefix(got, name+"_id integer, id text, boxes json\n") {
			t.Errorf("%s_shipments =\n%s\nwant the boxes nested", name, got)
		}
	}
	lists := map[string]string{"shipments": "sent", "shipments_boxes_items": "things"}
	m.ingestFiles("named", quern.IngestionOptions{Lists: lists}, data)
	if got, want := m.table("sent_boxes"), "sent_id text, row_number integer, no integer\n"; !strings.HasPrefix(got, want) {
		t.Errorf("sent_boxes =\n%s\nwant %s", got, want)
	}
	if got := m.table("things"); !strings.HasPrefix(got, "sent_boxes_row_number integer, sku text") {
		t.Errorf("things =\n%s", got)
	}
	i := m.ingestFiles("bad", quern.IngestionOptions{Lists: map[string]string{"shipments": "", "shipments_boxes": "x"}}, data)
	if i.Status != quern.IngestionFailed || !strings.Contains(i.Message, `"shipments_boxes" is no list of objects`) {
		t.Errorf("a name of a list in one that stays nested = %s: %s, want it refused", i.Status, i.Message)
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
