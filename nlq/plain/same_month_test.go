package plain_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestMonthsOfTwoYears: a month of this year and that of the last are two.
func TestMonthsOfTwoYears(t *testing.T) {
	t.Parallel()
	h := nlqtest.Boathouse(t)
	for _, question := range []string{"How many outings did we have in September this year compared with September last year?", "number of outings this September vs last September"} {
		got := h.Read(question, nil)
		if got.Clarification != nil || !strings.HasPrefix(h.RowsOf(h.Ada, got), "2 1 ") {
			t.Errorf("Translate(%q) = %s %v, want 2 and 1", question, got.SQL, got.Clarification)
		}
	}
	h.Answers(map[string]string{"How many outings were there in September last year?": "1", "How many outings were there last September?": "2", "How many outings were there from January to September this year?": "2"})
	if got := h.Read("How many outings were there from September to December last year?", nil); got.Clarification == nil && h.RowsOf(h.Ada, got) == "1" {
		t.Errorf("Translate(September to December last year) = %s, want both months or a question back", got.SQL)
	}
}
