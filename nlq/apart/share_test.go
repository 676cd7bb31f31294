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

// TestSharesWithout: a column of the rows that some lack is meant rather than a value of others, and
// "no" denies a value.
func TestSharesWithout(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("patients", `[{"pat_no":1,"name":"Ann","insurer":"Axa"},{"pat_no":2,"name":"Bert","insurer":null},{"pat_no":3,"name":"Cleo","insurer":null},{"pat_no":4,"name":"Dan","insurer":"Bupa"},
		{"pat_no":5,"name":"Eve","insurer":null}]`)
	h.Put("invoices", `[{"inv":"I1","pat_no":1,"method":"insurer","for_what":"filling"},{"inv":"I2","pat_no":2,"method":"card","for_what":"filling"},{"inv":"I3","pat_no":4,"method":"insurer","for_what":"check-up"},
		{"inv":"I4","pat_no":3,"method":"card","for_what":"check-up"}]`)
	h.Link(h.Ada, "ada.trade.invoices.pat_no", "ada.trade.patients.pat_no")
	h.Answers(map[string]string{
		"What share of our patients have no insurer, in percent?": "60",
		"What share of our patients have an insurer?":             "40",
		"what percentage of patients is without an insurer?":      "60",
		"What share of patients have had no filling?":             "60",
		"what percentage of invoices were no filling":             "50",
	})
}
