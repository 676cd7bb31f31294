package label_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// A phrase asks for rows unless it counts them, rows are shown by what they are called
// themselves, minutes are hours where hours are asked for, and a name that denies is
// said by itself.
func TestRowsAsTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("officers", `[{"officer_id":"O1","officer":"Tran"},{"officer_id":"O2","officer":"Kemp"}]`)
	h.Put("visits", `[{"visit_no":11,"officer_id":"O1","visited":"2025-02-03","minutes":90,"unannounced":"T"},
		{"visit_no":12,"officer_id":"O1","visited":"2025-03-04","minutes":30,"unannounced":"F"},
		{"visit_no":13,"officer_id":"O2","visited":"2024-03-05","minutes":60,"unannounced":"F"}]`)
	h.Link(h.Ada, "ada.trade.visits.officer_id", "ada.trade.officers.officer_id")
	h.Answers(map[string]string{
		"visits in 2025 that were unannounced":        "11 O1 2025-02-03 90 T",
		"the longest visit":                           "11",
		"how many hours did the visits take in total": "3",
	})
}
