package run_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quern"
	"quern/ask"
	"quern/auth"
	"quern/auth/authtest"
	"quern/catalog"
	"quern/run"
	"quern/store"
	"quern/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// house is what runs stand on, all of it real but the agent, which plays a script.
type house struct {
	t       *testing.T
	store   *store.Store
	auth    *authtest.Service
	catalog *catalog.Service
	ada     quern.Principal
	in      quern.NamespacePath
	script  *script
	clock   authtest.Clock // of the tokens
}

// script is an agent that does as it is told and counts what it is asked.
type script struct {
	plan   quern.Plan
	step   func(w ask.Work, i int) (quern.Step, error)
	answer func(w ask.Work) (quern.Result, error)

	mu    sync.Mutex
	calls map[string]int
	works map[string]ask.Work
	gates map[string]chan struct{} // calls that wait, by name
	came  chan string              // calls that have come to their gate
	left  chan error               // why calls went away from their gate
}

func newScript() *script {
	return &script{
		plan: quern.Plan{Steps: []string{"count ships", "count crews"}, Reasoning: "two things are asked"},
		step: func(_ ask.Work, i int) (quern.Step, error) {
			return quern.Step{
				Query: fmt.Sprintf("SELECT %d", i), Reasoning: "because", Tree: "SELECT count(*) FROM ships",
				Units: map[string]string{"ships.fee": "€"},
				Data:  []json.RawMessage{json.RawMessage(fmt.Sprintf(`{"n":%d,"__metadata":{"score":1}}`, i))},
			}, nil
		},
		answer: func(ask.Work) (quern.Result, error) { return quern.Result{Response: "42 ships"}, nil },
		calls:  map[string]int{}, works: map[string]ask.Work{}, gates: map[string]chan struct{}{},
		came: make(chan string, 100), left: make(chan error, 100),
	}
}

// gate makes a call wait until it is opened.
func (s *script) gate(call string) (open func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := make(chan struct{})
	s.gates[call] = g
	return sync.OnceFunc(func() { close(g) })
}

// ungate lets later calls through.
func (s *script) ungate(call string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.gates, call)
}

func (s *script) enter(ctx context.Context, w ask.Work, call string) error {
	s.mu.Lock()
	s.calls[call]++
	s.works[call] = w
	gate := s.gates[call]
	s.mu.Unlock()
	if gate == nil {
		return nil
	}
	s.came <- call
	select {
	case <-gate:
		return nil
	case <-ctx.Done():
		s.left <- context.Cause(ctx)
		return ctx.Err()
	}
}

func (s *script) counted(call string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[call]
}

func (s *script) seen(call string) ask.Work {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.works[call]
}

func (s *script) Plan(ctx context.Context, w ask.Work) (quern.Plan, error) {
	return s.plan, s.enter(ctx, w, "plan")
}

func (s *script) Step(ctx context.Context, w ask.Work, i int) (quern.Step, error) {
	if err := s.enter(ctx, w, fmt.Sprintf("step-%d", i)); err != nil {
		return quern.Step{}, err
	}
	return s.step(w, i)
}

func (s *script) Answer(ctx context.Context, w ask.Work) (quern.Result, error) {
	if err := s.enter(ctx, w, "answer"); err != nil {
		return quern.Result{}, err
	}
	return s.answer(w)
}

func each(t *testing.T, fn func(*testing.T, *house)) {
	t.Helper()
	storetest.Each(t, func(t *testing.T, s *store.Store) { fn(t, newHouse(t, s)) })
}

func newHouse(t *testing.T, s *store.Store) *house {
	t.Helper()
	h := &house{t: t, store: s, script: newScript(), in: quern.NamespacePath{Owner: "ada", Namespace: "Harbour"}}
	h.auth = authtest.New(t, auth.Options{Store: s, Now: h.clock.Now})
	h.catalog = catalog.New(catalog.Options{Store: s, Now: time.Now, Grace: time.Hour})
	h.ada = h.user("ada")
	_, err := h.catalog.CreateNamespace(t.Context(), h.ada, "Harbour")
	h.must(err)
	return h
}

func (h *house) must(err error) {
	h.t.Helper()
	if err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) user(name string) quern.Principal {
	h.t.Helper()
	return h.auth.Principal(name)
}

// token returns the principal of a fresh API token.
func (h *house) token(p quern.Principal, spec quern.TokenSpec) quern.Principal {
	h.t.Helper()
	made, _ := h.auth.NewToken(p, spec)
	return quern.Principal{User: p.User, Token: made.ID, Scopes: made.Scopes}
}

// replica makes a service of its own on the house's store.
func (h *house) replica(change ...func(*run.Options)) *run.Service {
	o := run.Options{
		Store: h.store, Catalog: h.catalog, Still: h.auth.Still, Log: slog.New(slog.DiscardHandler), Limits: run.Limits{Finish: time.Millisecond},
		Agents: map[quern.AgentKind]ask.Agent{quern.AgentAssistant: h.script},
	}
	for _, fn := range change {
		fn(&o)
	}
	return run.New(o)
}

// working is a replica that works until the test ends or stop is called.
func (h *house) working(change ...func(*run.Options)) (s *run.Service, stop func()) {
	h.t.Helper()
	s = h.replica(change...)
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() { s.Work(ctx) })
	stop = sync.OnceFunc(func() {
		cancel()
		done.Wait()
	})
	h.t.Cleanup(stop)
	return s, stop
}

// ask starts a run of ada's.
func (h *house) ask(s *run.Service, question string) quern.Run {
	h.t.Helper()
	return h.askAs(s, h.ada, run.Ask{Task: quern.Task{Question: question}})
}

func (h *house) askAs(s *run.Service, p quern.Principal, a run.Ask) quern.Run {
	h.t.Helper()
	a.In, a.Agent = h.in, quern.AgentAssistant
	r, err := s.Start(h.t.Context(), p, a)
	h.must(err)
	return r
}

// story is the types of a run's events, from behind one to the last.
func (h *house) story(s *run.Service, p quern.Principal, id quern.RunID, after int64) string {
	h.t.Helper()
	var types []string
	for e, err := range s.Events(h.t.Context(), p, id, after) {
		h.must(err)
		if after++; e.Seq != after {
			h.t.Errorf("event %s has number %d, want %d", e.Type, e.Seq, after)
		}
		types = append(types, string(e.Type))
	}
	return strings.Join(types, " ")
}

// finished waits for a run of ada's to end and holds its status against the wanted one.
func (h *house) finished(s *run.Service, id quern.RunID, want quern.RunStatus) quern.Run {
	h.t.Helper()
	r, err := s.Wait(h.t.Context(), h.ada, id)
	h.must(err)
	if r.Status != want {
		h.t.Errorf("run = %s %+v, want %s", r.Status, r.Failure, want)
	}
	return r
}

func (h *house) wantKind(what string, err error, want quern.Kind) {
	h.t.Helper()
	authtest.WantKind(h.t, what, err, want)
}

const whole = "run-started planningStarted plan stepStarted queryExecuting step stepStarted queryExecuting step answerStarted answer"
