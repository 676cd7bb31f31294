package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestNotThen: what did not happen in a stretch of time happened in another, or never; a stretch that
// is said of the rows is not denied.
func TestNotThen(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("plots", `[{"plot":"A1","status":"let","inspected":"2023-04-02"},{"plot":"A2","status":"let","inspected":"2022-09-02"},{"plot":"A3","status":"vacant"},
		{"plot":"A4","status":"let","inspected":"2023-06-02"}]`)
	h.Put("invoices", `[{"inv_no":"I1","issued":"2023-08-03","due":"2023-08-20","amount":20,"paid_on":"2023-08-12"},{"inv_no":"I2","issued":"2023-08-08","due":"2023-08-25","amount":30},
		{"inv_no":"I3","issued":"2023-09-03","due":"2023-09-20","amount":25},{"inv_no":"I4","issued":"2023-07-03","due":"2023-07-20","amount":35,"paid_on":"2023-08-01"}]`)
	h.Answers(map[string]string{
		"Which plots haven't been inspected this year?":    "A2; A3",
		"Which plots were not inspected in 2023?":          "A2; A3",
		"Which plots were inspected in 2023?":              "A1; A4",
		"how many invoices from August have not been paid": "1",
	})
}
