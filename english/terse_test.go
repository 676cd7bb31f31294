package english_test

import (
	"testing"

	"quern/english"
)

func TestSpoken(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"injuries, number":                               "How many injuries?",
		"the neighbours on our list, number":             "How many neighbours on our list?",
		"spills number":                                  "How many spills?",
		"places I need to lug my own sink to, number of": "How many places I need to lug our own sink to?",
		"scores owned count":                             "How many scores owned?",
		"spanish guests, how many":                       "How many spanish guests?",
		"the order number":                               "the order number",
		"Which customers have no phone number?":          "Which customers have no phone number?",
		"pilots: name, number":                           "pilots: name, number",
		"show names and count":                           "show names and count",
		"income, every three months":                     "income, per quarter",
		"arrivals, three months at a time":               "arrivals, per quarter",
		"how many in a hundred batches are healthy":      "what percentage of batches are healthy",
		"how many in a hundred were nothing":             "what percentage were nothing",
		"how many percent of our costs were gas":         "what percentage of our costs were gas",
		"How many jobs are there all told?":              "How many jobs are there?",
		"joined < 2025, names":                           "joined before 2025, names",
		"which of my dogs are due":                       "which of our dogs are due",
		"total hours at each of our two sites":           "total hours at each of our sites",

		"white yachts worth over 15 grand": "white yachts worth over 15000",
		"Who owns a grand?":                "Who owns a grand?",
		"loaves under a fiver":             "loaves under 5",
		"How many customers are there?":    "How many customers are there?",
	} {
		if got := english.Spoken(text); got != want {
			t.Errorf("Spoken(%q) = %q, want %q", text, got, want)
		}
	}
}
