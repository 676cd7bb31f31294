package tally_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestPiecesOfRows: a booking of four tickets is four tickets, and comes to four times the price.
func TestPiecesOfRows(t *testing.T) {
	t.Parallel()
	nlqtest.BoxOffice(t).Answers(map[string]string{
		"which customer has bought the most tickets":        "Ann Lock",
		"how many tickets did we sell in 2023?":             "7",
		"how much money is outstanding on unpaid bookings?": "52.5",
		"How many bookings has each customer made?":         "Ann Lock 1; Elsie Fox 2; Leo Marchetti 1",
		"What is the average price each of the tickets?":    "11.25",
	})
}

// What sells best is what most pieces were sold of, and who bought the most took the
// most pieces; names of people are told apart by themselves, yes and no however they
// are written, and what is counted in a column is added up.
func TestWhatIsTradedIsAddedUp(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("products", `[{"product_id":1,"product":"Desk","price":100,"vegan":"yes"},{"product_id":2,"product":"Lamp","price":20,"vegan":"Yes"},
		{"product_id":3,"product":"Rug","price":70,"vegan":"no"},{"product_id":4,"product":"Vase","price":15,"vegan":"No"}]`)
	h.Put("customers", `[{"customer_id":1,"customer":"Anna"},{"customer_id":2,"customer":"Bram"}]`)
	h.Put("orders", `[{"order_id":1,"product_id":1,"customer_id":1,"qty":1},{"order_id":2,"product_id":1,"customer_id":1,"qty":1},
		{"order_id":3,"product_id":2,"customer_id":2,"qty":9},{"order_id":4,"product_id":3,"customer_id":1,"qty":2}]`)
	h.Link(h.Ada, "ada.trade.orders.product_id", "ada.trade.products.product_id")
	h.Link(h.Ada, "ada.trade.orders.customer_id", "ada.trade.customers.customer_id")
	h.Answers(map[string]string{
		"What is the best selling product?":      "Lamp",
		"Which customer bought the most pieces?": "Bram",
		"Which customer has the most orders?":    "Anna",
		"How many products are vegan?":           "2",
	})
}
