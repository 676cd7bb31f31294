package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestFromAMonth: orders from a month that is over are those of that month; from it on, they are all since.
func TestFromAMonth(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("orders", `[{"order_no":11,"placed":"2023-05-03","total":10.0},{"order_no":12,"placed":"2023-06-08","total":20.0},{"order_no":13,"placed":"2023-06-30","total":30.0},
		{"order_no":14,"placed":"2023-07-04","total":40.0},{"order_no":15,"placed":"2023-08-09","total":50.0}]`)
	h.Answers(map[string]string{
		"Which orders from June 2023 are there?":       "12; 13",
		"How many orders from May 2023?":               "1",
		"How many orders from June 2023 on are there?": "4",
		"How many orders from June to July 2023?":      "3",
		"total of orders from 1 July 2023":             "90",
		"How many orders are from July 2023 onwards?":  "2",
	})
}
