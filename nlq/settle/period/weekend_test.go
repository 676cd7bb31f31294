package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestDaysOfOneWeek: this weekend is none of last year's, and the last Sunday is one day.
func TestDaysOfOneWeek(t *testing.T) {
	t.Parallel()
	nlqtest.League(t).Answers(map[string]string{
		"How many matches are there this weekend?":           "1",
		"How many matches were there last Sunday?":           "0",
		"How many matches are on a Saturday or Sunday?":      "6",
		"How many matches are on Sundays?":                   "3",
		"How many matches were there on Sundays so far?":     "1",
		"Which matches are there within the next two weeks?": "305",
	})
}
