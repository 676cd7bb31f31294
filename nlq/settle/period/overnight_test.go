package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestOvernight: from an evening until a morning is after midnight as well.
func TestOvernight(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("callouts", `[{"call_no":1,"alarm":"2023-05-01T23:10:00Z","vehicle":"Rescue 1"},{"call_no":2,"alarm":"2023-05-02T03:30:00Z","vehicle":"Rescue 2"},{"call_no":3,"alarm":"2023-06-01T12:00:00Z","vehicle":"Rescue 1"},
		{"call_no":4,"alarm":"2022-06-03T05:59:00Z","vehicle":"Rescue 1"},{"call_no":5,"alarm":"2023-06-04T06:00:00Z","vehicle":"Rescue 2"},{"call_no":6,"alarm":"2023-06-05T21:15:00Z","vehicle":"Rescue 2"}]`)
	h.Answers(map[string]string{
		"how many callouts came in between 10 pm and 6 am":         "3",
		"how many callouts came in between 10 pm and 6 am in 2023": "2",
		"how many callouts came in between 22:00 and 06:00":        "3",
		"How many callouts were at night?":                         "3",
		"how many callouts came in between 9 pm and midnight":      "2",
		"how many callouts came in between 6 am and 10 pm":         "3",
		"how many callouts came in between midnight and 4 am":      "1",
	})
	h.Put("shifts", `[{"shift":1,"begins":"22:00","hours":8},{"shift":2,"begins":"14:00","hours":8},{"shift":3,"begins":"05:30","hours":8},{"shift":4,"begins":"06:00","hours":8}]`)
	h.Answers(map[string]string{"Which shifts begin between 10 pm and 6 am?": "1; 3"})
}
