package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestBeforeTax: an amount before VAT is the net one, where the data have it; it is not what has no VAT.
func TestBeforeTax(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("invoices", `[{"inv_no":"I1","issued":"2023-05-02","net":960,"vat":192},{"inv_no":"I2","issued":"2023-06-02","net":1500,"vat":300},{"inv_no":"I3","issued":"2023-07-02","net":2000,"vat":0}]`)
	h.Answers(map[string]string{
		"invoices over 1,000 before VAT": "I2 2023-06-02 1500 300; I3 2023-07-02 2000 0",
		"total invoiced excluding VAT":   "4460",
		"invoices without VAT":           "I3 2023-07-02 2000 0",
	})
}
