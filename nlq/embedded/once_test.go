package embedded_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestThingsAreCountedOnce asks for numbers and lists of things that have several
// others.
func TestThingsAreCountedOnce(t *testing.T) {
	t.Parallel()
	nlqtest.CustomersAndOrders(t).Answers(map[string]string{
		"How many customers do we have in Hamburg?":         "2",
		"How many customers ordered in 2024?":               "2",
		"How many customers bought a lamp?":                 "2",
		"How many orders did customers from Hamburg place?": "4",
		"How many orders were placed in 2024?":              "4",
		"names of customers with an order in 2024":          "Anna; Bert",
	})
}

// TestFollowUpsOfThingsCountedOnce goes on from counts whose conditions are on other
// rows.
func TestFollowUpsOfThingsCountedOnce(t *testing.T) {
	t.Parallel()
	h := nlqtest.CustomersAndOrders(t)
	first := h.Read("How many customers ordered in 2024?", nil)
	for _, tt := range []struct{ question, want string }{
		{"and in 2025?", "1"},
		{"which ones?", "1 Anna Hamburg; 2 Bert Hamburg"},
		{"only those in Hamburg", "2"},
	} {
		got := h.Read(tt.question, &first)
		if got.Query == nil {
			t.Errorf("%q after %s asks back %q, want %s", tt.question, first.SQL, got.Clarification.Question, tt.want)
			continue
		}
		if rows := nlqtest.Sorted(h.RowsOf(h.Ada, got)); rows != tt.want {
			t.Errorf("%q after %s = %s, which gives %s, want %s", tt.question, first.SQL, got.SQL, rows, tt.want)
		}
	}
}

// TestPricesOfAList: a price is added up as often as it was paid, and that of what happened once.
func TestPricesOfAList(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("treatments", `[{"code":"M","treatment":"Massage","price":40},{"code":"T","treatment":"Taping","price":15}]`)
	h.Put("appointments", `[
		{"appointment_no":1,"code":"M","status":"attended"},{"appointment_no":2,"code":"M","status":"attended"},
		{"appointment_no":3,"code":"T","status":"cancelled"},{"appointment_no":4,"code":"T","status":"attended"}]`)
	h.Link(h.Ada, "ada.trade.appointments.code", "ada.trade.treatments.code")
	h.Answers(map[string]string{
		"total price of all attended appointments":                 "95",
		"total price of the treatments with attended appointments": "55",
	})
	h.Put("jobs", `[{"job_no":1,"price":100,"quoted":"2025-01-02"},{"job_no":2,"price":70,"quoted":"2025-01-05"}]`)
	h.Put("trips", `[{"trip_no":1,"job_no":1,"fitter":"Ann"},{"trip_no":2,"job_no":1,"fitter":"Ann"},{"trip_no":3,"job_no":2,"fitter":"Bo"}]`)
	h.Link(h.Ada, "ada.trade.trips.job_no", "ada.trade.jobs.job_no")
	h.Answers(map[string]string{"total price of the jobs with trips by Ann": "100"})
}
