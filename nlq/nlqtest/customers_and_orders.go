package nlqtest

import "testing"

// CustomersAndOrders makes a house with customers who have several orders each, of products.
func CustomersAndOrders(t testing.TB) *House {
	t.Helper()
	h := NewHouse(t)
	h.Put("customers", `[
		{"customer_id":1,"name":"Anna","city":"Hamburg"},{"customer_id":2,"name":"Bert","city":"Hamburg"},
		{"customer_id":3,"name":"Carla","city":"Kiel"},{"customer_id":4,"name":"Dora","city":"Kiel"}]`)
	h.Put("products", `[{"product_id":1,"product":"Desk","category":"office"},
		{"product_id":2,"product":"Lamp","category":"light"},{"product_id":3,"product":"Candle","category":"light"}]`)
	h.Put("orders", `[
		{"order_id":1,"customer_id":1,"product_id":1,"amount":300,"ordered":"2024-01-05"},
		{"order_id":2,"customer_id":2,"product_id":2,"amount":90,"ordered":"2024-02-05"},
		{"order_id":3,"customer_id":2,"product_id":2,"amount":110,"ordered":"2024-03-05"},
		{"order_id":4,"customer_id":2,"product_id":1,"amount":250,"ordered":"2024-04-05"},
		{"order_id":5,"customer_id":3,"product_id":3,"amount":20,"ordered":"2025-01-05"},
		{"order_id":6,"customer_id":3,"product_id":2,"amount":100,"ordered":"2025-02-05"}]`)
	h.Link(h.Ada, "ada.trade.orders.customer_id", "ada.trade.customers.customer_id")
	h.Link(h.Ada, "ada.trade.orders.product_id", "ada.trade.products.product_id")
	return h
}
