package embedded_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

func TestWhatAReadingLeavesOut(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	for _, c := range []struct{ question, rows string }{
		{"How many orders were there in February 2022?", "1"},
		{"How many orders were there last year?", "3"},
		{"How many orders are there since May 2023?", "2"},
		{"How many Paris orders are there?", "2"},
	} {
		got := h.Read(c.question, nil)
		if got.Clarification != nil {
			continue // asking is no wrong answer
		}
		if rows := h.RowsOf(h.Ada, got); rows != c.rows {
			t.Errorf("Translate(%q) = %s, which gives %s, want %s or a question back", c.question, got.Reading, rows, c.rows)
		}
	}
	if got := h.Read("How many orders were there in February 2022?", nil); got.Clarification != nil {
		t.Errorf("Translate(orders of a month) asks back %q, want an answer", got.Clarification.Question)
	}
}
