package tally_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestOnlyOnce: what was so only once has one row, neither several nor none.
func TestOnlyOnce(t *testing.T) {
	t.Parallel()
	nlqtest.Garage(t).Answers(map[string]string{
		"clients that only show up once":               "Otto; Pia",
		"Which clients have used us just once?":        "Otto; Pia",
		"Which cars had only one trip?":                "AB1",
		"Which cars made a trip only once?":            "AB1",
		"Which clients have used us more than once?":   "Nora",
		"Which cars never made a trip to a fuel stop?": "EF3",
		"How many trips did each client make?":         "Nora 3; Otto 1; Pia 1",
		"clients who made a trip more than once":       "Nora",
	})
}
