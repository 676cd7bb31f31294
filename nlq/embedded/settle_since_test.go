package embedded_test

import "testing"

// TestNotThen: what did not happen in a stretch of time happened in another, or never; a stretch that
// is said of the rows is not denied.
func TestNotThen(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("plots"), `[{"plot":"A1","status":"let","inspected":"2023-04-02"},{"plot":"A2","status":"let","inspected":"2022-09-02"},{"plot":"A3","status":"vacant"},
		{"plot":"A4","status":"let","inspected":"2023-06-02"}]`)
	h.dataset(at("invoices"), `[{"inv_no":"I1","issued":"2023-08-03","due":"2023-08-20","amount":20,"paid_on":"2023-08-12"},{"inv_no":"I2","issued":"2023-08-08","due":"2023-08-25","amount":30},
		{"inv_no":"I3","issued":"2023-09-03","due":"2023-09-20","amount":25},{"inv_no":"I4","issued":"2023-07-03","due":"2023-07-20","amount":35,"paid_on":"2023-08-01"}]`)
	h.answers(map[string]string{
		"Which plots haven't been inspected this year?":    "A2; A3",
		"Which plots were not inspected in 2023?":          "A2; A3",
		"Which plots were inspected in 2023?":              "A1; A4",
		"how many invoices from August have not been paid": "1",
	})
}

// TestWaiting: who waits has waited since they asked.
func TestWaiting(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("members"), `[{"no":1,"name":"Ann","status":"active","applied":"2018-04-02","joined":"2019-01-01"},{"no":2,"name":"Bert","status":"waiting","applied":"2022-09-02"},
		{"no":3,"name":"Cleo","status":"waiting","applied":"2021-02-02"},{"no":4,"name":"Dan","status":"waiting","applied":"2020-06-02"},{"no":5,"name":"Eve","status":"left","applied":"2017-06-02","joined":"2018-06-02"}]`)
	h.dataset(at("visits"), `[{"visit":1,"date":"2023-10-03","walker":"Kim"},{"visit":2,"date":"2023-10-04"},{"visit":3,"date":"2023-09-04","walker":"Lou"},{"visit":4,"date":"2023-10-09"}]`)
	h.answers(map[string]string{
		"Which two people have been on the waiting list longest?": "Cleo; Dan",
		"Who has been waiting for more than two years?":           "Cleo; Dan",
		"which visits still need a walker?":                       "2; 4",
	})
}
