package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestTimesThatAColumnHas: a period is of the column that has such times; this August is compared
// with the one before.
func TestTimesThatAColumnHas(t *testing.T) {
	t.Parallel()
	nlqtest.Lodge(t).Answers(map[string]string{
		"How many bookings are there in November 2023?":           "2",
		"How much less did we take this August than last August?": "100",
		"Which bookings cost more than thirteen pounds an hour?":  "12; 14",
	})
}
