package embedded_test

import (
	"strings"
	"testing"

	"quern/nlq"
	"quern/nlq/nlqtest"
)

// What no rule knows is read together with the questions before it, also where one of them
// got no answer; a whole question is read as it is alone.
func TestQuestionsAreReadTogether(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	var none *nlq.Turn
	for _, c := range []struct {
		said []string
		text string
		want string // of the reading
	}{
		{[]string{"Which orders are from Paris?"}, "same thing for Lyon, would you", "Lyon"},
		{[]string{"How many orders are open?", "hmm"}, "and split that up by city for me", "city"},
		{[]string{"Which orders are from Paris?"}, "How many shops are there?", "Counts shops"},
	} {
		turn := none
		for _, said := range c.said {
			turn = turn.Without(said)
		}
		q := nlqtest.Question(c.text)
		q.Previous = turn
		got, err := h.Translate(t.Context(), h.Ada, q)
		must(t, err)
		if !strings.Contains(got.Reading, c.want) {
			t.Errorf("Translate(%q) after %q = %q (%v), want one with %q", c.text, c.said, got.Reading, got.Clarification, c.want)
		}
		for _, w := range got.Words {
			if w.Start < 0 || w.End > len(c.text) || c.text[w.Start:w.End] != w.Text {
				t.Errorf("Translate(%q) has the word %+v, want its place in the question", c.text, w)
			}
		}
	}
}
