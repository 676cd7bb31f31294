package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestPricePerAmount: what one of something came to is the money beside the amounts, whatever it is
// called.
func TestPricePerAmount(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("deliveries", `[{"day":"2023-01-03","supplier":"Hill Farm","kilos":10,"total":20.5},{"day":"2023-02-03","supplier":"Hill Farm","kilos":30,"total":45.5},
		{"day":"2023-02-09","supplier":"Moor Mill","kilos":8,"total":24},{"day":"2023-03-03","supplier":"Moor Mill","kilos":12,"total":26}]`)
	h.Put("goods", `[{"name":"rye loaf","price":4.5,"baked":12},{"name":"bun","price":1.5,"baked":80}]`)
	h.Answers(map[string]string{
		"Price per kilo by supplier":                   "Hill Farm 1.65; Moor Mill 2.5",
		"Which supplier has the lowest cost per kilo?": "Hill Farm",
		"What is the price of a bun?":                  "1.5",
		"How much did we pay Hill Farm in total?":      "66",
	})
}

// TestPricePerOfGroups: the price per guest of each finish is none of each number of guests.
func TestPricePerOfGroups(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("cakes", `[{"order_no":1,"finish":"fondant","guests":10,"total":50},{"order_no":2,"finish":"fondant","guests":30,"total":90},
		{"order_no":3,"finish":"naked","guests":20,"total":60},{"order_no":4,"finish":"naked","guests":10,"total":60}]`)
	h.Answers(map[string]string{
		"per guest price by finish":                       "fondant 3.5; naked 4",
		"What did each guest cost, finish by finish?":     "fondant 3.5; naked 4",
		"What is the average total for cakes per finish?": "fondant 70; naked 60",
	})
}
