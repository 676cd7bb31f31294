package amount_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestOutstanding: what is owed on a booking is its price less all of its payments, also where there
// are none, and what was not paid in full is more than was not paid at all.
func TestOutstanding(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("clients", `[{"client_id":"C1","name":"Ann"},{"client_id":"C2","name":"Bert"},{"client_id":"C3","name":"Cleo"}]`)
	h.Put("bookings", `[{"ref":"B1","client_id":"C1","type":"wedding","event_date":"2023-05-01","status":"confirmed","price":500},{"ref":"B2","client_id":"C2","type":"party","event_date":"2023-06-01","status":"done","price":200},
		{"ref":"B3","client_id":"C1","type":"party","event_date":"2023-07-01","status":"confirmed","price":300},{"ref":"B4","client_id":"C3","type":"talk","event_date":"2023-08-01","status":"done","price":80}]`)
	h.Put("payments", `[{"no":1,"booking":"B1","paid_on":"2023-02-10","amount":100,"what_for":"deposit"},{"no":2,"booking":"B1","paid_on":"2023-03-10","amount":150,"what_for":"balance"},
		{"no":3,"booking":"B2","paid_on":"2023-03-11","amount":200,"what_for":"balance"},{"no":4,"booking":"B4","paid_on":"2023-04-11","amount":30,"what_for":"deposit"}]`)
	h.Link(h.Ada, "ada.trade.payments.booking", "ada.trade.bookings.ref")
	h.Link(h.Ada, "ada.trade.bookings.client_id", "ada.trade.clients.client_id")
	h.Answers(map[string]string{
		"What is still outstanding on each confirmed booking?":         "B1 250; B3 300",
		"how much does each client still owe":                          "Ann 550; Bert 0; Cleo 50",
		"How much is still owed on all bookings together?":             "600",
		"which bookings have not been paid in full":                    "B1; B3; B4",
		"How much money is still to come from the confirmed bookings?": "550",
		"which bookings have no payments":                              "B3",
		"how much has been paid for each booking":                      "B1 250; B2 200; B4 30",
	})
}
