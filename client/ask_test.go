package client_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/ask"
	"quern/ask/asktest"
	"quern/auth/authtest"
	"quern/client"
	"quern/client/clienttest"
	"quern/engine/duckdb"
	"quern/housetest"
	"quern/nlq"
	"quern/nlq/nlqtest"
	"quern/rest"
	"quern/run"
)

// oracle is a server that answers questions, behind a bad network.
type oracle struct {
	site
	script *nlqtest.Script
	gate   *gate
}

// gate is a translator that waits for the test before it reads.
type gate struct {
	nlq.Translator
	came, open chan struct{}
}

func (g *gate) Translate(ctx context.Context, p quern.Principal, q nlq.Question) (nlq.Translation, error) {
	if strings.HasPrefix(q.Text, "slowly: ") {
		g.came <- struct{}{}
		select {
		case <-g.open:
		case <-ctx.Done():
			return nlq.Translation{}, ctx.Err()
		}
	}
	return g.Translator.Translate(ctx, p, q)
}

func newOracle(t *testing.T) *oracle {
	t.Helper()
	h := housetest.New(t, housetest.Options{Engine: duckdb.Options{Threads: 1}})
	o := &oracle{site: site{t: t, clock: authtest.StoppedClock(), objects: h.Objects}}
	ada := h.User("ada")
	var err error
	_, o.token, err = h.Auth.CreateToken(t.Context(), ada, quern.TokenSpec{Name: "test"})
	housetest.Must(t, err)
	o.script = nlqtest.NewScript(h.Catalog)
	o.gate = &gate{o.script, make(chan struct{}, 8), make(chan struct{})}
	querier := ask.NewQuerier(ask.QuerierOptions{Query: h.Query})
	runs := run.New(run.Options{Store: h.Store, Catalog: h.Catalog, Log: h.Options.Log, Still: h.Auth.Still,
		Models: asktest.Only(o.gate, ask.EmbeddedPlanner(h.Catalog)), Limits: run.Limits{Finish: time.Millisecond},
		Agents: map[quern.AgentKind]ask.Agent{quern.AgentAssistant: ask.NewAssistant(querier), quern.AgentNL2QL: ask.NewNL2QL(querier)}})
	ctx, cancel := context.WithCancel(context.Background())
	var working sync.WaitGroup
	working.Go(func() { runs.Work(ctx) })
	t.Cleanup(func() { cancel(); working.Wait() })
	h.Dataset(ada, "harbour/ships", `[{"name":"Ariadne","draught":7.25},{"name":"Boreas","draught":5}]`)
	listening := httptest.NewServer(rest.New(rest.Deps{Auth: h.Auth, Tokens: h.Auth, Usage: h.Auth, Catalog: h.Catalog, Ingest: h.Ingest, Query: h.Query,
		Runs: runs, KeepAlive: 20 * time.Millisecond, PublicURL: housetest.PublicURL}))
	t.Cleanup(listening.Close)
	o.proxy = clienttest.StartProxy(t, listening.Listener.Addr().String())
	o.client = o.newClient(o.token)
	return o
}

func TestAsk(t *testing.T) {
	t.Parallel()
	o := newOracle(t)
	o.script.Knows("Which ships are there?", "select name, draught from ships order by name")
	o.script.Knows("What about ships?", "?select count(*) from ships\nselect name from ships")
	o.script.Accounts("Which ships are there?", quern.Word{Start: 6, End: 11, Text: "ships", State: quern.WordGuessed, Means: "boats"})
	var types []string
	a, err := o.client.Ask(t.Context(), client.Question{Namespace: "harbour", Text: "Which ships are there?"}, func(e client.Event) error {
		types = append(types, e.Type)
		return nil
	})
	if want := []string{"run-started", "planningStarted", "plan", "stepStarted", "queryExecuting", "step", "answerStarted", "answer"}; err != nil || !slices.Equal(types, want) {
		t.Fatalf("Ask tells %q, %v; want %q", types, err, want)
	}
	rows, err := a.Steps[0].Rows()
	if err != nil || a.RunID == "" || len(a.Plan.Steps) != 1 || !slices.Equal(rows.Columns, []string{"name", "draught"}) || len(rows.Rows) != 2 || string(rows.Rows[0][0]) != `"Ariadne"` || rows.Total != 2 {
		t.Errorf("answer = %+v with rows %+v, %v; want the two ships without their metadata", a, rows, err)
	}
	if step := a.Steps[0]; !a.Doubt || !step.Doubt || len(step.Words) != 1 || step.Words[0].State != "guessed" || len(a.Notes) != 1 {
		t.Errorf("answer = %+v, want the guessed word, doubt and its note", a)
	}
	unclear, err := o.client.Ask(t.Context(), client.Question{Namespace: "harbour", Text: "What about ships?", Conversation: a.ConversationID}, nil)
	if err != nil || unclear.ConversationID != a.ConversationID || unclear.Clarification == nil || len(unclear.Clarification.Choices) != 2 {
		t.Fatalf("an unclear question = %+v, %v; want two choices", unclear, err)
	}
	chosen, err := o.client.Ask(t.Context(), client.Question{Namespace: "harbour", Text: unclear.Clarification.Choices[0].Label, Conversation: a.ConversationID}, nil)
	if err != nil || chosen.Response != "There are 2 ships." || chosen.Clarification != nil {
		t.Errorf("the first choice = %+v, %v; want the count", chosen, err)
	}
}

func TestAskThatIsRefused(t *testing.T) {
	t.Parallel()
	o := newOracle(t)
	if _, err := o.client.Ask(t.Context(), client.Question{Namespace: "nowhere", Text: "Hello"}, nil); !client.IsStatus(err, http.StatusNotFound) {
		t.Errorf("a question about a namespace that is not there = %v, want 404", err)
	}
	o.script.Knows("What fails?", "select nothing from ships")
	_, err := o.client.Ask(t.Context(), client.Question{Namespace: "harbour", Text: "What fails?"}, nil)
	if err == nil || client.IsStatus(err, http.StatusNotFound) {
		t.Errorf("a run that fails = %v, want its failure", err)
	}
}

func TestAskSurvivesACutConnection(t *testing.T) {
	t.Parallel()
	o := newOracle(t)
	o.script.Knows("slowly: how many ships are there", "select count(*) from ships")
	var ids []int64
	done := make(chan struct{})
	var a client.Answer
	var err error
	go func() {
		defer close(done)
		a, err = o.client.Ask(t.Context(), client.Question{Namespace: "harbour", Text: "slowly: how many ships are there"}, func(e client.Event) error {
			if ids = append(ids, e.ID); e.Type == "queryExecuting" {
				o.proxy.CutAll()
			}
			return nil
		})
	}()
	<-o.gate.came
	close(o.gate.open)
	<-done
	if err != nil || a.Response != "There are 2 ships." || !slices.Equal(ids, []int64{1, 2, 3, 4, 5, 6, 7, 8}) {
		t.Errorf("Ask over a cut connection = %+v, %v with events %v; want the answer, and each event once", a, err, ids)
	}
	if asked := len(o.script.Asked()); asked != 1 {
		t.Errorf("the question was asked %d times, want once", asked)
	}
}

// TestFollowingARunThatTakesLong cuts the stream of a run that takes longer than the
// client's patience, in which the server says that it is still there.
func TestFollowingARunThatTakesLong(t *testing.T) {
	t.Parallel()
	o := newOracle(t)
	o.script.Knows("slowly: how many ships are there", "select count(*) from ships")
	const patience = 3 * time.Second
	patient, err := client.New(client.Options{Server: o.proxy.URL(), Token: o.token, HTTP: &http.Client{}, Patience: patience})
	housetest.Must(t, err)
	done, executing := make(chan struct{}), make(chan struct{})
	var a client.Answer
	go func() {
		defer close(done)
		a, err = patient.Ask(t.Context(), client.Question{Namespace: "harbour", Text: "slowly: how many ships are there"}, func(e client.Event) error {
			if e.Type == "queryExecuting" {
				close(executing)
			}
			return nil
		})
	}()
	<-o.gate.came
	<-executing // no event follows before the gate is open
	o.proxy.CutAll()
	time.Sleep(patience + time.Second)
	o.proxy.CutAll()
	close(o.gate.open)
	<-done
	if err != nil || a.Response != "There are 2 ships." {
		t.Errorf("Ask over a stream that is cut after the client's patience = %+v, %v; want the answer", a, err)
	}
}
