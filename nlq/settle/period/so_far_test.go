package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestSoFar leaves out what is planned.
func TestSoFar(t *testing.T) {
	t.Parallel()
	nlqtest.Airfield(t).Answers(map[string]string{
		"How many flights have there been so far?":         "4",
		"How many flights are there?":                      "6",
		"How many more flights were flown than cancelled?": "2",
	})
}

// TestWhatWasSoFar: what is planned was not so far, whether the data say one time or from when until
// when; up to today is no day; this year so far ends today.
func TestWhatWasSoFar(t *testing.T) {
	t.Parallel()
	nlqtest.Boathouse(t).Answers(map[string]string{
		"How many different rivers have we toured so far?":      "2",
		"How many tours have there been so far?":                "2",
		"Of all the outings up to today, what share was done?":  "75",
		"Of all the outings, what share was done?":              "60",
		"What is the total miles of outings this year so far?":  "7",
		"What is the total miles of outings this year?":         "16",
		"What is the total miles of the outings so far?":        "14",
		"How many rivers are there?":                            "4",
		"How many outings were there from 1 July 2023 to today": "2",
	})
}
