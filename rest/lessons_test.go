package rest_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"quern/api"
	"quern/ask/asktest"
	"quern/evaluate"
	"quern/housetest"
	"quern/nlq/schema"
	"quern/rest"
	"quern/suggest"
)

// addLessons makes the house evaluate and suggest, with questions read by the script.
func (h *house) addLessons(deps *rest.Deps, parts *housetest.House) {
	h.t.Helper()
	models := asktest.Only(h.script, whole{})
	log := slog.New(slog.DiscardHandler)
	h.lessons = evaluate.New(evaluate.Options{
		Store: h.store, Catalog: h.catalog, Knowledge: deps.Knowledge, Query: deps.Query, Models: models, Still: h.auth.Still,
		Release: "test", Now: time.Now, Log: log,
	})
	schemas := schema.New(schema.Options{Catalog: h.catalog, Links: h.links, Knowledge: deps.Knowledge, Files: parts.Files,
		Engine: parts.Engine, Now: time.Now, Log: log, Wait: time.Minute})
	h.t.Cleanup(func() { must(h.t, schemas.Close()) })
	deps.Evaluations = h.lessons
	deps.Suggestions = suggest.New(suggest.Options{Store: h.store, Catalog: h.catalog, Knowledge: deps.Knowledge, Schemas: schemas,
		Query: deps.Query, Models: models, Now: time.Now})
}

// evaluated has ada's harbour evaluated and returns how it went.
func (h *house) evaluated() api.EvaluationReport {
	h.t.Helper()
	queued := into[api.EvaluationRef](h.t, h.want(202, "ada", "POST", "/knowledge/self/harbour/evaluate", ""))
	h.want(409, "ada", "POST", "/knowledge/self/harbour/evaluate", "")
	_, err := h.lessons.WorkOnce(h.t.Context())
	must(h.t, err)
	return into[api.EvaluationReport](h.t, h.want(200, "ada", "GET", "/knowledge/self/harbour/evaluations/"+queued.ID, ""))
}

func TestEvaluationsTellWhatBroke(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		h.harbour("harbour")
		h.want(422, "ada", "POST", "/knowledge/self/harbour/evaluate", "")
		lesson := `{"tests":[{"question":"how many ships?","query":"SELECT count(*) FROM ships"},{"question":"who is the pilot?","query":null},
			{"question":"which ones?","query":"SELECT name FROM ships"}],
			"verified":[{"name":"calls","questions":["how many calls?","number of calls"],"query":"SELECT count(*) FROM arrivals"}]}`
		if a := h.teach("PUT", "ada/harbour", `"0"`, lesson); a.StatusCode != 200 {
			t.Fatalf("PUT = %d %s, want 200", a.StatusCode, a.body)
		}
		h.script.Knows("how many ships?", "SELECT count(*) FROM ships")
		h.script.Knows("which ones?", "?SELECT name FROM ships")
		h.script.Knows("how many calls?", "SELECT count(*) FROM arrivals")
		h.script.Knows("number of calls", "SELECT count(*) FROM arrivals WHERE draught > 1000")
		first := h.evaluated()
		marks := map[string]string{}
		for _, q := range first.Questions {
			marks[q.Question] = string(q.Mark)
		}
		for question, want := range map[string]string{"how many ships?": "good", "who is the pilot?": "good", "which ones?": "review", "how many calls?": "good", "number of calls": "bad"} {
			if marks[question] != want {
				t.Errorf("%q is %q in %+v, want %s", question, marks[question], first.Questions, want)
			}
		}
		if e := first.Evaluation; e.Status != "completed" || e.Done != 5 || e.Good != 3 || e.KnowledgeVersion != 1 || e.Model != "embedded" || e.Release != "test" {
			t.Errorf("the evaluation is %+v, want 3 good of 5", e)
		}
		for _, asked := range h.script.Asked() {
			if strings.Contains(asked.Text, "calls") && asked.Without != "calls" {
				t.Errorf("%q was asked without %q, want without its own entry", asked.Text, asked.Without)
			}
		}
		h.script.Knows("how many ships?", "SELECT count(*) FROM arrivals WHERE draught > 1000")
		h.script.Knows("number of calls", "SELECT count(*) FROM arrivals")
		if a := h.teach("PATCH", "ada/harbour", `"1"`, `{"merge":{"words":[{"word":"boats","means":"ships"}]}}`); a.StatusCode != 200 {
			t.Fatalf("PATCH = %d %s, want 200", a.StatusCode, a.body)
		}
		second := h.evaluated()
		since := second.Since
		if since.ID != first.Evaluation.ID || len(since.Broke) != 1 || since.Broke[0].Question != "how many ships?" || len(since.Mended) != 1 ||
			len(since.Changed) != 1 || since.Changed[0] != "knowledge" {
			t.Errorf("since the first evaluation = %+v, want one broke, one was mended, for another knowledge", since)
		}
		history := into[[]api.Evaluation](t, h.want(200, "ada", "GET", "/knowledge/ada/harbour/evaluations", ""))
		if len(history) != 2 || history[0].ID != second.Evaluation.ID {
			t.Errorf("GET evaluations = %+v, want both, the second first", history)
		}
	})
}

func TestSuggestionsAreForWhoAsks(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.want(200, "ada", "POST", "/ingest/shop/lines", `{"data":[{"line_id":1,"product":"Pen","qty":2,"unit_price":3.5,"land":"DE"},
		{"line_id":2,"product":"Cup","qty":1,"unit_price":8,"land":"FR"},{"line_id":3,"product":"Pen","qty":1,"unit_price":8,"land":"FR"}]}`)
	h.user("bob")
	h.want(200, "ada", "POST", "/permissions/namespaces/ada/shop/shares", `{"username":"bob","role":"viewer"}`)
	h.script.Knows("how many lines are there?", "SELECT count(*) FROM lines")
	h.script.Knows("how many lines are there per product?", "SELECT count(*) FROM lines") // read otherwise than it is meant
	mine := into[api.KnowledgeSuggestions](t, h.want(200, "ada", "GET", "/knowledge/self/shop/suggestions", ""))
	if len(mine.Questions) != 1 || mine.Questions[0].Question != "how many lines are there?" || mine.Questions[0].Rows != 1 {
		t.Errorf("the questions are %+v, want the one that is read as it is meant", mine.Questions)
	}
	if len(mine.Definitions) != 1 || mine.Definitions[0].Definition.SchemaDefinition["qty"] == "" {
		t.Errorf("the definitions are %+v, want one of lines", mine.Definitions)
	}
	if len(mine.Proposals) == 0 || mine.Proposals[0].Knowledge.Measures[0].Expression != `"qty" * "unit_price"` || !mine.Proposals[0].Used {
		t.Errorf("the proposals are %+v, want revenue, which is used", mine.Proposals)
	}
	theirs := into[api.KnowledgeSuggestions](t, h.want(200, "bob", "GET", "/knowledge/ada/shop/suggestions", ""))
	if len(theirs.Questions) != 1 || len(theirs.Definitions) != 0 || len(theirs.Proposals) != 0 {
		t.Errorf("a viewer's suggestions are %+v, want questions alone", theirs)
	}
}
