package prompt_test

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/blob/fs"
	"quern/catalog"
	"quern/engine/duckdb"
	"quern/ingest"
	"quern/link"
	"quern/llm"
	"quern/llm/anthropic"
	"quern/llm/llmtest"
	"quern/llm/openai"
	"quern/nlq"
	"quern/nlq/model"
	"quern/nlq/prompt"
	"quern/nlq/schema"
	"quern/nlq/vector"
	"quern/query"
	"quern/store"
	"quern/store/storetest"
	"quern/tree"
)

// house is everything a translator stands on, all of it real but for the model
// service, which is a double.
type house struct {
	t       *testing.T
	store   *store.Store
	ada     quern.Principal
	catalog *catalog.Service
	ingest  *ingest.Service
	links   *link.Service
	query   *query.Service
	schemas *schema.Service
	words   *vector.Table
	model   *llmtest.Service
}

func newHouse(t *testing.T, speaks llmtest.Interface) *house {
	t.Helper()
	h := &house{t: t, store: storetest.Open(t, storetest.SQLite(t)), model: llmtest.New(t, speaks)}
	objects, err := fs.New(fs.Options{Dir: filepath.Join(t.TempDir(), "objects")})
	must(t, err)
	engine, err := duckdb.New(duckdb.Options{TempDir: t.TempDir(), Threads: 1, MemoryLimit: 256 << 20})
	must(t, err)
	t.Cleanup(func() { must(t, engine.Close()) })
	h.ada = h.user("ada")
	h.catalog = catalog.New(catalog.Options{Store: h.store, Now: time.Now, Grace: time.Hour})
	h.ingest = ingest.New(ingest.Options{Catalog: h.catalog, Objects: objects, Files: objects, Engine: engine, Temp: t.TempDir(),
		Limits: ingest.Limits{Rows: 100_000, Columns: 1_000}})
	h.links = link.New(link.Options{Store: h.store, Catalog: h.catalog, Files: objects, Engine: engine, Now: time.Now})
	h.query = query.New(query.Options{Catalog: h.catalog, Files: objects, Engine: engine, Links: h.links, Temp: t.TempDir(), MaxRows: 10_000})
	h.words, err = model.Vectors()
	must(t, err)
	h.schemas = schema.New(schema.Options{Catalog: h.catalog, Links: h.links, Files: objects, Engine: engine, Known: h.words.Known,
		Now: time.Now, Log: slog.New(slog.DiscardHandler), Wait: time.Minute})
	t.Cleanup(func() { must(t, h.schemas.Close()) })
	return h
}

func must(t *testing.T, err error) {
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

// dataset makes a dataset, path being namespace/name, from a JSON array of rows.
func (h *house) dataset(p quern.Principal, path, rows string, d quern.InferDefinition) {
	h.t.Helper()
	namespace, name, _ := strings.Cut(path, "/")
	at := quern.DatasetPath{Owner: p.User.Username, Namespace: namespace, Dataset: name}
	_, err := h.catalog.CreateDataset(h.t.Context(), p, at, d)
	must(h.t, err)
	_, err = h.ingest.JSON(h.t.Context(), p, at, strings.NewReader(`{"data":`+rows+`}`), "")
	must(h.t, err)
}

// harbour makes the datasets that most tests speak of.
func (h *house) harbour() {
	h.t.Helper()
	about := "Ships that came into the harbour."
	h.dataset(h.ada, "harbour/arrivals", `[
		{"ship":"Aurora","berth_id":1,"draught":7.5,"arrived":"2026-03-01"},
		{"ship":"Borealis","berth_id":2,"draught":9.25,"arrived":"2026-03-02"},
		{"ship":"Aurora","berth_id":2,"draught":7.75,"arrived":"2026-04-11"}]`,
		quern.InferDefinition{DataDescription: &about, SchemaDefinition: map[string]string{"draught": "how deep the ship lies in the water, in metres"}})
	h.dataset(h.ada, "harbour/berths", `[{"id":1,"name":"North quay"},{"id":2,"name":"South quay"}]`, quern.InferDefinition{})
	_, _, err := h.links.Add(h.t.Context(), h.ada, link.Pair{Origin: "ri.ada.harbour.arrivals.berth_id", Destination: "ri.ada.harbour.berths.id"})
	must(h.t, err)
}

func (h *house) open() llm.Model {
	e := h.model.Endpoint()
	if h.model.Provider() == "anthropic" {
		return anthropic.New(anthropic.Options(e))
	}
	return openai.New(openai.Options(e))
}

func (h *house) source() prompt.Source { return prompt.Source{Schemas: h.schemas, Words: h.words} }

func (h *house) translator(values bool) *prompt.Translator {
	return prompt.New(prompt.Options{Model: h.open(), Source: h.source(), Values: values})
}

var harbour = quern.NamespacePath{Owner: "ada", Namespace: "harbour"}

func ask(text string) nlq.Question {
	return nlq.Question{In: harbour, Text: text, Now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
}

// rows runs a translation as the asker and gives its rows in short.
func (h *house) rows(p quern.Principal, t nlq.Translation) (out []string) {
	h.t.Helper()
	rows, err := h.query.SQL(h.t.Context(), p, query.Request{In: harbour, SQL: t.SQL})
	if err != nil {
		h.t.Fatalf("the query %s = %v, want rows", t.SQL, err)
	}
	defer rows.Close()
	encoder := query.NewEncoder(rows.Columns())
	for rows.Next() {
		out = append(out, string(encoder.Append(nil, rows.Row())))
	}
	must(h.t, rows.Err())
	return out
}

// byHeart is a translator that answers every question alike.
type byHeart struct {
	sql  string
	err  error
	seen int
}

func (b *byHeart) Translate(context.Context, quern.Principal, nlq.Question) (nlq.Translation, error) {
	b.seen++
	if b.err != nil {
		return nlq.Translation{}, b.err
	}
	q, err := tree.Parse(b.sql)
	return nlq.Translation{Query: q, SQL: b.sql, Notes: []string{"one of its own"}}, err
}

func reason(err error) llm.Reason {
	f, _ := llm.FaultOf(err)
	return f.Reason
}

func invalid(err error) bool {
	e, ok := errors.AsType[*quern.Error](err)
	return ok && e.Kind == quern.Invalid && len(e.Sub) == 1
}
