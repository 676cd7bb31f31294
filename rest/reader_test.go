package rest_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"time"

	"quern"
	"quern/api"
	agent "quern/ask"
	"quern/ask/asktest"
	"quern/catalog"
	"quern/nlq"
	"quern/query"
	"quern/run"
	"quern/tree"
)

// reader is a translator of questions that are queries already. One that it
// cannot read asks back, with one choice. One that begins with "wait: " is read
// when the test says so.
type reader struct {
	catalog *catalog.Service
	came    chan struct{}
	mu      sync.Mutex
	gate    chan struct{}
}

// hold makes the questions that wait come to a gate.
func (r *reader) hold() (open func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	gate := make(chan struct{})
	r.gate = gate
	return sync.OnceFunc(func() { close(gate) })
}

// Translate reads a question.
func (r *reader) Translate(ctx context.Context, p quern.Principal, q nlq.Question) (nlq.Translation, error) {
	text, waits := strings.CutPrefix(q.Text, "wait: ")
	if waits {
		r.mu.Lock()
		gate := r.gate
		r.mu.Unlock()
		r.came <- struct{}{}
		select {
		case <-gate:
		case <-ctx.Done():
			return nlq.Translation{}, ctx.Err()
		}
	}
	read := r.read(ctx, p, q.In, text)
	if read == nil {
		return nlq.Translation{Clarification: &quern.Clarification{Question: "What do you mean?", Choices: []quern.Choice{
			{Label: "all of ds", Question: "select a from ds", Query: "SELECT a FROM ds"},
		}}}, nil
	}
	sql, err := tree.SQL(read)
	return nlq.Translation{Query: read, SQL: sql, Reading: tree.English(read), Confidence: 1, Score: 1}, err
}

// read returns the query that a text is, nil when it is none.
func (r *reader) read(ctx context.Context, p quern.Principal, in quern.NamespacePath, text string) *tree.Query {
	q, err := tree.Parse(text)
	if err != nil {
		return nil
	}
	schema := tree.Schema{In: in, Find: func(path quern.DatasetPath) (tree.Table, bool) {
		d, err := r.catalog.Dataset(ctx, p, path, catalog.Read)
		return tree.Table{Path: d.Path(), Columns: catalog.Columns(d)}, err == nil
	}}
	if tree.Resolve(q, schema, nil) != nil || tree.Validate(q, schema) != nil {
		return nil
	}
	return q
}

// whole is a planner that takes every question for one step, and tells the rows
// as they are.
type whole struct{}

func (whole) Plan(_ context.Context, w agent.Work) (quern.Plan, error) {
	return quern.Plan{Steps: []string{w.Task.Question}, Reasoning: "one thing is asked"}, nil
}

func (whole) Answer(_ context.Context, w agent.Work) (quern.Result, error) {
	rows, err := json.Marshal(w.Steps[0].Data)
	return quern.Result{Response: "found: " + string(rows[:min(100, len(rows))])}, err
}

// embeddedOnly is the list of models of a server that has no other.
type embeddedOnly struct{}

func (embeddedOnly) Models(context.Context) []quern.Model {
	return []quern.Model{{Name: agent.Embedded, Provider: agent.Embedded, State: quern.ModelReady, Default: true}}
}

// scripted is an agent whose questions are read by a script.
type scripted struct {
	agent.Agent
	model agent.Model
}

func (s scripted) Step(ctx context.Context, w agent.Work, index int) (quern.Step, error) {
	w.Model = s.model
	return s.Agent.Step(ctx, w, index)
}

// addRuns makes the house answer questions, with the real assistant.
func (h *house) addRuns(queries *query.Service) {
	h.t.Helper()
	h.reader = &reader{catalog: h.catalog, came: make(chan struct{}, 100)}
	models := asktest.Only(h.reader, whole{})
	querier := agent.NewQuerier(agent.QuerierOptions{Query: queries})
	nl2ql := scripted{agent.NewNL2QL(querier), agent.Model{Name: agent.Embedded, Translator: h.script}}
	h.runs = run.New(run.Options{
		Store: h.store, Catalog: h.catalog, Log: slog.New(slog.NewJSONHandler(h.log, nil)), Limits: run.Limits{Finish: time.Millisecond},
		Agents: map[quern.AgentKind]agent.Agent{
			quern.AgentAssistant: agent.Traced(quern.AgentAssistant, agent.NewAssistant(querier), h.traces),
			quern.AgentNL2QL:     agent.Traced(quern.AgentNL2QL, nl2ql, h.traces),
		},
		Still: h.auth.Still, Ended: h.ended, Models: models,
	})
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() { h.runs.Work(ctx) })
	h.t.Cleanup(func() {
		cancel()
		working.Wait()
	})
}

// ranRuns fills {r}, {w} and {c} with runs and a conversation of a user's. end
// ends the one that waits.
func (h *house) ranRuns(name, ns string) (fill *strings.Replacer, end func()) {
	h.t.Helper()
	release := h.reader.hold()
	done := into[api.Answer](h.t, h.want(200, name, "POST", "/query/autorag", `{"username":"self","namespace":"`+ns+`","query":"select count(*) from ds"}`))
	p, err := h.auth.As(h.t.Context(), name)
	must(h.t, err)
	waiting, err := h.runs.Start(h.t.Context(), p, run.Ask{
		In: quern.NamespacePath{Owner: name, Namespace: ns}, Agent: quern.AgentAssistant, Task: quern.Task{Question: "wait: select count(*) from ds"},
	})
	must(h.t, err)
	<-h.reader.came
	return strings.NewReplacer("{r}", done.RunID, "{w}", string(waiting.ID), "{c}", done.ConversationID), func() {
		release()
		_, err := h.runs.Wait(h.t.Context(), p, waiting.ID)
		if err != nil && !quern.Is(err, quern.NotFound) {
			h.t.Error(err)
		}
	}
}
