package embedded_test

import "testing"

// A phrase asks for rows unless it counts them, rows are shown by what they are called
// themselves, minutes are hours where hours are asked for, and a name that denies is
// said by itself.
func TestRowsAsTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("officers"), `[{"officer_id":"O1","officer":"Tran"},{"officer_id":"O2","officer":"Kemp"}]`)
	h.dataset(at("visits"), `[{"visit_no":11,"officer_id":"O1","visited":"2025-02-03","minutes":90,"unannounced":"T"},
		{"visit_no":12,"officer_id":"O1","visited":"2025-03-04","minutes":30,"unannounced":"F"},
		{"visit_no":13,"officer_id":"O2","visited":"2024-03-05","minutes":60,"unannounced":"F"}]`)
	h.Link(h.ada, "ada.trade.visits.officer_id", "ada.trade.officers.officer_id")
	h.answers(map[string]string{
		"visits in 2025 that were unannounced":        "11 O1 2025-02-03 90 T",
		"the longest visit":                           "11",
		"how many hours did the visits take in total": "3",
	})
}

// Deeds and judgements are declined whatever is recorded, and a column of yes and no
// holds no guess.
func TestWhatIsRecorded(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("readings"), `[{"day":"2025-02-03","used":9,"estimated":"yes","note":"cold"},{"day":"2025-02-04","used":7,"estimated":"no","note":"cold"},
		{"day":"2025-02-05","used":7,"estimated":"no","note":"mild"}]`)
	for _, text := range []string{"what will the reading be next january", "delete all readings", "which is best"} {
		if got := h.read(text, nil); got.Query != nil {
			t.Errorf("Translate(%q) = %+v, want it declined", text, got.Query)
		}
	}
}
