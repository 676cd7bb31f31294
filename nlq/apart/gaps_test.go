package apart_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// walks makes a house with walks of dogs, on days that are some days apart.
func walks(t testing.TB) *nlqtest.House {
	t.Helper()
	h := nlqtest.NewHouse(t)
	h.Put("walks", `[{"walk":1,"dog":"Rex","day":"2026-01-01","paid_on":"2026-01-20","km":3.5},{"walk":2,"dog":"Rex","day":"2026-01-05","paid_on":"2026-01-21","km":4.0},
		{"walk":3,"dog":"Rex","day":"2026-01-06","paid_on":"2026-02-20","km":2.5},{"walk":4,"dog":"Bella","day":"2026-01-02","paid_on":"2026-02-25","km":5.0},
		{"walk":5,"dog":"Bella","day":"2026-01-22","paid_on":"2026-03-05","km":1.5},{"walk":6,"dog":"Rex","day":"2026-01-06","paid_on":"2026-03-09","km":6.0}]`)
	return h
}

// TestGaps: what lies between rows that follow each other is reckoned from day to day.
func TestGaps(t *testing.T) {
	t.Parallel()
	h := walks(t)
	h.Answers(map[string]string{
		"What was the longest gap in days between two walks?":              "16",
		"longest gap between one walk and the next, in days":               "16",
		"What is the longest time between walks of Rex?":                   "4",
		"What's the longest we went without a walk?":                       "16",
		"What is the shortest gap between two walks of Rex?":               "1",
		"How many days on average between walks of Rex?":                   "2.5",
		"What is the longest gap between walks for each dog?":              "Bella 20; Rex 4",
		"Which dog had the longest gap between two walks?":                 "Bella 20",
		"What is the longest walk of Rex in km?":                           "6",
		"What is the average number of days between the day and paid on?":  "39.666666666666664",
		"What was the longest time between a walk and its day of payment?": "62",
	})
}

// TestGapsInOtherUnits: what is asked for in weeks or hours is no number of days.
func TestGapsInOtherUnits(t *testing.T) {
	t.Parallel()
	h := walks(t)
	if got := h.Read("What was the longest gap in weeks between two walks?", nil); strings.Contains(got.SQL, "longest_gap") {
		t.Errorf("the longest gap in weeks = %s, want no days", got.SQL)
	}
}
