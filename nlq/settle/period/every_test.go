package period_test

import (
	"slices"
	"testing"

	"quern/nlq/nlqtest"
)

// TestEveryMonth says of an answer that it does not hold month after month.
func TestEveryMonth(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("pubs", `[{"pub_id":1,"name":"Greyhound"},{"pub_id":2,"name":"Three Tuns"}]`)
	h.Put("orders", `[{"order_id":1,"pub_id":1,"day":"2023-01-04","casks":3},{"order_id":2,"pub_id":1,"day":"2023-02-04","casks":2},{"order_id":3,"pub_id":2,"day":"2023-02-14","casks":5}]`)
	h.Link(h.Ada, "ada.trade.orders.pub_id", "ada.trade.pubs.pub_id")
	const told = "I did not see to it that this was so every month."
	for text, tells := range map[string]bool{
		"Which pubs ordered every month this year?": true,
		"Which pubs ordered this year?":             false,
		"How many casks were ordered every month?":  false,
	} {
		got := h.Read(text, nil)
		if got.Query != nil && (slices.Contains(got.Notes, told) != tells || tells && !got.Doubt) {
			t.Errorf("Translate(%q) has the notes %q, in doubt %t, want %q among them: %t", text, got.Notes, got.Doubt, told, tells)
		}
		if got.Query == nil && !tells {
			t.Errorf("Translate(%q) is declined", text)
		}
	}
}
