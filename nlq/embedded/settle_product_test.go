package embedded_test

import "testing"

// What was taken in is how many were sold times what one costs.
func TestTakingsAreProducts(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("products"), `[{"product_id":1,"product":"Desk","price":100,"category":"office"},{"product_id":2,"product":"Lamp","price":20,"category":"light"}]`)
	h.dataset(at("orders"), `[{"order_id":1,"product_id":1,"quantity":2},{"order_id":2,"product_id":2,"quantity":3},{"order_id":3,"product_id":2,"quantity":1}]`)
	h.Link(h.ada, "ada.trade.orders.product_id", "ada.trade.products.product_id")
	h.answers(map[string]string{"What is the total revenue?": "280"})
}
