package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestRowsThatCountAsWell: what counts in any case is no condition.
func TestRowsThatCountAsWell(t *testing.T) {
	t.Parallel()
	nlqtest.Lodge(t).Answers(map[string]string{
		"Which member has made the most bookings, cancelled ones included?":   "Ann Vale",
		"How many bookings do we have, cancelled or not?":                     "5",
		"Number of bookings, no matter how they ended":                        "5",
		"How many bookings are there? Don't bother with the cancelled ones.":  "3",
		"How many bookings are there all told?":                               "5",
		"How many bookings does each member have, including those with none?": "Ann Vale 3; Bo Carr 1; Cy Dunn 0; Di Earl 1; Ed Ford 0; Flo Gray 0",
	})
}
