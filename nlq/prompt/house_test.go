package prompt_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"quern"
	"quern/engine/duckdb"
	"quern/housetest"
	"quern/llm"
	"quern/llm/anthropic"
	"quern/llm/llmtest"
	"quern/llm/openai"
	"quern/nlq"
	"quern/nlq/nlqtest"
	"quern/nlq/prompt"
	"quern/nlq/schema"
	"quern/nlq/vector"
	"quern/tree"
)

// house is everything a translator stands on, all of it real but for the model
// service, which is a double.
type house struct {
	*housetest.House
	t       *testing.T
	ada     quern.Principal
	schemas *schema.Service
	words   *vector.Table
	model   *llmtest.Service
}

func newHouse(t *testing.T, speaks llmtest.Interface) *house {
	t.Helper()
	h := &house{House: housetest.New(t, housetest.Options{Engine: duckdb.Options{Threads: 1}}), t: t, model: llmtest.New(t, speaks)}
	h.ada = h.User("ada")
	h.schemas, h.words = nlqtest.Schemas(t, h.House)
	return h
}

var must = housetest.Must

// harbour makes the datasets that most tests speak of.
func (h *house) harbour() {
	h.t.Helper()
	about := "Ships that came into the harbour."
	h.Dataset(h.ada, "harbour/arrivals", `[
		{"ship":"Aurora","berth_id":1,"draught":7.5,"arrived":"2026-03-01"},
		{"ship":"Borealis","berth_id":2,"draught":9.25,"arrived":"2026-03-02"},
		{"ship":"Aurora","berth_id":2,"draught":7.75,"arrived":"2026-04-11"}]`,
		quern.InferDefinition{DataDescription: &about, SchemaDefinition: map[string]string{"draught": "how deep the ship lies in the water, in metres"}})
	h.Dataset(h.ada, "harbour/berths", `[{"id":1,"name":"North quay"},{"id":2,"name":"South quay"}]`)
	h.Link(h.ada, "ada.harbour.arrivals.berth_id", "ada.harbour.berths.id")
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

// rows runs a translation of ada's and returns its rows in short.
func (h *house) rows(t nlq.Translation) []string { return h.Rows(h.ada, harbour.Namespace, t.SQL) }

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
