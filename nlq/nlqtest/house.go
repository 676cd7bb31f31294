package nlqtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/engine"
	"quern/engine/duckdb"
	"quern/housetest"
	"quern/nlq"
	"quern/nlq/embedded"
	"quern/nlq/schema"
	"quern/query"
)

// House is an embedded translator with every real part behind it.
type House struct {
	*housetest.House
	*embedded.Translator
	Ada, Bob quern.Principal
	Schemas  *schema.Service
	t        testing.TB
}

// NewHouse makes a house without data.
func NewHouse(t testing.TB) *House {
	t.Helper()
	h := &House{House: housetest.New(t, housetest.Options{Engine: duckdb.Options{Threads: 1}}), t: t}
	h.Ada, h.Bob = h.User("ada"), h.User("bob")
	h.Schemas, _ = Schemas(t, h.House)
	h.Translator = h.NewTranslator()
	return h
}

// NewTranslator makes a translator that remembers nothing.
func (h *House) NewTranslator() *embedded.Translator {
	h.t.Helper()
	made, err := embedded.New(embedded.Options{Schemas: h.Schemas, Query: h.House.Query})
	housetest.Must(h.t, err)
	return made
}

// In is where most questions are asked.
var In = quern.NamespacePath{Owner: "ada", Namespace: "trade"}

// At is a dataset there.
func At(dataset string) quern.DatasetPath {
	return quern.DatasetPath{Owner: In.Owner, Namespace: In.Namespace, Dataset: dataset}
}

// Put makes a dataset there from a JSON array of rows; none when it is empty.
func (h *House) Put(dataset, rows string) {
	h.t.Helper()
	h.Dataset(h.Ada, In.Namespace+"/"+dataset, rows)
}

// Trade makes shops and orders: what most questions are about.
func (h *House) Trade() *House {
	h.t.Helper()
	h.Put("shops", `[
		{"shop_id":1,"name":"Corner","town":"Paris","founded":1998},
		{"shop_id":2,"name":"Harbour","town":"Lyon","founded":2004},
		{"shop_id":3,"name":"Market","town":"Nantes","founded":2011}]`)
	h.Put("orders", `[
		{"order_id":11,"shop_id":1,"status":"open","city":"Paris","price":120.5,"date":"2021-03-01"},
		{"order_id":12,"shop_id":1,"status":"paid","city":"Lyon","price":80,"date":"2021-05-11"},
		{"order_id":13,"shop_id":2,"status":"open","city":"Lyon","price":40,"date":"2022-01-07"},
		{"order_id":14,"shop_id":2,"status":"cancelled","city":"Marseille","price":300,"date":"2022-02-14"},
		{"order_id":15,"shop_id":2,"status":"paid","city":"Marseille","price":15,"date":"2022-08-30"},
		{"order_id":16,"shop_id":3,"status":"cancelled","city":"Paris","price":60,"date":"2023-06-21"},
		{"order_id":17,"shop_id":2,"status":"open","city":"Marseille","price":200,"date":"2023-09-09"}]`)
	h.Link(h.Ada, "ada.trade.orders.shop_id", "ada.trade.shops.shop_id")
	return h
}

// Question is a question that is asked on 1 October 2023.
func Question(text string) nlq.Question {
	return nlq.Question{In: In, Text: text, Now: time.Date(2023, 10, 1, 12, 0, 0, 0, time.UTC)}
}

// Read reads a question of ada's; after is the turn before, if there was one.
func (h *House) Read(text string, after *nlq.Translation) nlq.Translation {
	h.t.Helper()
	q := Question(text)
	if after != nil {
		q.Previous = &nlq.Turn{Question: "before", Query: after.Query}
	}
	t, err := h.Translate(h.t.Context(), h.Ada, q)
	if err != nil {
		h.t.Fatalf("Translate(%q) = %v, want a reading or a question back", text, err)
	}
	if (t.Query == nil) != (t.Clarification != nil) || (t.SQL == "") != (t.Query == nil) {
		h.t.Fatalf("Translate(%q) = %+v, want a query or a question back", text, t)
	}
	return t
}

// RowsOf runs a reading as the asker and gives its rows in short: cells apart by
// spaces, rows by semicolons, in their order.
func (h *House) RowsOf(p quern.Principal, t nlq.Translation) string {
	h.t.Helper()
	rows, err := h.House.Query.SQL(h.t.Context(), p, query.Request{In: In, SQL: t.SQL})
	if err != nil {
		h.t.Fatalf("the query %s = %v, want rows", t.SQL, err)
	}
	text := inShort(h.t, rows)
	if t.Result == nil {
		return text
	}
	if found := inShort(h.t, t.Result.Stream()); Sorted(found) != Sorted(text) || t.Result.Total != int64(len(t.Result.Rows)) {
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
	housetest.Must(t, rows.Err())
	return strings.Join(all, "; ")
}

// Sorted gives rows whose order does not matter.
func Sorted(rows string) string {
	all := strings.Split(rows, "; ")
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// Answers asks questions, and wants the rows of each, in any order.
func (h *House) Answers(wanted map[string]string) {
	h.t.Helper()
	for question, want := range wanted {
		got := h.Read(question, nil)
		if got.Clarification != nil {
			h.t.Errorf("Translate(%q) asks back %q, want %s", question, got.Clarification.Question, want)
			continue
		}
		if rows := Sorted(h.RowsOf(h.Ada, got)); rows != want {
			h.t.Errorf("Translate(%q) = %s, which gives %s, want %s", question, got.SQL, rows, want)
		}
	}
}

// CheckReading holds what every reading must be.
func CheckReading(t testing.TB, question string, got nlq.Translation) {
	t.Helper()
	if got.Confidence <= 0 || got.Confidence > 1 || got.Score <= 0 || got.Score > 1 {
		t.Errorf("Translate(%q) has the confidence %v and the score %v, want both above 0 and at most 1", question, got.Confidence, got.Score)
	}
	if first, rest, _ := strings.Cut(got.Reading, " "); rest == "" || first != "Lists" && first != "Counts" && first != "Gives" {
		t.Errorf("Translate(%q).Reading = %q, want a sentence", question, got.Reading)
	}
}
