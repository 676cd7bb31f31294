package embedded_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestDaysAroundToday: what is there tomorrow is told without doubt, whatever the networks make of the
// word, and what is overdue may have been paid in part.
func TestDaysAroundToday(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t) // today is 1 October 2023
	h.Put("appointments", `[{"appt_id":501,"patient":"Ann Lee","starts":"2023-10-02T12:00:00Z","mins":30},{"appt_id":502,"patient":"Bert Roy","starts":"2023-09-30T16:00:00Z","mins":20},
		{"appt_id":503,"patient":"Cleo Fay","starts":"2023-10-01T12:00:00Z","mins":30}]`)
	h.Put("invoices", `[{"inv_no":"I1","due":"2023-09-01","total":68,"paid":20,"paid_on":null},{"inv_no":"I2","due":"2023-09-02","total":48,"paid":48,"paid_on":"2023-09-01"},
		{"inv_no":"I3","due":"2023-11-02","total":48,"paid":0,"paid_on":null},{"inv_no":"I4","due":"2023-09-12","total":30,"paid":0,"paid_on":null}]`)
	h.Answers(map[string]string{
		"who has an appointment tomorrow?": "Ann Lee",
		"whose appointment was yesterday":  "Bert Roy",
		"which invoices are overdue?":      "I1; I4",
	})
}
