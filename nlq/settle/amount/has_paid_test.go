package amount_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestWhatWasPaid: who has paid the most is not who owes the most.
func TestWhatWasPaid(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("invoices", `[{"invoice_no":1,"client":"Ann Vale","price":50,"paid":"yes"},{"invoice_no":2,"client":"Ann Vale","price":400,"paid":"no"},
		{"invoice_no":3,"client":"Bo Carr","price":90,"paid":"yes"},{"invoice_no":4,"client":"Bo Carr","price":20,"paid":"yes"},{"invoice_no":5,"client":"Cy Dunn","price":70,"paid":"no"}]`)
	h.Answers(map[string]string{
		"Which client has paid us the most money in total?": "Bo Carr",
		"How much have clients paid us in total?":           "160",
		"What is the total price of all invoices?":          "630",
		"What is the total price of unpaid invoices?":       "470",
		"Total price of invoices that have not been paid":   "470",
	})
}
