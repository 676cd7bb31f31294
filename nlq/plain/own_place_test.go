package plain_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestThePlaceThatHasThem: who has all the rows is no condition on them.
func TestThePlaceThatHasThem(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("players", `[{"name":"Ann","team":"first","kind":"adult","trained":"Yes"},{"name":"Bo","team":null,"kind":"youth","trained":"No"},
		{"name":"Cy","team":"second","kind":"adult","trained":"Yes"},{"name":"Di","team":"second","kind":"firm","trained":"No"}]`)
	h.Answers(map[string]string{
		"How many players does the club have?":       "4",
		"How many players does the firm have?":       "4",
		"how many players are in our club?":          "4",
		"How many players of the club are adult":     "2",
		"How many players does the first team have?": "1",
		"How many players are in the second team?":   "2",
	})
	h.Put("clubs", `[{"club":"Rovers","town":"Alm"},{"club":"United","town":"Bek"}]`)
	if got := h.Read("How many players does the club have?", nil); strings.Contains(strings.Join(got.Notes, " "), "do we") {
		t.Errorf("Translate() notes %v of a club that is one of several, want it left alone", got.Notes)
	}
}
