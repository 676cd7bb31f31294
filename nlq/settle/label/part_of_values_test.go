package label_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestPartsOfValues: a word that several values have in them means all of these, not the first one.
func TestPartsOfValues(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("clients", `[{"client_id":1,"full_name":"Aisha Bello","postcode":"LE3 7BB"},{"client_id":2,"full_name":"Ben Fowler","postcode":"LE2 7FG"},{"client_id":3,"full_name":"Chloe Dunn","postcode":"LE21 4HH"},
		{"client_id":4,"full_name":"Dan Ives","postcode":"LE2 3EB"}]`)
	h.Put("jobs", `[{"job":1,"what":"flyers","paper":"Silk 130","qty":100},{"job":2,"what":"cards","paper":"Silk 350","qty":50},{"job":3,"what":"letters","paper":"Laser White 80","qty":500},
		{"job":4,"what":"posters","paper":"Heavy Silk","qty":10},{"job":5,"what":"posters","paper":"Silk 130","qty":20}]`)
	h.Answers(map[string]string{
		"clients in LE2":               "Ben Fowler; Dan Ives",
		"how many clients are in le2?": "2",
		"clients in LE2 3EB":           "Dan Ives",
		"how many jobs were on Silk?":  "4",
	})
}
