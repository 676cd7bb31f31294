package apart_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

func TestShares(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	for _, c := range []struct{ question, rows string }{
		{"What percentage of orders are open?", "42.857142857142854"},
		{"what share of the orders is cancelled?", "28.571428571428573"},
		{"What percent of orders in Paris are open?", "50"},
		{"What fraction of orders is paid per city?", "Lyon 50; Marseille 33.333333333333336; Paris 0"},
		{"What proportion of shops are in Lyon?", "33.333333333333336"},
		{"Which percentage of orders cost more than 100?", "42.857142857142854"},
	} {
		got := h.Read(c.question, nil)
		if got.Clarification != nil {
			t.Errorf("Translate(%q) asks back %q, want %s", c.question, got.Clarification.Question, c.rows)
			continue
		}
		if rows := h.RowsOf(h.Ada, got); rows != c.rows {
			t.Errorf("Translate(%q) = %s, which gives %s, want %s", c.question, got.SQL, rows, c.rows)
		}
		nlqtest.CheckReading(t, c.question, got)
	}
}

// A dataset that holds percentages is asked for its own.
func TestSharesThatAreColumns(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("parties", `[{"party":"Green","percentage":31.5},{"party":"Blue","percentage":68.5}]`)
	got := h.Read("What is the percentage of the party Green?", nil)
	if got.Query == nil || h.RowsOf(h.Ada, got) != "31.5" {
		t.Errorf("the percentage of a party = %+v, want 31.5", got)
	}
}
