package evaluate_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/ask/asktest"
	"quern/catalog"
	"quern/evaluate"
	"quern/housetest"
	"quern/knowledge"
	"quern/nlq"
	"quern/nlq/nlqtest"
	"quern/store"
	"quern/store/storetest"
)

var must = housetest.Must

var in = quern.NamespacePath{Owner: "ada", Namespace: "shop"}

// house is a namespace shop of ada's with orders, and two tests about it.
type house struct {
	*housetest.House
	t         *testing.T
	ada, bob  quern.Principal
	knowledge *knowledge.Service
	script    *nlqtest.Script
}

func newHouse(t *testing.T, s *store.Store) *house {
	t.Helper()
	h := &house{House: housetest.New(t, housetest.Options{Store: s}), t: t}
	h.ada, h.bob = h.User("ada"), h.User("bob")
	h.Dataset(h.ada, "shop/orders", `[{"id":1,"status":"X"},{"id":2,"status":"A"}]`)
	h.knowledge = knowledge.New(knowledge.Options{Store: h.Store, Catalog: h.Catalog, Now: time.Now})
	h.script = nlqtest.NewScript(h.Catalog)
	h.script.Knows("how many orders?", "SELECT count(*) FROM orders")
	h.script.Knows("which are open?", "SELECT id FROM orders WHERE status = 'A'")
	first, second := "SELECT count(*) FROM orders", "SELECT id FROM orders WHERE status = 'A'"
	_, err := h.knowledge.Write(t.Context(), h.ada, in, knowledge.Change{Put: &knowledge.Document{
		Tests: []knowledge.Test{{Question: "how many orders?", Query: &first}, {Question: "which are open?", Query: &second}}}})
	must(t, err)
	return h
}

// service is a server that evaluates with a translator.
func (h *house) service(t nlq.Translator) *evaluate.Service {
	return evaluate.New(evaluate.Options{
		Store: h.Store, Catalog: h.Catalog, Knowledge: h.knowledge, Query: h.Query, Models: asktest.Only(t, nil), Still: h.Auth.Still,
		Release: "1", Now: time.Now, Log: slog.New(slog.DiscardHandler), Alone: true,
	})
}

// dying is a translator whose server stops at a question.
type dying struct {
	nlq.Translator
	at   string
	stop func()
}

func (d dying) Translate(ctx context.Context, p quern.Principal, q nlq.Question) (nlq.Translation, error) {
	if q.Text == d.at {
		d.stop()
		<-ctx.Done()
		return nlq.Translation{}, ctx.Err()
	}
	return d.Translator.Translate(ctx, p, q)
}

func TestEvaluationsGoOnWhereAServerStopped(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := newHouse(t, s)
		ctx, stop := context.WithCancel(t.Context())
		one := h.service(dying{h.script, "which are open?", stop})
		id, err := one.Start(t.Context(), h.ada, in)
		must(t, err)
		one.Work(ctx)
		half, err := one.Evaluation(t.Context(), h.ada, in, id)
		must(t, err)
		if half.Status != quern.EvaluationPending || half.Done != 1 || half.Total != 2 {
			t.Fatalf("after the server stopped, the evaluation is %+v; want it to be pending with one of two done", half.Evaluation)
		}
		asked := len(h.script.Asked())
		other := h.service(h.script)
		_, err = other.WorkOnce(t.Context())
		must(t, err)
		whole, err := other.Evaluation(t.Context(), h.ada, in, id)
		must(t, err)
		if whole.Status != quern.EvaluationCompleted || whole.Good != 2 || len(h.script.Asked()) != asked+1 {
			t.Errorf("the next server made it %+v and asked %d questions, want both good and one asked", whole.Evaluation, len(h.script.Asked())-asked)
		}
	})
}

func TestEvaluationsAreOfWhoMayTeach(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	s := h.service(h.script)
	if _, err := s.Start(t.Context(), h.bob, in); !quern.Is(err, quern.NotFound) {
		t.Errorf("Start() by a stranger = %v, want NotFound", err)
	}
	_, err := h.Catalog.Share(t.Context(), h.ada, catalog.Target{Owner: "ada", Namespace: "shop"}, quern.Share{Username: "bob", Role: quern.Editor})
	must(t, err)
	id, err := s.Start(t.Context(), h.bob, in)
	must(t, err)
	if _, err := s.Start(t.Context(), h.ada, in); !quern.Is(err, quern.Conflict) {
		t.Errorf("Start() while one is under way = %v, want Conflict", err)
	}
	_, err = h.Catalog.Revoke(t.Context(), h.ada, catalog.Target{Owner: "ada", Namespace: "shop"}, "bob")
	must(t, err)
	_, err = s.WorkOnce(t.Context())
	must(t, err)
	got, err := s.Evaluation(t.Context(), h.ada, in, id)
	must(t, err)
	if got.Status != quern.EvaluationFailed || len(h.script.Asked()) > 0 {
		t.Errorf("the evaluation of one who lost the namespace is %+v, want it to have failed with nothing asked", got.Evaluation)
	}
	if _, err := s.Evaluation(t.Context(), h.ada, in, "none"); !quern.Is(err, quern.NotFound) {
		t.Errorf("Evaluation() of none = %v, want NotFound", err)
	}
}

func TestDataThatChangeAreNamed(t *testing.T) {
	t.Parallel()
	h := newHouse(t, nil)
	s := h.service(h.script)
	run := func() evaluate.Report {
		id, err := s.Start(t.Context(), h.ada, in)
		must(t, err)
		_, err = s.WorkOnce(t.Context())
		must(t, err)
		got, err := s.Evaluation(t.Context(), h.ada, in, id)
		must(t, err)
		return got
	}
	run()
	_, err := h.Catalog.Clear(t.Context(), h.ada, quern.DatasetPath{Owner: "ada", Namespace: "shop", Dataset: "orders"})
	must(t, err)
	got := run()
	if got.Since == nil || strings.Join(got.Since.Changed, " ") != "data" || len(got.Since.Broke) == 0 {
		t.Errorf("after the rows were cleared = %+v, want other data and questions that are not good any more", got.Since)
	}
}
