package rest_test

import (
	"encoding/json"
	"strings"
	"testing"

	"quern/api"
)

func questionBody(t *testing.T, q api.QueryRequest) string {
	t.Helper()
	if q.Username == "" {
		q.Username = "self"
	}
	body, err := json.Marshal(q)
	must(t, err)
	return string(body)
}

// fleet is a house with ships to ask about.
func fleet(t *testing.T, h *house) {
	t.Helper()
	h.want(201, "ada", "POST", "/ingest/new/harbour/ships", "")
	h.want(200, "ada", "POST", "/ingest/harbour/ships", `{"data":[{"name":"Ariadne","draught":7.25},{"name":"Boreas","draught":5}]}`)
	h.script.Knows("How many ships are there?", "select count(*) from ships")
	h.script.Knows("Which ships are there?", "select name, draught from ships order by name")
	h.script.Knows("What about ships?", "?select count(*) from ships\nselect name from ships")
}

func TestQuestionsAreAnsweredWithRows(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		fleet(t, h)
		a := h.want(200, "ada", "POST", "/query", questionBody(t, api.QueryRequest{Namespace: "harbour", NaturalLanguageQuery: "Which ships are there?"}))
		if !strings.HasPrefix(a.body, `{"data":[{"name":"Ariadne","draught":7.25,"__metadata":{"score":1.0}},{"name":"Boreas","draught":5,"__metadata":{"score":1.0}}],`) {
			t.Errorf("rows = %s, want two, each with its score", a.body)
		}
		m := into[api.QueryResponse](t, a).Metadata
		if m.Count != 2 || m.TotalCount != 2 || m.Truncated || m.OriginalQuery != "Which ships are there?" || m.FinalDataset != "ada/harbour/ships" || m.StartingDataset != "ada/harbour/ships" ||
			m.ExecutedQuery != `SELECT "ships"."name", "ships"."draught" FROM "ada/harbour/ships" AS "ships" ORDER BY "ships"."name"` {
			t.Errorf("metadata = %+v, want the question, its query and its dataset", m)
		}
		h.script.Scores(0.5)
		a = h.want(200, "ada", "POST", "/query", questionBody(t, api.QueryRequest{Namespace: "harbour", Dataset: "ships", NaturalLanguageQuery: "How many ships are there?",
			Model: "embedded", Provider: "embedded", ExplainRequested: true}))
		if !strings.Contains(a.body, `"__metadata":{"score":0.5}`) || !strings.Contains(a.body, `"reading":"Counts ships"`) || !strings.Contains(a.body, `"confidence":1,`) {
			t.Errorf("answer = %s, want a row of score 0.5 and the reading", a.body)
		}
		if asked := h.script.Asked(); asked[len(asked)-1].Dataset != "ships" {
			t.Errorf("the question was asked of %q, want it of ships alone", asked[len(asked)-1].Dataset)
		}
	})
}

func TestUnclearQuestionsAreAskedBack(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	fleet(t, h)
	a := h.want(200, "ada", "POST", "/query", questionBody(t, api.QueryRequest{Namespace: "harbour", NaturalLanguageQuery: "What about ships?"}))
	r := into[api.QueryResponse](t, a)
	c := r.Metadata.Clarification
	if len(r.Data) != 0 || r.Metadata.ExecutedQuery != "" || len(c.Choices) != 2 || c.Choices[1].Label != "Lists the name of ships" || strings.Contains(a.body, "SELECT") {
		t.Errorf("answer = %s, want no rows, and two choices without their queries", a.body)
	}
	a = h.want(200, "ada", "POST", "/query", questionBody(t, api.QueryRequest{Namespace: "harbour", NaturalLanguageQuery: "'; drop table ships; --"}))
	if c := into[api.QueryResponse](t, a).Metadata.Clarification; c.Question == "" || len(c.Choices) != 0 {
		t.Errorf("answer = %s, want it to say that there is nothing about that", a.body)
	}
}

func TestQuestionsAreHeldToTheRules(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	fleet(t, h)
	long := strings.Repeat("ä", 10_001)
	for _, c := range []struct {
		name, sub string
		status    int
		q         api.QueryRequest
	}{
		{"neither", "query", 422, api.QueryRequest{Namespace: "harbour"}},
		{"a question beside a query wins", "", 200, api.QueryRequest{Namespace: "harbour", Query: "select 1", NaturalLanguageQuery: "How many?"}},
		{"empty", "naturalLanguageQuery", 422, api.QueryRequest{Namespace: "harbour", NaturalLanguageQuery: " \n\t"}},
		{"too long", "naturalLanguageQuery", 422, api.QueryRequest{Namespace: "harbour", NaturalLanguageQuery: long}},
		{"as long as may be", "", 200, api.QueryRequest{Namespace: "harbour", NaturalLanguageQuery: long[:20_000]}},
		{"model", "model", 422, api.QueryRequest{Namespace: "harbour", NaturalLanguageQuery: "How many ships are there?", Model: "large-9"}},
		{"provider", "provider", 422, api.QueryRequest{Namespace: "harbour", NaturalLanguageQuery: "How many ships are there?", Provider: "elsewhere"}},
		{"invalid before not found", "model", 422, api.QueryRequest{Namespace: "nowhere", NaturalLanguageQuery: "How many ships are there?", Model: "large-9"}},
		{"namespace", "", 404, api.QueryRequest{Namespace: "nowhere", NaturalLanguageQuery: "How many ships are there?"}},
		{"dataset", "", 404, api.QueryRequest{Namespace: "harbour", Dataset: "planes", NaturalLanguageQuery: "How many ships are there?"}},
	} {
		a := h.want(c.status, "ada", "POST", "/query", questionBody(t, c.q))
		if c.sub != "" && !strings.Contains(a.body, `"message":"`+c.sub+`:`) {
			t.Errorf("%s = %s, want a sub error of %s", c.name, a.body, c.sub)
		}
	}
	body := questionBody(t, api.QueryRequest{Username: "ada", Namespace: "harbour", NaturalLanguageQuery: "How many ships are there?"})
	stranger := h.want(404, "bob", "POST", "/query", body)
	nowhere := h.want(404, "bob", "POST", "/query", strings.ReplaceAll(body, `"harbour"`, `"nowhere"`))
	if stranger.body != nowhere.body {
		t.Errorf("a namespace of ada's answers bob %s, one that is not there %s; want the same", stranger.body, nowhere.body)
	}
	h.want(200, "ada", "POST", "/permissions/namespaces/self/harbour/shares", `{"username":"bob","role":"viewer"}`)
	h.want(200, "bob", "POST", "/query", body)
}

func TestSQLIsExplained(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	fleet(t, h)
	for sql, want := range map[string]string{
		"select count(*) from ships": "Counts ships",
		"with x as (select 1 as a) select a, row_number() over () as n from x": "",
	} {
		a := h.want(200, "ada", "POST", "/query", questionBody(t, api.QueryRequest{Namespace: "harbour", Query: sql, ExplainRequested: true}))
		got := into[struct{ ExplainResults struct{ ID, Reading string } }](t, a).ExplainResults
		if got.ID == "" || got.Reading != want {
			t.Errorf("%s = %s, want it explained as %q", sql, a.body, want)
		}
	}
}
