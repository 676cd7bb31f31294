package embedded_test

import "testing"

// customersAndOrders makes customers with several orders each, of products.
func (h *house) customersAndOrders() *house {
	h.t.Helper()
	h.dataset(at("customers"), `[
		{"customer_id":1,"name":"Anna","city":"Hamburg"},{"customer_id":2,"name":"Bert","city":"Hamburg"},
		{"customer_id":3,"name":"Carla","city":"Kiel"},{"customer_id":4,"name":"Dora","city":"Kiel"}]`)
	h.dataset(at("products"), `[{"product_id":1,"product":"Desk","category":"office"},
		{"product_id":2,"product":"Lamp","category":"light"},{"product_id":3,"product":"Candle","category":"light"}]`)
	h.dataset(at("orders"), `[
		{"order_id":1,"customer_id":1,"product_id":1,"amount":300,"ordered":"2024-01-05"},
		{"order_id":2,"customer_id":2,"product_id":2,"amount":90,"ordered":"2024-02-05"},
		{"order_id":3,"customer_id":2,"product_id":2,"amount":110,"ordered":"2024-03-05"},
		{"order_id":4,"customer_id":2,"product_id":1,"amount":250,"ordered":"2024-04-05"},
		{"order_id":5,"customer_id":3,"product_id":3,"amount":20,"ordered":"2025-01-05"},
		{"order_id":6,"customer_id":3,"product_id":2,"amount":100,"ordered":"2025-02-05"}]`)
	h.Link(h.ada, "ada.trade.orders.customer_id", "ada.trade.customers.customer_id")
	h.Link(h.ada, "ada.trade.orders.product_id", "ada.trade.products.product_id")
	return h
}

// TestThingsAreCountedOnce asks for numbers and lists of things that have several
// others.
func TestThingsAreCountedOnce(t *testing.T) {
	t.Parallel()
	newHouse(t).customersAndOrders().answers(map[string]string{
		"How many customers do we have in Hamburg?":         "2",
		"How many customers ordered in 2024?":               "2",
		"How many customers bought a lamp?":                 "2",
		"How many orders did customers from Hamburg place?": "4",
		"How many orders were placed in 2024?":              "4",
		"names of customers with an order in 2024":          "Anna; Bert",
	})
}

// TestTheMostIsASum asks who has the most of something that several rows hold, and
// for the largest of the rows.
func TestTheMostIsASum(t *testing.T) {
	t.Parallel()
	newHouse(t).customersAndOrders().answers(map[string]string{
		"Which customer spent the most?":           "Bert",
		"Which customer spent the least?":          "Carla",
		"Which product has the most amount?":       "Desk",
		"Which product has the most total amount?": "Desk",
		"Which category has the most amount?":      "office",
		"Which product brought in the most money?": "Desk",
		"Which customer paid the most?":            "Bert",
		"Top 2 customers by total amount":          "Anna 300; Bert 450",
		"Which customer has the largest amount?":   "Anna",
		"Which customer has the most orders?":      "Bert",
	})
}

// TestFollowUpsOfThingsCountedOnce goes on from counts whose conditions are on other
// rows.
func TestFollowUpsOfThingsCountedOnce(t *testing.T) {
	t.Parallel()
	h := newHouse(t).customersAndOrders()
	first := h.read("How many customers ordered in 2024?", nil)
	for _, tt := range []struct{ question, want string }{
		{"and in 2025?", "1"},
		{"which ones?", "1 Anna Hamburg; 2 Bert Hamburg"},
		{"only those in Hamburg", "2"},
	} {
		got := h.read(tt.question, &first)
		if got.Query == nil {
			t.Errorf("%q after %s asks back %q, want %s", tt.question, first.SQL, got.Clarification.Question, tt.want)
			continue
		}
		if rows := sorted(h.rows(h.ada, got)); rows != tt.want {
			t.Errorf("%q after %s = %s, which gives %s, want %s", tt.question, first.SQL, got.SQL, rows, tt.want)
		}
	}
}

// TestPricesOfAList: a price is added up as often as it was paid, and that of what happened once.
func TestPricesOfAList(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("treatments"), `[{"code":"M","treatment":"Massage","price":40},{"code":"T","treatment":"Taping","price":15}]`)
	h.dataset(at("appointments"), `[
		{"appointment_no":1,"code":"M","status":"attended"},{"appointment_no":2,"code":"M","status":"attended"},
		{"appointment_no":3,"code":"T","status":"cancelled"},{"appointment_no":4,"code":"T","status":"attended"}]`)
	h.Link(h.ada, "ada.trade.appointments.code", "ada.trade.treatments.code")
	h.answers(map[string]string{
		"total price of all attended appointments":                 "95",
		"total price of the treatments with attended appointments": "55",
	})
	h.dataset(at("jobs"), `[{"job_no":1,"price":100,"quoted":"2025-01-02"},{"job_no":2,"price":70,"quoted":"2025-01-05"}]`)
	h.dataset(at("trips"), `[{"trip_no":1,"job_no":1,"fitter":"Ann"},{"trip_no":2,"job_no":1,"fitter":"Ann"},{"trip_no":3,"job_no":2,"fitter":"Bo"}]`)
	h.Link(h.ada, "ada.trade.trips.job_no", "ada.trade.jobs.job_no")
	h.answers(map[string]string{"total price of the jobs with trips by Ann": "100"})
}
