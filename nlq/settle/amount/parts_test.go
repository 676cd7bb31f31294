package amount_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestPartsOfAWhole: goals of a match are those of both sides, unless one is named.
func TestPartsOfAWhole(t *testing.T) {
	t.Parallel()
	nlqtest.League(t).Answers(map[string]string{
		"How many goals were scored in total?":      "13",
		"how many goals per match on average":       "4.333333333333333",
		"How many home goals were scored in total?": "6",
	})
}
