package label_test

import (
	"slices"
	"testing"

	"quern/nlq/nlqtest"
)

// TestSeveralOfOneFirstName tells of whom an answer is that adds up what people of one first name did.
func TestSeveralOfOneFirstName(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("customers", `[{"customer_id":1,"name":"Anna Lind","city":"Lyon"},{"customer_id":2,"name":"Anna Murphy","city":"Paris"},{"customer_id":3,"name":"Ben Frost","city":"Lyon"},{"customer_id":4,"name":"Greta Noll","city":"Nice"},
		{"customer_id":5,"name":"Karl Otto","city":"Nice"},{"customer_id":6,"name":"Otto Reed","city":"Lyon"}]`)
	h.Put("rentals", `[{"rental_id":1,"customer_id":1,"start_date":"2023-03-04","amount":16},{"rental_id":2,"customer_id":2,"start_date":"2023-04-04","amount":27},
		{"rental_id":3,"customer_id":3,"start_date":"2023-05-04","amount":36},{"rental_id":4,"customer_id":4,"start_date":"2023-05-05","amount":40}]`)
	h.Link(h.Ada, "ada.trade.rentals.customer_id", "ada.trade.customers.customer_id")
	const told = "2 are called Anna: Anna Lind and Anna Murphy. This is about all of them."
	if got := h.Read("How much did Otto spend?", nil); !got.Doubt || !slices.Contains(got.Notes, "2 are called Otto: Karl Otto and Otto Reed. This is about all of them.") {
		t.Errorf("of two of one name in another place it is told %q, in doubt %t", got.Notes, got.Doubt)
	}
	for text, tells := range map[string]bool{
		"How much did Anna spend?":                      true,
		"How many rentals did Anna have?":               true,
		"How much did Anna Murphy spend?":               false,
		"How much did Anna Lind and Anna Murphy spend?": false,
		"How much did Ben spend?":                       false,
		"Which customers are called Anna?":              false,
	} {
		got := h.Read(text, nil)
		if slices.Contains(got.Notes, told) != tells || tells && !got.Doubt {
			t.Errorf("Translate(%q) has the notes %q, in doubt %t, want %q among them: %t", text, got.Notes, got.Doubt, told, tells)
		}
	}
}
