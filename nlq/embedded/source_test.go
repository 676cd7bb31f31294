package embedded_test

import (
	"testing"

	"quern"
	"quern/catalog"
	"quern/nlq/nlqtest"
	"quern/store"
)

func TestQuestionsCanNameWhereRowsWereReadFrom(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	d, err := h.Catalog.Dataset(t.Context(), h.Ada, nlqtest.At("orders"), catalog.Read)
	must(t, err)
	must(t, h.Store.Update(t.Context(), func(tx *store.Tx) error {
		return tx.InsertSources(t.Context(), d.ID, []quern.Source{
			{FirstRow: 0, Rows: 4, Ingestion: "i", File: "spring.xlsx", Sheet: "North", FileRow: 1},
			{FirstRow: 4, Rows: 3, Ingestion: "i", File: "autumn.xlsx", Sheet: "South", FileRow: 1},
		})
	}))
	h.Answers(map[string]string{
		"number of orders for each __file":           "autumn.xlsx 3; spring.xlsx 4",
		"how many orders per __sheet":                "North 4; South 3",
		"total price of orders by __sheet":           "North 540.5; South 275",
		`how many orders have __file "autumn.xlsx"`:  "3",
		"how many orders have __sheet South":         "3",
		"list the order ids with __file spring.xlsx": "11; 12; 13; 14",
	})
}
