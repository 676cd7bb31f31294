package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestYearsThatAreNamed: the year of books that were published in one is that of the column.
func TestYearsThatAreNamed(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("maps", `[{"map_no":1,"title":"Alps","printed":1911,"bought_on":"2020-01-01"},{"map_no":2,"title":"Jura","printed":1950,"bought_on":"2021-01-01"},{"map_no":3,"title":"Rhine","printed":1902,"bought_on":"2022-01-01"}]`)
	h.Answers(map[string]string{
		"Show title and year of the maps printed before 1935": "Alps 1911; Rhine 1902",
		"How many maps are in the stock list?":                "3",
		"How many maps are on our list?":                      "3",
	})
}
