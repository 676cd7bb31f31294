package embedded_test

import (
	"strings"
	"testing"
)

// A number that fits nothing is not compared with what numbers or names rows.
func TestNumbersThatFitNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t).customersAndOrders()
	for _, text := range []string{
		"Which orders came after half past six?", "customers with more than two hosts", "orders with more than 3 stars", "customers over 30 metres",
	} {
		got := h.read(text, nil)
		for _, name := range []string{`_id" >`, `_id" <`, `name" >`, `city" >`, `product" >`} {
			if strings.Contains(got.SQL, name) {
				t.Errorf("Translate(%q) = %s, which compares what has no size", text, got.SQL)
			}
		}
	}
	if got := h.read("orders with an order id above 4", nil); got.Clarification != nil || h.rows(h.ada, got) == "" {
		t.Errorf("Translate(an id above 4) = %+v, want orders", got)
	}
}

// The name of a column is no period.
func TestColumnsNamedLikePeriods(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("targets"), `[{"region":"North","q1":10,"q2":20,"set_on":"2024-01-05"},{"region":"South","q1":30,"q2":40,"set_on":"2024-07-05"}]`)
	h.answers(map[string]string{"What is the average q1?": "20", "total q2": "60"})
}
