package embedded_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestValuesOfWhatRowsAreLinkedTo asks about rows by what they are linked to: a reading
// without it would be another question's.
func TestValuesOfWhatRowsAreLinkedTo(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("ships", `[
		{"ship":"Aurora","kind":"tanker","length":180},{"ship":"Borealis","kind":"ferry","length":120},
		{"ship":"Castor","kind":"tanker","length":200},{"ship":"Dione","kind":"ferry","length":90},
		{"ship":"Elara","kind":"trawler","length":40},{"ship":"Fornax","kind":"trawler","length":45}]`)
	h.Put("arrivals", `[
		{"ship":"Aurora","arrived":"2022-03-01","fee":100},{"ship":"Aurora","arrived":"2023-03-02","fee":300},
		{"ship":"Borealis","arrived":"2022-04-11","fee":50},{"ship":"Castor","arrived":"2023-05-01","fee":200},
		{"ship":"Dione","arrived":"2023-06-01","fee":70},{"ship":"Castor","arrived":"2023-05-09","fee":200},{"ship":"Elara","arrived":"2022-06-02","fee":10}]`)
	h.Link(h.Ada, "ada.trade.arrivals.ship", "ada.trade.ships.ship")
	for question, want := range map[string]string{
		"What is the average fee of tankers?":    "200",
		"average fee of ferries":                 "60",
		"How many tankers arrived in 2023?":      "2",
		"How many tankers arrived?":              "2",
		"How many ships arrived in 2022?":        "3",
		"How many ships had a fee over 60?":      "3",
		"How many arrivals were in 2022?":        "3",
		"How many ships arrived more than once?": "2",
		"total fee of trawlers":                  "10",
	} {
		got := h.Read(question, nil)
		switch {
		case got.Clarification != nil:
			t.Errorf("Translate(%q) asks back %q, want %s", question, got.Clarification.Question, want)
		case h.RowsOf(h.Ada, got) != want:
			t.Errorf("Translate(%q) = %s, which gives %s, want %s", question, got.SQL, h.RowsOf(h.Ada, got), want)
		}
	}
	for _, w := range h.Read("Which tankers arrived after the ferries?", nil).Words {
		if w.Text == "tankers" && strings.Contains(w.Means, "dataset") {
			t.Errorf("tankers are taken for %s, want a value", w.Means)
		}
	}
}
