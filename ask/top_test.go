package ask_test

import (
	"slices"
	"testing"

	"quern/ask"
)

// TestTiesAtALimitAreTold asks for the first of rows of which others are equal.
func TestTiesAtALimitAreTold(t *testing.T) {
	t.Parallel()
	h := shop(t, 50)
	assistant, nl2ql := ask.NewAssistant(h.querier), ask.NewNL2QL(h.querier)
	for _, tt := range []struct{ question, sql, note string }{
		{"which category has the fewest", `select category from products where category <> 'seat' and id <> 5 group by category order by count(*) limit 1`,
			"1 more has the same number of products"},
		{"which shelf has the most", `select category from shelves group by category order by count(*) desc limit 2`,
			"2 more have the same number of shelves"},
		{"which is the dearest", `select name from products order by price desc nulls last limit 1`, ""},
		{"all by price", `select name from products order by price limit 10`, ""},
	} {
		h.script.Knows(tt.question, tt.sql)
		for _, agent := range []ask.Agent{assistant, nl2ql} {
			_, result := h.run(agent, h.work(tt.question))
			if told := slices.Contains(result.Notes, tt.note); told != (tt.note != "") || tt.note == "" && len(result.Notes) > 0 {
				t.Errorf("%s: notes are %q, want %q", tt.question, result.Notes, tt.note)
			}
		}
	}
}

// TestAnswersTellWhatTheFirstAreFirstIn asks for names alone: the assistant tells the
// value beside them, the agent of one query returns what was asked for.
func TestAnswersTellWhatTheFirstAreFirstIn(t *testing.T) {
	t.Parallel()
	h := shop(t, 50)
	h.script.Knows("which category has the most", `select category from products group by category order by count(*) desc limit 2`)
	w, result := h.run(ask.NewAssistant(h.querier), h.work("which category has the most"))
	if want := "The 2 categories with the most products are seat (3) and light (2)."; result.Response != want || len(w.Steps[0].Columns) != 2 {
		t.Errorf("the assistant says %q of %v, want %q", result.Response, w.Steps[0].Columns, want)
	}
	if w, _ = h.run(ask.NewNL2QL(h.querier), h.work("which category has the most")); len(w.Steps[0].Columns) != 1 {
		t.Errorf("the agent of one query returns %v, want the category alone", w.Steps[0].Columns)
	}
}
