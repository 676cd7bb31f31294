package embedded_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestYearsOfWrittenDates: the year of a date that is a text is looked for in it, and is
// not taken for one of the dates.
func TestYearsOfWrittenDates(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("concerts", `[{"band":"Reed","held":"Jun 12 1998"},{"band":"Oak","held":"Mar 1 1999"},{"band":"Fern","held":"Sep 16 1999"}]`)
	h.Answers(map[string]string{"how many concerts were held in 1999": "2"})
}
