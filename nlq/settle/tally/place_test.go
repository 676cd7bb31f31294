package tally_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestPlaces: the second dearest is not the dearest.
func TestPlaces(t *testing.T) {
	t.Parallel()
	nlqtest.League(t).Answers(map[string]string{
		"second oldest player in the foxes":                        "Kian West",
		"Who is the third youngest player?":                        "Jo Moss",
		"Which team has the second most players?":                  "Oakley Owls",
		"What is the 2nd highest number of away goals in a match?": "3",
	})
	h := nlqtest.League(t)
	first := h.Read("second oldest player in the foxes", nil)
	if !strings.Contains(first.Reading, "only the second") {
		t.Errorf("Reading = %q, want the second", first.Reading)
	}
}
