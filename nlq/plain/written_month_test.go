package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestWrittenMonths: what something is for is in the column of months, when it was paid in its date.
func TestWrittenMonths(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("dues", `[{"due_no":"D1","month":"2023-08","amount":20,"paid":"2023-09-02"},{"due_no":"D2","month":"2023-08","amount":25,"paid":"2023-08-20"},
		{"due_no":"D3","month":"2023-09","amount":20,"paid":null},{"due_no":"D4","month":"2023-09","amount":30,"paid":"2023-09-28"},{"due_no":"D5","month":"2022-09","amount":5,"paid":"2022-09-28"}]`)
	h.Put("visits", `[{"visitor":"Ann","seen":"2023-08-03"},{"visitor":"Bo","seen":"2023-09-04"},{"visitor":"Cy","seen":"2023-09-09"}]`)
	h.Answers(map[string]string{
		"total amount of the dues for August":         "45",
		"how many dues for September 2022 were there": "1",
		"how many dues were paid in September 2023":   "2",
		"how many visits for September":               "2",
	})
}
