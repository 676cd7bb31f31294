package absence_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestHowOftenIsOfWhatHappens: how many times and never are of what happens at a time, not of
// what is there.
func TestHowOftenIsOfWhatHappens(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("owners", `[{"owner_id":1,"name":"Ada","since":"2001-01-01"},{"owner_id":2,"name":"Bo","since":"2002-02-02"},{"owner_id":3,"name":"Cy","since":"2003-03-03"}]`)
	h.Put("boilers", `[{"boiler_id":"B1","owner_id":1,"fuel":"gas"},{"boiler_id":"B2","owner_id":2,"fuel":"oil"},{"boiler_id":"B3","owner_id":2,"fuel":"gas"},{"boiler_id":"B4","owner_id":3,"fuel":"oil"}]`)
	h.Put("visits", `[{"visit":1,"boiler_id":"B1","date":"2024-01-01"},{"visit":2,"boiler_id":"B1","date":"2024-02-01"},{"visit":3,"boiler_id":"B1","date":"2024-03-01"},{"visit":4,"boiler_id":"B2","date":"2024-03-01"}]`)
	h.Link(h.Ada, "ada.trade.boilers.owner_id", "ada.trade.owners.owner_id")
	h.Link(h.Ada, "ada.trade.visits.boiler_id", "ada.trade.boilers.boiler_id")
	h.Answers(map[string]string{
		"Which owners have I never been to?":                      "Cy",
		"Which owners have I visited more than two times? Names.": "Ada",
	})
}
