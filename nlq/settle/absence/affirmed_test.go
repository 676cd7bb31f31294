package absence_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestStillInUse: what is still so is so.
func TestStillInUse(t *testing.T) {
	t.Parallel()
	nlqtest.Forecourt(t).Answers(map[string]string{
		"which vehicles are still in use?":                   "Fiesta; Octavia",
		"which vehicles are no longer in use?":               "Corsa; Trailer",
		"vehicles that aren't still in use":                  "Corsa; Trailer",
		"vehicles that have no entry in the log this year":   "Corsa; Trailer",
		"Which car has its MOT due next, and when?":          "Fiesta 2023-10-20",
		"fule cost of the fiesta":                            "51",
		"what did the octavia cost us to look after in 2022": "72",
	})
}
