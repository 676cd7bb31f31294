package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestTimesOfDayApart: a day has no time of day, the column beside it has.
func TestTimesOfDayApart(t *testing.T) {
	t.Parallel()
	nlqtest.Airfield(t).Answers(map[string]string{
		"Which flights in August were down for before eight in the morning?": "101; 103",
		"How many flights took off after 4 pm?":                              "1",
	})
}
