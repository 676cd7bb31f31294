package embedded_test

import (
	"strings"
	"testing"
)

// counter makes the sales of some shops: by whom, of what, how far they are and whether the money
// was given back.
func (h *house) counter() *house {
	h.t.Helper()
	h.dataset(at("sales"), `[
		{"sale":1,"shop":"Bell & Son","goods":"oil","clerk":"Lin","amount":12.5,"refunded":"no","stage":"on hold list","sold_on":"2023-08-02"},
		{"sale":2,"shop":"Bell & Son","goods":"paint","clerk":"Cap","amount":30.0,"refunded":"yes","stage":"shipped","sold_on":"2023-08-20"},
		{"sale":3,"shop":"Bell & Son","goods":"oil","clerk":"Cap","amount":14.0,"refunded":"no","stage":"waiting list","sold_on":"2023-09-05"},
		{"sale":4,"shop":"Marlow","goods":"paint","clerk":"Lin","amount":20.0,"refunded":"yes","stage":"waiting list","sold_on":"2023-09-12"},
		{"sale":5,"shop":"Marlow","goods":"nails","clerk":"Lin","amount":4.0,"refunded":"yes","stage":"shipped","sold_on":"2023-09-21"},
		{"sale":6,"shop":"Quill","goods":"oil","clerk":"Lin","amount":9.0,"refunded":"no","stage":"shipped","sold_on":"2023-05-14"}]`)
	return h
}

// TestPluralsOfOtherWords: lines are no Lin.
func TestPluralsOfOtherWords(t *testing.T) {
	t.Parallel()
	newHouse(t).counter().answers(map[string]string{
		"How many lines are there for paint in sales?": "2",
		"How many sales did Lin make?":                 "4",
	})
}

// TestListsThatAreValues: what is on a list of some is not all there is.
func TestListsThatAreValues(t *testing.T) {
	t.Parallel()
	newHouse(t).counter().answers(map[string]string{
		"How many sales are on the waiting list for each shop?": "Bell & Son 1; Marlow 1",
		"How many sales are on the sales list?":                 "6",
	})
}

// TestWhatIsSoInTwoPeriods: the sales that were refunded are not all sales of the two months.
func TestWhatIsSoInTwoPeriods(t *testing.T) {
	t.Parallel()
	h := newHouse(t).counter()
	for question, want := range map[string]string{
		"How many sales were refunded in September 2023 compared with August 2023?": "2 1",
		"How many sales did we make in September 2023 compared with August 2023?":   "3 2",
	} {
		got := h.read(question, nil)
		if got.Clarification != nil || !strings.HasPrefix(h.rows(h.ada, got), want) && !strings.HasPrefix(h.rows(h.ada, got), want[2:]+" "+want[:1]) {
			t.Errorf("Translate(%q) = %+v, want %s", question, got.SQL, want)
		}
	}
}
