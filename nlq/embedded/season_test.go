package embedded_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestSeasonsAndSince: seasons are of a year, what has not happened since happened before or
// never, and two groups that are named side by side are those that are asked for.
func TestSeasonsAndSince(t *testing.T) {
	t.Parallel()
	nlqtest.Goats(t).Answers(map[string]string{
		"How many goats were born in spring 2025?":                 "2",
		"How many goats were born in the autumn of 2025?":          "1",
		"Which goats have not been to the vet since October 2026?": "Ada; Cid; Dot; Fay",
		"average weight of boer and pygmy goats":                   "Boer 50; Pygmy 25",
		"average weight of the goats by breed":                     "Boer 50; Pygmy 25; Saanen 60",
		"Which stalls were not paid since October 2026?":           "2",
		"Which kilns were swept more than six months ago?":         "1; 3",
	})
}

// TestChangesThatNobodyMade: an amount that is 10 % higher is no amount above 10.
func TestChangesThatNobodyMade(t *testing.T) {
	t.Parallel()
	h := nlqtest.Goats(t)
	got := h.Read("What would all goats cost if prices were 10% higher?", nil)
	if got.Query != nil && !got.Doubt {
		t.Errorf("Translate(10%% higher) = %s without doubt, want it declined or doubted", got.SQL)
	}
	if strings.Contains(got.SQL, "> 10") {
		t.Errorf("Translate(10%% higher) = %s, want 10 compared with nothing", got.SQL)
	}
}
