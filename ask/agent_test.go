package ask_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"quern"
	"quern/ask"
	"quern/ask/asktest"
	"quern/catalog"
)

func TestStepsAreCutAndSaySo(t *testing.T) {
	t.Parallel()
	h := shop(t, 10)
	w, result := h.run(ask.NewAssistant(h.querier), h.work("many"))
	s := w.Steps[0]
	if len(s.Data) != 10 || !s.Truncated || s.TotalCount != 57 || string(s.Data[0]) != `{"n":1,"__metadata":{"score":1.0}}` {
		t.Errorf("step = %d rows of %d, first %s; want 10 of 57 with their scores", len(s.Data), s.TotalCount, s.Data[0])
	}
	if !strings.HasSuffix(result.Response, "And 47 more rows; only 10 of the 57 rows are kept.") || fmt.Sprint(result.Notes) != "[step 1 gave 57 rows, of which 10 are kept]" {
		t.Errorf("answer = %s, notes %q; want both to say what is missing", result.Response, result.Notes)
	}
	if s.Tree != `SELECT "numbers"."n" FROM "ada/shop/numbers" AS "numbers" ORDER BY "numbers"."n"` || s.Query != s.Tree || s.Reasoning != "Lists the n of numbers, sorted by n" || len(s.Columns) != 1 {
		t.Errorf("step = %+v, want its query, tree, reading and columns", s)
	}
}

func TestLargeRowsAreNotKept(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 0)
	big, err := json.Marshal(strings.Repeat("x", 1<<20))
	must(t, err)
	rows := make([]string, 6)
	for i := range rows {
		rows[i] = `{"id":` + itoa(i) + `,"text":` + string(big) + `}`
	}
	h.dataset("books", "["+strings.Join(rows, ",")+"]")
	h.script.Knows("books", "select * from books")
	w, result := h.run(ask.NewAssistant(h.querier), h.work("books"))
	if n := len(w.Steps[0].Data); n != 3 || !w.Steps[0].Truncated || w.Steps[0].TotalCount != 6 || !strings.Contains(result.Response, "only 3 of the 6 rows are kept") {
		t.Errorf("%d rows kept, truncated %v; want 3 and that said in %.300s", n, w.Steps[0].Truncated, result.Response)
	}
}

func TestSimilarValuesAreNoted(t *testing.T) {
	t.Parallel()
	h := shop(t, 0)
	h.script.Scores(0.8125)
	w, result := h.run(ask.NewNL2QL(h.querier), h.work("how many seats are there"))
	if string(w.Steps[0].Data[0]) != `{"count":3,"__metadata":{"score":0.8125}}` || len(result.Notes) != 1 || !strings.Contains(result.Notes[0], "0.81") {
		t.Errorf("row %s, notes %q; want the score in both", w.Steps[0].Data[0], result.Notes)
	}
}

func TestRowsThatWereSearchedKeepTheirOwnScore(t *testing.T) {
	t.Parallel()
	h := shop(t, 0)
	h.script.Knows("search benchs", `select name, category from products where list_has_all(regexp_extract_all(lower(concat_ws(' ', name, category)), '[\p{L}\p{N}]+'), ['benchs'])`)
	w, result := h.run(ask.NewAssistant(h.querier), h.work("search benchs"))
	if rows := w.Steps[0].Data; len(rows) != 1 || strings.Count(string(rows[0]), "__metadata") != 1 || !strings.HasPrefix(string(rows[0]), `{"name":"Bench","category":"seat","__metadata":{"score":0.9`) {
		t.Errorf("rows = %s, want the bench, once scored", rows)
	}
	if want := "There is 1 product that mentions 'benchs': name Bench and category seat."; result.Response != want {
		t.Errorf("answer = %s, want %s", result.Response, want)
	}
}

func TestEveryStepIsDoneWithTheRightsOfTheMoment(t *testing.T) {
	t.Parallel()
	h := shop(t, 0)
	bob := h.User("bob")
	all := catalog.Target{Owner: "ada", Namespace: "shop"}
	_, err := h.Catalog.Share(t.Context(), h.ada, all, quern.Share{Username: "bob", Role: quern.Viewer})
	must(t, err)
	h.script.Knows("How many products are there?", "select count(*) from products")
	h.script.Knows("How many shelves are there?", "select count(*) from shelves")
	w := h.work("How many products are there? How many shelves are there?")
	w.Principal = bob
	for name, agent := range map[string]ask.Agent{"assistant": ask.NewAssistant(h.querier)} {
		w.Plan, err = agent.Plan(t.Context(), w)
		must(t, err)
		step, err := agent.Step(t.Context(), w, 0)
		must(t, err)
		w.Steps = append(w.Steps, step)
		_, err = h.Catalog.Revoke(t.Context(), h.ada, all, "bob")
		must(t, err)
		if step, err := agent.Step(t.Context(), w, 1); !quern.Is(err, quern.NotFound) || err == nil {
			t.Errorf("%s: a step after the grant was revoked = %+v, %v; want not found", name, step, err)
		}
	}
	// A reading that was offered is run with the rights of now, too.
	choice := h.work("1")
	choice.Principal, choice.Choices = bob, []quern.Choice{{Label: "Counts products", Query: `select count(*) from "ada/shop/products"`}}
	choice.In = quern.NamespacePath{Owner: "bob", Namespace: "own"}
	_, err = h.Catalog.CreateNamespace(t.Context(), bob, "own")
	must(t, err)
	agent := ask.NewNL2QL(h.querier)
	choice.Plan, err = agent.Plan(t.Context(), choice)
	must(t, err)
	if step, err := agent.Step(t.Context(), choice, 0); !quern.Is(err, quern.Invalid) {
		t.Errorf("a choice over what bob no longer sees = %+v, %v; want it refused", step, err)
	}
}

func TestModelsAreThereOrNot(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		model, provider, sub string
	}{{"", "", ""}, {"embedded", "", ""}, {"", "embedded", ""}, {"embedded", "embedded", ""}, {"big", "", "model"}, {"embedded", "cloud", "provider"}, {"big", "cloud", "model provider"}} {
		_, err := asktest.Only(nil, nil).Model(c.model, c.provider)
		var fields []string
		if failed, ok := errors.AsType[*quern.Error](err); ok {
			for _, s := range failed.Sub {
				fields = append(fields, s.Field)
			}
		}
		if got := strings.Join(fields, " "); got != c.sub || (err != nil) != (c.sub != "") {
			t.Errorf("Model(%q, %q) = %v, want %q refused", c.model, c.provider, err, c.sub)
		}
	}
}
