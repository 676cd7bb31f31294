package apart_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestPartsOfAmounts multiplies what the text speaks of a part of.
func TestPartsOfAmounts(t *testing.T) {
	t.Parallel()
	h := nlqtest.Airfield(t)
	h.Put("jobs", `[{"job":1,"client":"Hall","quote":400.0},{"job":2,"client":"Barn","quote":300.0},{"job":3,"client":"Yard","quote":100.0}]`)
	h.Put("materials", `[{"mat_id":1,"job":1,"qty":2,"unit_price":30.0},{"mat_id":2,"job":1,"qty":1,"unit_price":20.0},{"mat_id":3,"job":2,"qty":5,"unit_price":20.0},
		{"mat_id":4,"job":2,"qty":1,"unit_price":60.0},{"mat_id":5,"job":3,"qty":1,"unit_price":5.0}]`)
	h.Link(h.Ada, "ada.trade.materials.job", "ada.trade.jobs.job")
	h.Answers(map[string]string{
		"If Una Bell's rate went up by ten per cent, what would she be on?":      "22",
		"If Vic Stone's rate was cut by 20%, what would it be?":                  "28",
		"What is 10% of the total quote?":                                        "80",
		"On which jobs did the materials cost more than a quarter of the quote?": "2",
	})
}
