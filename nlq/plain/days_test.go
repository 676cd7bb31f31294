package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestDaysOfOneMonth: the month behind two days is that of both.
func TestDaysOfOneMonth(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("attendance", `[{"no":1,"child":"Ann","day":"2023-09-04","time_in":"16:00"},{"no":2,"child":"Bert","day":"2023-09-04","time_in":"08:00"},{"no":3,"child":"Ann","day":"2023-09-05","time_in":"09:00"},
		{"no":4,"child":"Cleo","day":"2023-09-06","time_in":"16:00"}]`)
	h.Answers(map[string]string{
		"how many children were in between 4 and 5 September 2023?": "3",
		"which children were in from 5 to 6 September":              "Ann; Cleo",
	})
}
