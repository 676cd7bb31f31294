package amount_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestEmptyIsNothingPaid: an invoice without a payment is owed as a whole where the text asks what
// is owed, and left out of what else is reckoned with it.
func TestEmptyIsNothingPaid(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("clients", `[{"client":"C1","name":"Ann"},{"client":"C2","name":"Bert"},{"client":"C3","name":"Cleo"}]`)
	h.Put("invoices", `[{"inv":901,"client":"C1","issued":"2023-01-14","amount":100,"paid":100,"status":"sent"},{"inv":902,"client":"C1","issued":"2023-02-14","amount":50,"status":"sent"},
		{"inv":903,"client":"C2","issued":"2023-03-14","amount":80,"paid":30,"status":"sent"},{"inv":904,"client":"C3","issued":"2023-04-14","amount":70,"paid":70,"status":"sent"},
		{"inv":905,"client":"C3","issued":"2023-05-14","amount":20,"status":"draft"}]`)
	h.Link(h.Ada, "ada.trade.invoices.client", "ada.trade.clients.client")
	h.Answers(map[string]string{
		"How much money am I still owed altogether?":           "120",
		"How much does each client still owe?":                 "Ann 50; Bert 50; Cleo 20",
		"Which invoices are not fully paid?":                   "902; 903; 905",
		"How much have we been paid in total?":                 "200",
		"average difference between amount and paid":           "16.666666666666668",
		"total amount still owed on invoices that are a draft": "20",
	})
}

// TestWhoOwes: those who owe something, with how much, are not those who have paid it all.
func TestWhoOwes(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("members", `[{"mno":1,"name":"Ann"},{"mno":2,"name":"Bert"},{"mno":3,"name":"Cleo"}]`)
	h.Put("subs", `[{"sub":1,"mno":1,"season":"2022/23","amt":140,"paid":70},{"sub":2,"mno":1,"season":"2023/24","amt":140,"paid":140},{"sub":3,"mno":2,"season":"2023/24","amt":140,"paid":40},
		{"sub":4,"mno":3,"season":"2023/24","amt":90,"paid":90}]`)
	h.Link(h.Ada, "ada.trade.subs.mno", "ada.trade.members.mno")
	h.Answers(map[string]string{
		"Which members still owe something for the 2023/24 season, and how much?": "Bert 100",
		"which members owe us money, and how much each?":                          "Ann 70; Bert 100",
		"How much does each member still owe?":                                    "Ann 70; Bert 100; Cleo 0",
	})
}
