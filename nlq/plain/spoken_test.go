package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestSinceASeason: a season without a year is the last that has begun.
func TestSinceASeason(t *testing.T) {
	t.Parallel()
	nlqtest.BoxOffice(t).Answers(map[string]string{"How many donors have joined since spring?": "1", "How many donors joined before spring last year?": "1"})
}

// TestListsThatAreValues: what is on a list of some is not all there is.
func TestListsThatAreValues(t *testing.T) {
	t.Parallel()
	nlqtest.Counter(t).Answers(map[string]string{
		"How many sales are on the waiting list for each shop?": "Bell & Son 1; Marlow 1",
		"How many sales are on the sales list?":                 "6",
	})
}

// TestOutOfService: what is out of service is not in it.
func TestOutOfService(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("lifts", `[{"lift":"North","floors":4,"in_service":"yes"},{"lift":"South","floors":6,"in_service":"no"},{"lift":"East","floors":9,"in_service":"yes"}]`)
	h.Answers(map[string]string{"Which lifts are currently out of service?": "South"})
}
