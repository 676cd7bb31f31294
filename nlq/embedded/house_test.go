package embedded_test

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quern"
	"quern/blob/fs"
	"quern/catalog"
	"quern/engine/duckdb"
	"quern/ingest"
	"quern/link"
	"quern/nlq"
	"quern/nlq/embedded"
	"quern/nlq/model"
	"quern/nlq/schema"
	"quern/query"
	"quern/store"
	"quern/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is a translator with every real part behind it.
type house struct {
	t        testing.TB
	store    *store.Store
	ada, bob quern.Principal
	catalog  *catalog.Service
	ingest   *ingest.Service
	links    *link.Service
	query    *query.Service
	schemas  *schema.Service
	engine   *duckdb.Engine
	objects  *fs.Store
	*embedded.Translator
}

func newHouse(t testing.TB) *house {
	t.Helper()
	h := &house{t: t, store: storetest.Open(t, storetest.SQLite(t))}
	objects, err := fs.New(fs.Options{Dir: filepath.Join(t.TempDir(), "objects")})
	must(t, err)
	h.objects = objects
	h.engine, err = duckdb.New(duckdb.Options{TempDir: t.TempDir(), Threads: 1, MemoryLimit: 256 << 20})
	must(t, err)
	t.Cleanup(func() { must(t, h.engine.Close()) })
	h.ada, h.bob = h.user("ada"), h.user("bob")
	h.catalog = catalog.New(catalog.Options{Store: h.store, Now: time.Now, Grace: time.Hour})
	h.ingest = ingest.New(ingest.Options{Catalog: h.catalog, Objects: objects, Files: objects, Engine: h.engine, Temp: t.TempDir(),
		Limits: ingest.Limits{Rows: 100_000, Columns: 1_000}})
	h.links = link.New(link.Options{Store: h.store, Catalog: h.catalog, Files: objects, Engine: h.engine, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
	h.query = query.New(query.Options{Catalog: h.catalog, Files: objects, Engine: h.engine, Links: h.links, Temp: t.TempDir(), MaxRows: 10_000})
	vectors, err := model.Vectors()
	must(t, err)
	h.schemas = schema.New(schema.Options{Catalog: h.catalog, Links: h.links, Files: objects, Engine: h.engine, Known: vectors.Known,
		Now: time.Now, Log: slog.New(slog.DiscardHandler), Wait: time.Minute})
	t.Cleanup(func() { must(t, h.schemas.Close()) })
	h.Translator = h.newTranslator()
	return h
}

// newTranslator makes a translator that remembers nothing.
func (h *house) newTranslator() *embedded.Translator {
	h.t.Helper()
	made, err := embedded.New(embedded.Options{Schemas: h.schemas, Query: h.query})
	must(h.t, err)
	return made
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (h *house) user(name string) quern.Principal {
	h.t.Helper()
	p := quern.Principal{User: quern.User{ID: quern.NewID[quern.UserID](), Username: name, CreatedAt: time.Now()}}
	must(h.t, h.store.Update(h.t.Context(), func(tx *store.Tx) error { return tx.InsertUser(h.t.Context(), p.User, "") }))
	return p
}

// in is where most questions are asked.
var in = quern.NamespacePath{Owner: "ada", Namespace: "trade"}

func at(dataset string) quern.DatasetPath {
	return quern.DatasetPath{Owner: in.Owner, Namespace: in.Namespace, Dataset: dataset}
}

// dataset makes a dataset of ada's from a JSON array of rows; none when it is empty.
func (h *house) dataset(path quern.DatasetPath, rows string) {
	h.t.Helper()
	_, err := h.catalog.CreateDataset(h.t.Context(), h.ada, path, quern.InferDefinition{})
	must(h.t, err)
	if rows != "" {
		_, err = h.ingest.JSON(h.t.Context(), h.ada, path, strings.NewReader(`{"data":`+rows+`}`), "")
		must(h.t, err)
	}
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
	_, _, err := h.links.Add(h.t.Context(), h.ada, link.Pair{Origin: "ri.ada.trade.orders.shop_id", Destination: "ri.ada.trade.shops.shop_id"})
	must(h.t, err)
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
	rows, err := h.query.SQL(h.t.Context(), p, query.Request{In: in, SQL: t.SQL})
	if err != nil {
		h.t.Fatalf("the query %s = %v, want rows", t.SQL, err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var cells []string
		for _, v := range rows.Row() {
			cells = append(cells, fmt.Sprint(v))
		}
		all = append(all, strings.Join(cells, " "))
	}
	must(h.t, rows.Err())
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
