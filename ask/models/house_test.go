package models_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/ask"
	"quern/ask/models"
	"quern/blob/fs"
	"quern/catalog"
	"quern/engine/duckdb"
	"quern/ingest"
	"quern/link"
	"quern/llm"
	"quern/llm/llmtest"
	"quern/llm/openai"
	"quern/nlq"
	"quern/nlq/model"
	"quern/nlq/prompt"
	"quern/nlq/schema"
	"quern/query"
	"quern/store"
	"quern/store/storetest"
	"quern/tree"
)

// house is everything the assistant stands on, all of it real but for the model
// service, which is a double, and the embedded translator, which counts rows.
type house struct {
	t       *testing.T
	store   *store.Store
	ada     quern.Principal
	catalog *catalog.Service
	ingest  *ingest.Service
	source  prompt.Source
	queries *query.Service
	model   *llmtest.Service
	models  *models.Models
	agent   *ask.Assistant
	log     *strings.Builder
	spent   spent
}

// spent is a ledger of one user.
type spent struct{ quern.ModelUsage }

func (s *spent) SpendModel(_ context.Context, _ quern.UserID, u quern.ModelUsage) error {
	s.Requests += u.Requests
	s.InputTokens += u.InputTokens
	s.OutputTokens += u.OutputTokens
	return nil
}

func (s *spent) SpentModel(context.Context, quern.UserID, string) (quern.ModelUsage, error) {
	return s.ModelUsage, nil
}

type setup struct {
	keep   bool // values out of rows are not sent
	budget int64
	rows   int // that a step keeps
}

func newHouse(t *testing.T, with setup) *house {
	t.Helper()
	h := &house{t: t, store: storetest.Open(t, storetest.SQLite(t)), model: llmtest.New(t, llmtest.OpenAI), log: &strings.Builder{}}
	objects, err := fs.New(fs.Options{Dir: filepath.Join(t.TempDir(), "objects")})
	must(t, err)
	engine, err := duckdb.New(duckdb.Options{TempDir: t.TempDir(), Threads: 1, MemoryLimit: 256 << 20})
	must(t, err)
	t.Cleanup(func() { must(t, engine.Close()) })
	h.ada = quern.Principal{User: quern.User{ID: quern.NewID[quern.UserID](), Username: "ada", CreatedAt: time.Now()}}
	must(t, h.store.Update(t.Context(), func(tx *store.Tx) error { return tx.InsertUser(t.Context(), h.ada.User, "") }))
	h.catalog = catalog.New(catalog.Options{Store: h.store, Now: time.Now, Grace: time.Hour})
	h.ingest = ingest.New(ingest.Options{Catalog: h.catalog, Objects: objects, Files: objects, Engine: engine, Temp: t.TempDir(),
		Limits: ingest.Limits{Rows: 100_000, Columns: 100}})
	links := link.New(link.Options{Store: h.store, Catalog: h.catalog, Files: objects, Engine: engine, Now: time.Now})
	words, err := model.Vectors()
	must(t, err)
	schemas := schema.New(schema.Options{Catalog: h.catalog, Links: links, Files: objects, Engine: engine, Known: words.Known,
		Now: time.Now, Log: slog.New(slog.DiscardHandler), Wait: time.Minute})
	t.Cleanup(func() { must(t, schemas.Close()) })
	h.source = prompt.Source{Schemas: schemas, Words: words}
	h.queries = query.New(query.Options{Catalog: h.catalog, Files: objects, Engine: engine, Links: links, Temp: t.TempDir(), MaxRows: 10_000})
	h.wire(with)
	return h
}

// wire makes the models and the assistant.
func (h *house) wire(with setup) {
	log := slog.New(slog.NewTextHandler(h.log, nil))
	h.models = models.New(models.Options{
		Offered: llm.New(llm.Options{
			Provider: "openai", Names: []string{"big", "small"},
			Open: func(name string) llm.Model {
				e := h.model.Endpoint()
				e.Model = name
				return openai.New(openai.Options(e))
			},
			Ledger: &h.spent, Budget: llm.Budget{Tokens: with.budget},
			Timeout: time.Minute, Concurrency: 2, Failures: 2, Rest: time.Hour,
			Now: time.Now, Rand: func() float64 { return 0 }, Log: log,
		}),
		Source: h.source, Values: !with.keep, Translator: counter{}, Planner: ask.EmbeddedPlanner(h.catalog), Log: log,
	})
	h.agent = ask.NewAssistant(ask.NewQuerier(ask.QuerierOptions{Query: h.queries, Models: h.models, Rows: with.rows, Now: time.Now}))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// counter stands where the embedded translator does: it reads every question as
// one for the number of orders.
type counter struct{}

func (counter) Translate(context.Context, quern.Principal, nlq.Question) (nlq.Translation, error) {
	q, err := tree.Parse(`SELECT count(*) FROM "ada/shop/orders" AS "orders"`)
	if err != nil {
		return nlq.Translation{}, err
	}
	sql, err := tree.SQL(q)
	return nlq.Translation{Query: q, SQL: sql, Reading: tree.English(q), Confidence: 1, Score: 1}, err
}

func (h *house) dataset(name, rows string) {
	h.t.Helper()
	path := quern.DatasetPath{Owner: "ada", Namespace: "shop", Dataset: name}
	_, err := h.catalog.CreateDataset(h.t.Context(), h.ada, path, quern.InferDefinition{})
	must(h.t, err)
	_, err = h.ingest.JSON(h.t.Context(), h.ada, path, strings.NewReader(`{"data":`+rows+`}`), "")
	must(h.t, err)
}

func (h *house) shop() {
	h.t.Helper()
	h.dataset("orders", `[{"id":1,"city":"Oslo","total":120.5},{"id":2,"city":"Oslo","total":79.5},{"id":3,"city":"Bergen","total":310},{"id":4,"city":"Bergen","total":18.25}]`)
}

func (h *house) work(question string) ask.Work {
	return ask.Work{Principal: h.ada, In: quern.NamespacePath{Owner: "ada", Namespace: "shop"}, Task: quern.Task{Question: question}}
}

// run does what a run does. Between calls the work travels as JSON.
func (h *house) run(w ask.Work) (ask.Work, quern.Result) {
	h.t.Helper()
	var err error
	w.Plan, err = h.agent.Plan(h.t.Context(), w)
	must(h.t, err)
	for i := range w.Plan.Steps {
		step, err := h.agent.Step(h.t.Context(), w, i)
		must(h.t, err)
		stored, err := json.Marshal(step)
		must(h.t, err)
		var again quern.Step
		must(h.t, json.Unmarshal(stored, &again))
		w.Steps = append(w.Steps, again)
		if step.Clarification != nil {
			break
		}
	}
	result, err := h.agent.Answer(h.t.Context(), w)
	must(h.t, err)
	return w, result
}

func plan(steps ...string) llmtest.Reply {
	text, _ := json.Marshal(quern.Plan{Steps: steps, Reasoning: "So it is."})
	return llmtest.Says(string(text))
}

func reads(sql string) llmtest.Reply {
	text, _ := json.Marshal(map[string]any{"kind": "query", "sql": sql, "question": "", "choices": []any{}})
	return llmtest.Says(string(text))
}

func answers(answer string) llmtest.Reply {
	text, _ := json.Marshal(map[string]string{"answer": answer})
	return llmtest.Says(string(text))
}
