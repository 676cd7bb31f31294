package apart_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestWhichOfTwo: of two that a text names, the one that is more is told, also where it asks whether.
func TestWhichOfTwo(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("services", `[{"service":"Ladies cut","kind":"cut","price":46,"mins":45},{"service":"Gents cut","kind":"cut","price":28,"mins":30},{"service":"Full colour","kind":"colour","price":88,"mins":120},
		{"service":"Restyle","kind":"cut","price":60,"mins":60}]`)
	h.Put("bookings", `[{"bk":1,"stylist":"Priya","service":"Ladies cut","day":"2023-03-01","tip":2},{"bk":2,"stylist":"Marta","service":"Gents cut","day":"2023-03-02","tip":9},{"bk":3,"stylist":"Priya","service":"Full colour","day":"2023-04-01","tip":3},
		{"bk":4,"stylist":"Jonah","service":"Restyle","day":"2023-04-03","tip":20},{"bk":5,"stylist":"Priya","service":"Ladies cut","day":"2022-03-01","tip":1},{"bk":6,"stylist":"Jonah","service":"Restyle","day":"2022-04-03","tip":20}]`)
	h.Put("sales", `[{"sale":1,"customer":"Anna","total":20},{"sale":2,"customer":"Bert","total":30},{"sale":3,"customer":"Anna","total":25},{"sale":4,"customer":"Cleo","total":99}]`)
	h.Link(h.Ada, "ada.trade.bookings.service", "ada.trade.services.service")
	h.Answers(map[string]string{
		"which is dearer, Ladies cut or Gents cut?":              "Ladies cut",
		"is Ladies cut dearer than Full colour?":                 "Full colour",
		"who got more in tips, Priya or Marta?":                  "Marta",
		"did Priya or Marta have more bookings this year?":       "Priya",
		"which service takes longer, Ladies cut or Full colour?": "Full colour",
		"which customer spent more, Anna or Bert?":               "Anna",
		"Which services are dearer than Ladies cut?":             "Full colour; Restyle",
		"who had bookings for Full colour or Restyle?":           "Jonah; Priya",
	})
}
