package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// bookshop makes a house with a dataset of books with a stock, prices and costs.
func bookshop(t testing.TB) *nlqtest.House {
	t.Helper()
	h := nlqtest.NewHouse(t)
	h.Put("titles", `[{"isbn":"b1","title":"Tides","genre":"Nature","price":12,"cost":7,"stock":3,"signed":"Y"},{"isbn":"b2","title":"Salt","genre":"Food","price":20,"cost":11,"stock":0,"signed":"Y"},
		{"isbn":"b3","title":"Moss","genre":"Nature","price":9,"cost":6,"stock":1,"signed":"N"},{"isbn":"b4","title":"Larks","genre":"Nature","price":30,"cost":16,"stock":0,"signed":"N"},
		{"isbn":"b5","title":"Bread","genre":"Food","price":15,"cost":9,"stock":7,"signed":"N"}]`)
	return h
}

// TestInStock: what is in stock is there more than no times, and what is sold out is not.
func TestInStock(t *testing.T) {
	t.Parallel()
	bookshop(t).Answers(map[string]string{
		"Which books are in stock?":                              "Bread; Moss; Tides",
		"Which books do we still have in stock?":                 "Bread; Moss; Tides",
		"the two dearest books in stock":                         "Bread; Tides",
		"Show me the signed books that we've still got in stock": "Tides",
		"which books are out of stock":                           "Larks; Salt",
		"which books are sold out?":                              "Larks; Salt",
		"which books do we have more than 2 of?":                 "Bread; Tides",
		"which books do we have only 1 of?":                      "Moss",
		"How many copies of Bread do we have in stock?":          "7",
		"How many books are out of stock?":                       "2",
	})
}
