package amount_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// What was taken in is how many were sold times what one costs.
func TestTakingsAreProducts(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("products", `[{"product_id":1,"product":"Desk","price":100,"category":"office"},{"product_id":2,"product":"Lamp","price":20,"category":"light"}]`)
	h.Put("orders", `[{"order_id":1,"product_id":1,"quantity":2},{"order_id":2,"product_id":2,"quantity":3},{"order_id":3,"product_id":2,"quantity":1}]`)
	h.Link(h.Ada, "ada.trade.orders.product_id", "ada.trade.products.product_id")
	h.Answers(map[string]string{"What is the total revenue?": "280"})
}

// TestPricesOfTheirOwn: what a job costs is not the price of each part that went into it.
func TestPricesOfTheirOwn(t *testing.T) {
	t.Parallel()
	nlqtest.Workshop(t).Answers(map[string]string{
		"Which owner has paid us the most money in total?": "Ann Vale",
		"How much money did the jobs bring in altogether?": "345",
	})
}
