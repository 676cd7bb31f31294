package models_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/ask"
	"quern/ask/asktest"
	"quern/ask/models"
	"quern/engine/duckdb"
	"quern/housetest"
	"quern/llm"
	"quern/llm/llmtest"
	"quern/llm/openai"
	"quern/nlq"
	"quern/nlq/nlqtest"
	"quern/nlq/prompt"
	"quern/tree"
)

// house is everything the assistant stands on, all of it real but for the model
// service, which is a double, and the embedded translator, which counts rows.
type house struct {
	*housetest.House
	t      *testing.T
	ada    quern.Principal
	source prompt.Source
	model  *llmtest.Service
	models *models.Models
	agent  *ask.Assistant
	log    *strings.Builder
	spent  spent
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
	h := &house{House: housetest.New(t, housetest.Options{Engine: duckdb.Options{Threads: 1}}), t: t,
		model: llmtest.New(t, llmtest.OpenAI), log: &strings.Builder{}}
	h.ada = h.User("ada")
	h.source.Schemas, h.source.Words = nlqtest.Schemas(t, h.House)
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
		Source: h.source, Values: !with.keep, Translator: counter{}, Planner: ask.EmbeddedPlanner(h.Catalog), Log: log,
	})
	h.agent = ask.NewAssistant(ask.NewQuerier(ask.QuerierOptions{Query: h.Query, Rows: with.rows, Now: time.Now}))
}

var must = housetest.Must

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

func (h *house) dataset(name, rows string) { h.t.Helper(); h.Dataset(h.ada, "shop/"+name, rows) }

func (h *house) shop() {
	h.t.Helper()
	h.dataset("orders", `[{"id":1,"city":"Oslo","total":120.5},{"id":2,"city":"Oslo","total":79.5},{"id":3,"city":"Bergen","total":310},{"id":4,"city":"Bergen","total":18.25}]`)
}

// named is the model of a name.
func (h *house) named(name string) ask.Model {
	h.t.Helper()
	m, err := h.models.Model(name, "")
	must(h.t, err)
	return m
}

func (h *house) work(question string) ask.Work {
	return ask.Work{Principal: h.ada, Model: h.named(""), In: quern.NamespacePath{Owner: "ada", Namespace: "shop"}, Task: quern.Task{Question: question}}
}

func (h *house) run(w ask.Work) (ask.Work, quern.Result) {
	h.t.Helper()
	return asktest.Run(h.t, h.agent, w)
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
