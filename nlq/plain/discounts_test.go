package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestDiscounts: an amount before discounts is the amount itself. What has no discount is rows.
func TestDiscounts(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("fees", `[{"fee_no":"F1","pupil":"Ann","term":"Spring","amount":240,"discount":37.5},{"fee_no":"F2","pupil":"Bo","term":"Spring","amount":180,"discount":0},
		{"fee_no":"F3","pupil":"Ann","term":"Summer","amount":320,"discount":22.5},{"fee_no":"F4","pupil":"Cy","term":"Summer","amount":360,"discount":40}]`)
	h.Answers(map[string]string{
		"How much have we billed for each term, before discounts?":   "Spring 420; Summer 680",
		"How much have we billed in the Spring before any discount?": "420",
		"How much were the discounts in total?":                      "100",
	})
}

// TestPercentDiscounts: percents are no money that is taken off.
func TestPercentDiscounts(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("quotes", `[{"quote":1,"customer":"Ann","amount":200,"discount_pct":10},{"quote":2,"customer":"Bo","amount":100,"discount_pct":20},{"quote":3,"customer":"Cy","amount":300,"discount_pct":0}]`)
	h.Answers(map[string]string{
		"total amount before discounts": "600",
	})
}
