package tally_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestTopKinds: the top donors are those who gave most in all, each once.
func TestTopKinds(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("donations", `[{"id":"D1","date":"2023-01-02","donor":"Aldi","weight_kg":30.5},{"id":"D2","date":"2023-02-02","donor":"Mosque","weight_kg":50},{"id":"D3","date":"2023-03-02","donor":"Aldi","weight_kg":30.5},
		{"id":"D4","date":"2023-04-02","donor":"School","weight_kg":12},{"id":"D5","date":"2023-05-02","donor":"School","weight_kg":12},{"id":"D6","date":"2023-05-03","donor":"Aldi","weight_kg":9}]`)
	h.Answers(map[string]string{"Who are our top 2 donors by weight?": "Aldi; Mosque"})
}
