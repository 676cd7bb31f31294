package absence_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestDeniedKinds: what was booked but not flown is booked, and what is denied is not that.
func TestDeniedKinds(t *testing.T) {
	t.Parallel()
	h := nlqtest.Airfield(t)
	h.Put("goats", `[{"tag":1,"name":"Ada","status":"kid"},{"tag":2,"name":"Bea","status":"in kid"},{"tag":3,"name":"Cleo","status":"in kid"},{"tag":4,"name":"Dot","status":"dry"},
		{"tag":5,"name":"Eve","status":"kid"},{"tag":6,"name":"Fay","status":"dry"}]`)
	h.Answers(map[string]string{
		"Which flights are booked but not flown?": "105; 106",
		"How many goats are in kid?":              "2",
		"How many flights are not cancelled?":     "5",
	})
}

// TestToBeDone: what is ready to be collected is not collected.
func TestToBeDone(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("jobs", `[{"job":1,"item":"coat","state":"ready"},{"job":2,"item":"suit","state":"collected"},{"job":3,"item":"dress","state":"ready"},{"job":4,"item":"skirt","state":"in work"},
		{"job":5,"item":"coat","state":"collected"},{"job":6,"item":"suit","state":"collected"}]`)
	h.Answers(map[string]string{
		"how many jobs are ready to be picked up?": "2",
		"how many jobs have been picked up?":       "3",
	})
}

// TestWrittenTogether: a denial that is written with its verb denies.
func TestWrittenTogether(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("orders", `[{"order_no":1,"customer":"Ann","paid":"no","total":12},{"order_no":2,"customer":"Bert","paid":"yes","total":20},{"order_no":3,"customer":"Ann","paid":"no","total":30},{"order_no":4,"customer":"Cleo","paid":"no","total":8}]`)
	h.Answers(map[string]string{
		"what percentage of our orders haven't been paid": "75",
	})
}
