package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestNumberedKinds: a number behind the name of a column is the value that ends in it, where its
// values are letters of the name and a number.
func TestNumberedKinds(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("pupils", `[{"name":"Ann","year":"Y3","table":"T04","age":7},{"name":"Bo","year":"Y3","table":"T05","age":8},{"name":"Cy","year":"Y4","table":"T04","age":8},
		{"name":"Di","year":"Y5","table":"T05","age":9},{"name":"Ed","year":"Y3","table":"T04","age":4},{"name":"Flo","year":"Y4","table":"T05","age":9}]`)
	h.Answers(map[string]string{
		"How many pupils are in year 3?":    "3",
		"how many pupils in year four":      "2",
		"how many pupils in years 4 and 5":  "3",
		"Which pupils sit at table 4?":      "Ann; Cy; Ed",
		"How many pupils are older than 8?": "2",
		"How many pupils have the age 4?":   "1",
	})
}

// TestNumbersThatAreWritten: a number that the column has as it is stays one.
func TestNumbersThatAreWritten(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("guests", `[{"name":"Ann","room":2},{"name":"Bo","room":3},{"name":"Cy","room":2},{"name":"Di","room":3}]`)
	h.Answers(map[string]string{"how many guests are in room 2": "2"})
}
