package ask_test

import (
	"encoding/json"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/ask"
	"quern/ask/asktest"
	"quern/blob/fs"
	"quern/catalog"
	"quern/engine/duckdb"
	"quern/ingest"
	"quern/link"
	"quern/nlq/nlqtest"
	"quern/query"
	"quern/store"
	"quern/store/storetest"
)

// house is everything the agents stand on, all of it real but for the
// translator, which knows its questions by heart.
type house struct {
	t       *testing.T
	store   *store.Store
	ada     quern.Principal
	catalog *catalog.Service
	ingest  *ingest.Service
	querier *ask.Querier
	script  *nlqtest.Script
}

func newHouse(t *testing.T, rows int) *house {
	t.Helper()
	h := &house{t: t, store: storetest.Open(t, storetest.SQLite(t))}
	objects, err := fs.New(fs.Options{Dir: filepath.Join(t.TempDir(), "objects")})
	must(t, err)
	engine, err := duckdb.New(duckdb.Options{TempDir: t.TempDir(), Threads: 1, MemoryLimit: 256 << 20})
	must(t, err)
	t.Cleanup(func() { must(t, engine.Close()) })
	h.ada = h.user("ada")
	h.catalog = catalog.New(catalog.Options{Store: h.store, Now: time.Now, Grace: time.Hour})
	h.ingest = ingest.New(ingest.Options{Catalog: h.catalog, Objects: objects, Files: objects, Engine: engine, Temp: t.TempDir(),
		Limits: ingest.Limits{Rows: 100_000, Columns: 100}})
	links := link.New(link.Options{Store: h.store, Catalog: h.catalog, Files: objects, Engine: engine, Now: time.Now})
	queries := query.New(query.Options{Catalog: h.catalog, Files: objects, Engine: engine, Links: links, Temp: t.TempDir(), MaxRows: 10_000})
	h.script = nlqtest.NewScript(h.catalog)
	h.querier = ask.NewQuerier(ask.QuerierOptions{Query: queries, Models: asktest.Only(h.script, ask.EmbeddedPlanner(h.catalog)), Rows: rows})
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

// dataset makes a dataset of ada's in the namespace shop from a JSON array of rows.
func (h *house) dataset(name, rows string) {
	h.t.Helper()
	path := quern.DatasetPath{Owner: "ada", Namespace: "shop", Dataset: name}
	_, err := h.catalog.CreateDataset(h.t.Context(), h.ada, path, quern.InferDefinition{})
	must(h.t, err)
	if rows == "" {
		return
	}
	_, err = h.ingest.JSON(h.t.Context(), h.ada, path, strings.NewReader(`{"data":`+rows+`}`), "")
	must(h.t, err)
}

// work is a run of ada's about to begin.
func (h *house) work(question string) ask.Work {
	return ask.Work{Principal: h.ada, In: quern.NamespacePath{Owner: "ada", Namespace: "shop"}, Task: quern.Task{Question: question}}
}

// run does what a run does: the plan, its steps up to one that asks back, the
// answer. Between calls the work travels as JSON, as it does between servers.
func (h *house) run(a ask.Agent, w ask.Work) (ask.Work, quern.Result) {
	h.t.Helper()
	var err error
	w.Plan, err = a.Plan(h.t.Context(), w)
	must(h.t, err)
	for i := range w.Plan.Steps {
		step, err := a.Step(h.t.Context(), w, i)
		if err != nil {
			h.t.Fatalf("Step(%q) = %v, want rows", w.Plan.Steps[i], err)
		}
		stored, err := json.Marshal(step)
		must(h.t, err)
		var again quern.Step
		must(h.t, json.Unmarshal(stored, &again))
		w.Steps = append(w.Steps, again)
		if step.Clarification != nil {
			break
		}
	}
	result, err := a.Answer(h.t.Context(), w)
	must(h.t, err)
	return w, result
}

func pathOf(dataset string) quern.DatasetPath {
	return quern.DatasetPath{Owner: "ada", Namespace: "shop", Dataset: dataset}
}

func itoa(n int) string { return strconv.Itoa(n) }

// wide is the members of a row with n columns.
func wide(n int) string {
	members := make([]string, n)
	for i := range members {
		members[i] = `"c` + itoa(i+1) + `":` + itoa(1000*i)
	}
	return strings.Join(members, ",")
}
