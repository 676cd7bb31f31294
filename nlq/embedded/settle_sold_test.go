package embedded_test

import (
	"strings"
	"testing"
)

// What sells best is what most pieces were sold of, and who bought the most took the
// most pieces; names of people are told apart by themselves, yes and no however they
// are written, and what is counted in a column is added up.
func TestWhatIsTradedIsAddedUp(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("products"), `[{"product_id":1,"product":"Desk","price":100,"vegan":"yes"},{"product_id":2,"product":"Lamp","price":20,"vegan":"Yes"},
		{"product_id":3,"product":"Rug","price":70,"vegan":"no"},{"product_id":4,"product":"Vase","price":15,"vegan":"No"}]`)
	h.dataset(at("customers"), `[{"customer_id":1,"customer":"Anna"},{"customer_id":2,"customer":"Bram"}]`)
	h.dataset(at("orders"), `[{"order_id":1,"product_id":1,"customer_id":1,"qty":1},{"order_id":2,"product_id":1,"customer_id":1,"qty":1},
		{"order_id":3,"product_id":2,"customer_id":2,"qty":9},{"order_id":4,"product_id":3,"customer_id":1,"qty":2}]`)
	h.Link(h.ada, "ada.trade.orders.product_id", "ada.trade.products.product_id")
	h.Link(h.ada, "ada.trade.orders.customer_id", "ada.trade.customers.customer_id")
	h.answers(map[string]string{
		"What is the best selling product?":      "Lamp",
		"Which customer bought the most pieces?": "Bram",
		"Which customer has the most orders?":    "Anna",
		"How many products are vegan?":           "2",
	})
}

// A count of what a column counts is its sum, who was somewhere is not the place, and
// the month with the most arrivals is that of the rows that arrived.
func TestCountsOfColumns(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("bookings"), `[{"booking":"B1","guest":"Ito","adults":2,"children":1,"arrival":"2024-07-03","departure":"2024-07-05"},
		{"booking":"B2","guest":"Gallo","adults":4,"children":0,"arrival":"2024-08-03","departure":"2024-08-15"},
		{"booking":"B3","guest":"Ito","adults":2,"children":3,"arrival":"2024-07-13","departure":"2024-07-14"}]`)
	h.answers(map[string]string{
		"How many adults came in July 2024?": "4",
		"Which month has the most arrivals?": "2024-07",
	})
}

// An order that does not say what comes first begins with the least.
func TestSortedByAColumn(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("ships"), `[{"name":"Ariadne","crew":12},{"name":"Boreas","crew":20},{"name":"Calypso","crew":9}]`)
	for question, down := range map[string]bool{
		"names of ships sorted by crew":                      false,
		"sort by crew":                                       false,
		"names of ships sorted by crew in descending order":  true,
		"names of ships sorted by crew, with the most first": true,
	} {
		if got := h.read(question, nil).SQL; !strings.Contains(got, `ORDER BY "ships"."crew"`) || strings.Contains(got, "DESC") != down {
			t.Errorf("Translate(%q) = %s, want it by crew, down: %v", question, got, down)
		}
	}
}

// How many there are of what a column counts is one number, unless one row is meant.
func TestAmountsAreAddedUp(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("ships"), `[{"name":"Ariadne","port":"Oslo","crew":12},{"name":"Boreas","port":"Oslo","crew":20},{"name":"Calypso","port":"Malta","crew":9},
		{"name":"Doris","port":"Malta","crew":4}]`)
	h.answers(map[string]string{
		"how many crew are on ships in Oslo?": "32",
		"How many crew does Calypso have?":    "9",
	})
}
