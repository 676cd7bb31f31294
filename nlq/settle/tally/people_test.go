package tally_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestPeopleAreCountedOnce asks how many people rows have to do with, each of whom may have several.
func TestPeopleAreCountedOnce(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("shifts", `[{"day":"2023-09-30","who":"Tom","job":"kitchen","hours":4},{"day":"2023-09-30","who":"Tom","job":"bar","hours":3},{"day":"2023-09-30","who":"Ada","job":"bar","hours":5},
		{"day":"2023-09-29","who":"Bo","job":"bar","hours":8}]`)
	h.Answers(map[string]string{
		"how many people worked yesterday":         "2",
		"How many people have worked in the bar?":  "3",
		"How many shifts were there yesterday?":    "3",
		"How many different people worked for us?": "3",
	})
}
