package amount_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestMarginsInPercent: a margin of so many percent is a part of the price, not money; things that are
// called by their size are found by it.
func TestMarginsInPercent(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("products", `[{"sku":"P1","product":"Whole milk 2L","cat":"dairy","price":2.60,"cost":1.45,"stock":34},{"sku":"P2","product":"Whole milk 1L","cat":"dairy","price":1.60,"cost":0.70,"stock":8},
		{"sku":"P3","product":"Hamper","cat":"gifts","price":150,"cost":90,"stock":3},{"sku":"P4","product":"Jam 340g","cat":"pantry","price":4,"cost":1.5,"stock":20}]`)
	h.Answers(map[string]string{
		"products with a margin over 50 percent":                   "Jam 340g; Whole milk 1L",
		"What is the price of Whole milk 2L?":                      "2.6",
		"how many Jam 340g are in stock":                           "20",
		"which is dearer, Whole milk 1L or Jam 340g?":              "Jam 340g",
		"price difference between Whole milk 2L and Whole milk 1L": "1",
	})
}

// TestTakenEachWay: what was taken is the sum over the ways to pay, unless one of them is named.
func TestTakenEachWay(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("takings", `[{"date":"2023-08-18","cash":55,"card":255,"app":null,"guests":47,"weather":"rain"},{"date":"2023-08-19","cash":80,"card":100,"app":200,"guests":60,"weather":"sun"},
		{"date":"2023-09-20","cash":100,"card":150,"app":10,"guests":50,"weather":"sun"}]`)
	h.Answers(map[string]string{
		"total takings in August":                   "690",
		"What was our best day so far, money-wise?": "2023-08-19",
		"how much did we take by card in August":    "355",
	})
}
