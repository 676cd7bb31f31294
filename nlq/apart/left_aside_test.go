package apart_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestLeftAside: rows of some kinds do not count, said in front or behind, of one kind or of several;
// a column of amounts that is not to count is none of the rows.
func TestLeftAside(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("parcels", `[{"parcel":1,"state":"lost","town":"Ulm","price":10,"postage":4},{"parcel":2,"state":"posted","town":"Ulm","price":20,"postage":4},
		{"parcel":3,"state":"delivered","town":"Bonn","price":30,"postage":5},{"parcel":4,"state":"returned","town":"Bonn","price":40,"postage":5},
		{"parcel":5,"state":"delivered","town":"Ulm","price":50,"postage":6},{"parcel":6,"state":"lost","town":"Bonn","price":60,"postage":6}]`)
	h.Answers(map[string]string{
		"Leaving aside lost parcels, how many parcels went to Ulm?":                  "2",
		"How many parcels are there (lost ones don't count)?":                        "4",
		"How many parcels are there, leaving aside those that are lost or returned?": "3",
		"What is the total price of parcels to Ulm, not counting postage?":           "80",
		"What is the total price of parcels, not counting lost ones?":                "140",
		"What is the total postage, not counting lost parcels?":                      "20",
	})
}
