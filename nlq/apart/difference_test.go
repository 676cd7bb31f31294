package apart_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestBehindTheSecondKind: what is said behind the second of two kinds is true of both.
func TestBehindTheSecondKind(t *testing.T) {
	t.Parallel()
	h := nlqtest.Agency(t)
	h.Put("purchases", `[
		{"bought_on":"2022-03-01","area":"bar","what":"ale","total_cost":900},
		{"bought_on":"2023-03-01","area":"bar","what":"ale","total_cost":300},
		{"bought_on":"2023-04-01","area":"kit","what":"balls","total_cost":120},
		{"bought_on":"2023-05-01","area":"kit","what":"stumps","total_cost":40},
		{"bought_on":"2022-05-01","area":"kit","what":"pads","total_cost":200}]`)
	h.Answers(map[string]string{
		"How much more have we spent on the bar than on kit this year?":             "140",
		"How much more have we spent on the bar than on kit?":                       "840",
		"difference in average hourly pay between full-time and part-time carers":   "1.5",
		"How much more did we spend on the bar in 2022 than in 2023?":               "600",
		"how many more visits were done than planned in September and October 2023": "1",
	})
}
