package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestLimitsInTime: what has expired, is overdue or still holds is so by a time.
func TestLimitsInTime(t *testing.T) {
	t.Parallel()
	nlqtest.Office(t).Answers(map[string]string{
		"which equipment is out of warranty?":     "E1; E3",
		"Which laptops are still under warranty?": "E2",
		"which invoices are overdue?":             "R2",
		"overdue jobs":                            "12",
		"How much do overdue invoices come to?":   "200",
	})
}

// TestLimitsDenied: what is not overdue is not what is.
func TestLimitsDenied(t *testing.T) {
	t.Parallel()
	h := nlqtest.Office(t)
	for _, text := range []string{"which invoices aren't overdue?", "which invoices arent overdue?", "Which invoices are not overdue?"} {
		if got := h.Read(text, nil); got.Clarification == nil && h.RowsOf(h.Ada, got) == "R2" && !got.Doubt {
			t.Errorf("Translate(%q) = %s, the overdue ones", text, got.SQL)
		}
	}
}
