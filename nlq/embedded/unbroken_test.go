package embedded_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestAmountsAndNamesOfOthers: balances are no prices that are paid several times, an order by
// names groups nothing, numbers are read whole, and words that the data have are no initials.
func TestAmountsAndNamesOfOthers(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("accounts", `[{"account_id":1,"holder":"Ann Lee","balance":100,"city":"Rome","vip":"yes"},{"account_id":2,"holder":"Bob Ray","balance":50,"city":"Bari","vip":"no"},
		{"account_id":3,"holder":"Ann Lee","balance":30,"city":"Rome","vip":"no"}]`)
	h.Put("payments", `[{"payment_id":1,"account_id":1,"made_on":"2025-05-01","kind":"card"},{"payment_id":2,"account_id":1,"made_on":"2025-05-02","kind":"card"},
		{"payment_id":3,"account_id":2,"made_on":"2025-05-03","kind":"cash"}]`)
	h.Put("parcels", `[{"parcel":1,"weight_g":300000},{"parcel":2,"weight_g":1200000},{"parcel":3,"weight_g":900}]`)
	h.Put("customers", `[{"customer_id":1,"name":"Ann Lee"},{"customer_id":2,"name":"Bob Ray"},{"customer_id":3,"name":"Ann Lee"},{"customer_id":4,"name":"Cy Fox"}]`)
	h.Put("orders", `[{"order_id":1,"customer_id":1,"amount":10},{"order_id":2,"customer_id":3,"amount":20},{"order_id":3,"customer_id":2,"amount":5},{"order_id":4,"customer_id":4,"amount":7}]`)
	h.Put("staff", `[{"staff_no":1,"name":"Di Oak","ss":"yes"},{"staff_no":2,"name":"Ed Ash","ss":"no"}]`)
	h.Link(h.Ada, "ada.trade.orders.customer_id", "ada.trade.customers.customer_id")
	h.Link(h.Ada, "ada.trade.payments.account_id", "ada.trade.accounts.account_id")
	h.Answers(map[string]string{
		"What is the total balance of those in Rome that made payments in May 2025?": "100",
		"total amount for each customer ordered by name":                             "Ann Lee 10; Ann Lee 20; Bob Ray 5; Cy Fox 7",
		"How many parcels weigh more than 1,100 kilos?":                              "1",
		"How many parcels weigh more than two hundred and fifty kilos?":              "2",
		"How many parcels weigh more than one hundred and twenty kg?":                "2",
	})
	if got := h.Read("How many senior staff are there?", nil); strings.Contains(got.SQL, `"ss"`) {
		t.Errorf("Translate(senior staff) = %s, want no flag of these initials", got.SQL)
	}
}
