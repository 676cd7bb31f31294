package tally_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestTallies: where a column says how many each row stands for, that is added up; what
// the rows are told apart by is counted.
func TestTallies(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("visits", `[{"museum":"Tower","country":"France","year":2021,"count":40},{"museum":"Tower","country":"Spain","year":2021,"count":7},
		{"museum":"Mill","country":"France","year":2021,"count":5},{"museum":"Mill","country":"Spain","year":2022,"count":60},
		{"museum":"Mill","country":"France","year":2022,"count":1}]`)
	h.Answers(map[string]string{
		"how many visits were there from France": "46",
		"how many rows of visits are there":      "5",
	})
}
