package absurd_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// A number that fits nothing is not compared with what numbers or names rows.
func TestNumbersThatFitNothing(t *testing.T) {
	t.Parallel()
	h := nlqtest.CustomersAndOrders(t)
	for _, text := range []string{
		"Which orders came after half past six?", "customers with more than two hosts", "orders with more than 3 stars", "customers over 30 metres",
	} {
		got := h.Read(text, nil)
		for _, name := range []string{`_id" >`, `_id" <`, `name" >`, `city" >`, `product" >`} {
			if strings.Contains(got.SQL, name) {
				t.Errorf("Translate(%q) = %s, which compares what has no size", text, got.SQL)
			}
		}
	}
	if got := h.Read("orders with an order id above 4", nil); got.Clarification != nil || h.RowsOf(h.Ada, got) == "" {
		t.Errorf("Translate(an id above 4) = %+v, want orders", got)
	}
}

// TestRoundsAreNotAddedUp: how many rounds is not 1 and 2 and 3.
func TestRoundsAreNotAddedUp(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("picks", `[{"round":1,"overall":17,"player":"Ann"},{"round":2,"overall":28,"player":"Bert"},{"round":3,"overall":46,"player":"Cleo"},{"round":4,"overall":81,"player":"Dan"}]`)
	h.Answers(map[string]string{
		"How many rounds have an overall above 20?":  "3",
		"what is the sum of the rounds of all picks": "10",
	})
}
