package embedded_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quern"
	"quern/engine"
	"quern/engine/duckdb"
	"quern/housetest"
	"quern/nlq"
	"quern/nlq/embedded"
	"quern/nlq/nlqtest"
	"quern/nlq/schema"
	"quern/query"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is a translator with every real part behind it.
type house struct {
	*housetest.House
	t        testing.TB
	ada, bob quern.Principal
	schemas  *schema.Service
	*embedded.Translator
}

func newHouse(t testing.TB) *house {
	t.Helper()
	h := &house{House: housetest.New(t, housetest.Options{Engine: duckdb.Options{Threads: 1}}), t: t}
	h.ada, h.bob = h.User("ada"), h.User("bob")
	h.schemas, _ = nlqtest.Schemas(t, h.House)
	h.Translator = h.newTranslator()
	return h
}

// newTranslator makes a translator that remembers nothing.
func (h *house) newTranslator() *embedded.Translator {
	h.t.Helper()
	made, err := embedded.New(embedded.Options{Schemas: h.schemas, Query: h.House.Query})
	must(h.t, err)
	return made
}

var must = housetest.Must

// in is where most questions are asked.
var in = quern.NamespacePath{Owner: "ada", Namespace: "trade"}

func at(dataset string) quern.DatasetPath {
	return quern.DatasetPath{Owner: in.Owner, Namespace: in.Namespace, Dataset: dataset}
}

// dataset makes a dataset of ada's from a JSON array of rows; none when it is empty.
func (h *house) dataset(path quern.DatasetPath, rows string) {
	h.t.Helper()
	h.Dataset(h.ada, path.Namespace+"/"+path.Dataset, rows)
}

// trade makes shops and orders: what most questions are about.
func (h *house) trade() *house {
	h.t.Helper()
	h.dataset(at("shops"), `[
		{"shop_id":1,"name":"Corner","town":"Paris","founded":1998},
		{"shop_id":2,"name":"Harbour","town":"Lyon","founded":2004},
		{"shop_id":3,"name":"Market","town":"Nantes","founded":2011}]`)
	h.dataset(at("orders"), `[
		{"order_id":11,"shop_id":1,"status":"open","city":"Paris","price":120.5,"date":"2021-03-01"},
		{"order_id":12,"shop_id":1,"status":"paid","city":"Lyon","price":80,"date":"2021-05-11"},
		{"order_id":13,"shop_id":2,"status":"open","city":"Lyon","price":40,"date":"2022-01-07"},
		{"order_id":14,"shop_id":2,"status":"cancelled","city":"Marseille","price":300,"date":"2022-02-14"},
		{"order_id":15,"shop_id":2,"status":"paid","city":"Marseille","price":15,"date":"2022-08-30"},
		{"order_id":16,"shop_id":3,"status":"cancelled","city":"Paris","price":60,"date":"2023-06-21"},
		{"order_id":17,"shop_id":2,"status":"open","city":"Marseille","price":200,"date":"2023-09-09"}]`)
	h.Link(h.ada, "ada.trade.orders.shop_id", "ada.trade.shops.shop_id")
	return h
}

func question(text string) nlq.Question {
	return nlq.Question{In: in, Text: text, Now: time.Date(2023, 10, 1, 12, 0, 0, 0, time.UTC)}
}

// read reads a question of ada's; after is the turn before, if there was one.
func (h *house) read(text string, after *nlq.Translation) nlq.Translation {
	h.t.Helper()
	q := question(text)
	if after != nil {
		q.Previous = &nlq.Turn{Question: "before", Query: after.Query}
	}
	t, err := h.Translate(h.t.Context(), h.ada, q)
	if err != nil {
		h.t.Fatalf("Translate(%q) = %v, want a reading or a question back", text, err)
	}
	if (t.Query == nil) != (t.Clarification != nil) || (t.SQL == "") != (t.Query == nil) {
		h.t.Fatalf("Translate(%q) = %+v, want a query or a question back", text, t)
	}
	return t
}

// rows runs a reading as the asker and gives its rows in short: cells apart by
// spaces, rows by semicolons, in their order.
func (h *house) rows(p quern.Principal, t nlq.Translation) string {
	h.t.Helper()
	rows, err := h.House.Query.SQL(h.t.Context(), p, query.Request{In: in, SQL: t.SQL})
	if err != nil {
		h.t.Fatalf("the query %s = %v, want rows", t.SQL, err)
	}
	text := inShort(h.t, rows)
	if t.Result == nil {
		return text
	}
	if found := inShort(h.t, t.Result.Stream()); sorted(found) != sorted(text) || t.Result.Total != int64(len(t.Result.Rows)) {
		h.t.Errorf("%s came with the rows %s, %d in all, want %s", t.SQL, found, t.Result.Total, text)
	}
	return text
}

// inShort writes rows in short, and closes them.
func inShort(t testing.TB, rows engine.Rows) string {
	t.Helper()
	defer rows.Close()
	var all []string
	for rows.Next() {
		var cells []string
		for _, v := range rows.Row() {
			cells = append(cells, fmt.Sprint(v))
		}
		all = append(all, strings.Join(cells, " "))
	}
	must(t, rows.Err())
	return strings.Join(all, "; ")
}

// sorted gives rows whose order does not matter.
func sorted(rows string) string {
	all := strings.Split(rows, "; ")
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// answers asks questions, and wants the rows of each, in any order.
func (h *house) answers(wanted map[string]string) {
	h.t.Helper()
	for question, want := range wanted {
		got := h.read(question, nil)
		if got.Clarification != nil {
			h.t.Errorf("Translate(%q) asks back %q, want %s", question, got.Clarification.Question, want)
			continue
		}
		if rows := sorted(h.rows(h.ada, got)); rows != want {
			h.t.Errorf("Translate(%q) = %s, which gives %s, want %s", question, got.SQL, rows, want)
		}
	}
}
