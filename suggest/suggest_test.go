package suggest_test

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/ask/asktest"
	"quern/housetest"
	"quern/knowledge"
	"quern/llm"
	"quern/llm/llmtest"
	"quern/llm/openai"
	"quern/nlq/nlqtest"
	"quern/nlq/schema"
	"quern/propose"
	"quern/suggest"
)

var must = housetest.Must

var shop = quern.NamespacePath{Owner: "ada", Namespace: "shop"}

// house is a namespace of ada's with lines of orders, a model that a test speaks for,
// and a clock that it sets.
type house struct {
	*housetest.House
	*suggest.Service
	knowledge *knowledge.Service
	script    *nlqtest.Script
	model     *llmtest.Service
	ada, bob  quern.Principal
	now       time.Time
	silent    bool // no model is set
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{House: housetest.New(t, housetest.Options{}), model: llmtest.New(t, llmtest.OpenAI), now: time.Now()}
	h.ada, h.bob = h.User("ada"), h.User("bob")
	h.knowledge = knowledge.New(knowledge.Options{Store: h.Store, Catalog: h.Catalog, Now: time.Now})
	log := slog.New(slog.DiscardHandler)
	schemas := schema.New(schema.Options{Catalog: h.Catalog, Links: h.Links, Knowledge: h.knowledge, Files: h.Objects, Engine: h.Engine,
		Now: time.Now, Log: log, Wait: time.Minute})
	t.Cleanup(func() { must(t, schemas.Close()) })
	h.script = nlqtest.NewScript(h.Catalog)
	h.Service = suggest.New(suggest.Options{Store: h.Store, Catalog: h.Catalog, Knowledge: h.knowledge, Schemas: schemas, Query: h.Query,
		Models: asktest.Only(h.script, nil), Asked: h, Now: func() time.Time { return h.now }, Log: log})
	h.Dataset(h.ada, "shop/lines", `[{"id":1,"art":"P","qty":2,"unit_price":3.5},{"id":2,"art":"C","qty":1,"unit_price":8},{"id":3,"art":"P","qty":1,"unit_price":8}]`)
	return h
}

// Asked finds the model.
func (h *house) Asked(string, string) (llm.Offered, error) {
	if h.silent {
		return llm.Offered{}, nil
	}
	e := h.model.Endpoint()
	e.Model = "big"
	return llm.Offered{Provider: "openai", Name: "big", Model: openai.New(openai.Options(e))}, nil
}

func (h *house) suggestions(t *testing.T, p quern.Principal) *suggest.Suggestions {
	t.Helper()
	all, err := h.Suggestions(t.Context(), p, shop)
	must(t, err)
	return all
}

// proposed lists proposals by who made them, with a mark where they are in use.
func proposed(all *suggest.Suggestions) string {
	var lines []string
	for _, p := range all.Proposals {
		line := p.By
		if p.Used {
			line += " used"
		}
		for _, m := range p.Measures {
			line += " " + m.Name + " = " + m.Expression
		}
		for _, w := range p.Words {
			line += " " + w.Word
		}
		if len(p.Datasets) == 0 {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "; ")
}

const said = `{"description":"Lines of orders.","columns":[{"column":"c2","description":"article: P pen, C cup","words":["article"],"values":[{"value":"P","word":"pen"}]}],
	"measures":[{"name":"revenue","words":[],"expression":"c3 * c4 * 2","aggregate":"sum","unit":""},{"name":"weight","words":["load"],"expression":"c3 * 1.5","aggregate":"sum","unit":"kg"}]}`

// TestAModelsProposalsWait has a model propose, an owner teach some of it, and looks
// that nothing of the rest is in use.
func TestAModelsProposalsWait(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.model.Will(llmtest.Says(said))
	mine := h.suggestions(t, h.ada)
	if len(mine.Definitions) != 1 || mine.Definitions[0].By != suggest.ByModel || *mine.Definitions[0].DataDescription != "Lines of orders." ||
		mine.Definitions[0].SchemaDefinition["qty"] == "" {
		t.Errorf("the definitions are %+v, want the model's, with every column", mine.Definitions)
	}
	const want = `rules used revenue = "qty" * "unit_price"; rules used unit_price = "unit_price"; model weight = "qty" * 1.5; model article pen`
	if got := proposed(mine); got != want {
		t.Errorf("the proposals are %s\nwant %s", got, want)
	}
	if used, err := h.knowledge.Read(t.Context(), h.ada, shop); err != nil || used.Version != 0 {
		t.Errorf("after proposals the knowledge has version %d, %v; want nothing taught", used.Version, err)
	}
	// New rows ask nothing anew.
	h.Append(h.ada, housetest.Path("ada", "shop/lines"), `[{"id":4,"art":"C","qty":9,"unit_price":1}]`)
	if got := proposed(h.suggestions(t, h.ada)); got != want || len(h.model.Asked()) != 1 {
		t.Errorf("with another row the proposals are %s after %d requests, want the same after one", got, len(h.model.Asked()))
	}
	_, err := h.knowledge.Write(t.Context(), h.ada, shop, knowledge.Change{Merge: &mine.Proposals[len(mine.Proposals)-1].Document})
	must(t, err)
	if got := proposed(h.suggestions(t, h.ada)); strings.Contains(got, "article") || strings.Contains(got, "pen") || !strings.Contains(got, "weight") {
		t.Errorf("after its words were taught the proposals are %s, want the others alone", got)
	}
}

// TestModelsAreAskedForThoseWhoMayTeach has readers, models that fail, and none.
func TestModelsAreAskedForThoseWhoMayTeach(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	_, err := h.Catalog.Share(t.Context(), h.ada, quern.DatasetPath{Owner: "ada", Namespace: "shop"}, quern.Share{Username: "bob", Role: quern.Viewer})
	must(t, err)
	if theirs := h.suggestions(t, h.bob); len(theirs.Proposals)+len(theirs.Definitions)+len(h.model.Asked()) != 0 {
		t.Errorf("a viewer's suggestions are %+v after %d requests, want no proposals and no request", theirs, len(h.model.Asked()))
	}
	h.model.Will(llmtest.Fails(400, 0))
	for range 2 { // the second time they are known
		failed := h.suggestions(t, h.ada)
		if len(failed.Notes) != 1 || !strings.HasSuffix(failed.Notes[0], "; rules alone propose") || failed.Definitions[0].By != suggest.ByRules ||
			strings.Contains(proposed(failed), "model") {
			t.Errorf("with a model that fails the suggestions are %+v, want those of rules, and that said", failed)
		}
	}
	h.now = h.now.Add(time.Hour)
	h.model.Will(llmtest.Says(said))
	if got := h.suggestions(t, h.ada); got.Definitions[0].By != suggest.ByModel || len(got.Notes) != 0 {
		t.Errorf("when it answers again they are %+v, want the model's", got)
	}
	h.silent = true
	h.Dataset(h.ada, "shop/other", `[{"a":1}]`)
	if got := h.suggestions(t, h.ada); got.Definitions[0].By != suggest.ByRules || len(got.Notes) != 0 || len(h.model.Asked()) != 2 {
		t.Errorf("without a model they are %+v after %d requests, want those of rules", got, len(h.model.Asked()))
	}
}

// TestDefinitionsOfSamples has a model describe rows, and keeps what is known.
func TestDefinitionsOfSamples(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	sample := propose.Sample("", []quern.Column{{Name: "a", Type: quern.Integer}, {Name: "b", Type: quern.Text}}, []json.RawMessage{[]byte(`{"a":1,"b":"x"}`)})
	known := quern.InferDefinition{SchemaDefinition: map[string]string{"a": "what is known"}}
	h.model.Will(llmtest.Says(`{"description":"Rows of a sample.","columns":[{"column":"c1","description":"other"},{"column":"c2","description":"what the model says"}],"measures":[]}`),
		llmtest.Fails(400, 0))
	for _, want := range []string{"Rows of a sample. / what is known / what the model says", "Rows with a and b. / what is known / b; such as x"} {
		got, err := h.Definition(t.Context(), h.ada, "", "", sample, known)
		must(t, err)
		if said := *got.DataDescription + " / " + got.SchemaDefinition["a"] + " / " + got.SchemaDefinition["b"]; said != want {
			t.Errorf("Definition() = %s, want %s", said, want)
		}
	}
}

// TestVerifiedQuestionsPropose has verified questions show a measure and a condition,
// which are proposed, are not in use, and can be taught as they are.
func TestVerifiedQuestionsPropose(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.silent = true
	verified := func(name, question, query string) knowledge.Verified {
		return knowledge.Verified{Name: name, Questions: []string{question}, Query: query}
	}
	taught, err := h.knowledge.Write(t.Context(), h.ada, shop, knowledge.Change{Put: &knowledge.Document{Verified: []knowledge.Verified{
		verified("one", "what is the load of the lines?", "SELECT sum(qty * 1.5) FROM lines"),
		verified("two", "load per article", "SELECT art, sum(qty * 1.5) FROM lines GROUP BY art"),
		verified("three", "how many bulky lines are there?", "SELECT count(*) FROM lines WHERE qty > 1"),
		verified("four", "list the bulky articles", "SELECT art FROM lines WHERE qty > 1"),
	}}})
	must(t, err)
	all := h.suggestions(t, h.ada)
	found := map[string]knowledge.Document{}
	for _, p := range all.Proposals {
		if p.By != suggest.ByVerified || p.Used {
			continue
		}
		if !strings.HasPrefix(p.Reason, "the verified question ") {
			t.Errorf("the reason is %q, want it to name the question", p.Reason)
		}
		for _, m := range p.Measures {
			found[m.Name+" = "+m.Expression] = p.Document
		}
		for _, c := range p.Conditions {
			found[c.Name+": "+c.Where] = p.Document
		}
	}
	for name, one := range found {
		if taught, err = h.knowledge.Write(t.Context(), h.ada, shop, knowledge.Change{Merge: &one, IfVersion: taught.Version}); err != nil {
			t.Errorf("teaching %s = %v, want it to be taken", name, err)
		}
	}
	if len(taught.Measures) != 1 || taught.Measures[0].Name != "load" || len(taught.Conditions) != 1 || taught.Conditions[0].Name != "bulky" {
		t.Errorf("after teaching what is proposed there are %+v and %+v, want load and bulky", taught.Measures, taught.Conditions)
	}
	for _, p := range h.suggestions(t, h.ada).Proposals {
		if p.By == suggest.ByVerified && len(p.Measures)+len(p.Conditions) > 0 {
			t.Errorf("what is taught is proposed again: %+v", p.Document)
		}
	}
}
