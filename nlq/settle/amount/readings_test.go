package amount_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestCounters: an odometer is not added up.
func TestCounters(t *testing.T) {
	t.Parallel()
	h := nlqtest.Forecourt(t)
	h.Answers(map[string]string{
		"How many km did the Octavia do in 2023?":        "4500",
		"What's the mileage on the Octavia now?":         "64500",
		"how far did each vehicle go in 2023":            "Fiesta 1500; Octavia 4500",
		"how many litres did the Octavia need":           "120",
		"What do we pay for a litre of fuel on average?": "1.6518987341772151",
	})
	if got := h.Read("fiesta: litres per 100 km?", nil); got.Query != nil && !got.Doubt {
		t.Errorf("litres per 100 km = %s without doubt, want it declined or doubted", got.SQL)
	}
}
