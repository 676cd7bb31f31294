package embedded_test

import (
	"testing"

	"quern"
	"quern/nlq/nlqtest"
)

// coded makes a house with datasets whose names say nothing, and defines them.
func coded(t testing.TB) *nlqtest.House {
	t.Helper()
	h := nlqtest.NewHouse(t)
	orders, customers := "orders of our web shop", "Customers, one row per customer."
	h.Dataset(h.Ada, "trade/t01", `[
		{"id":1,"kd":7,"umsatz":120.5,"st_cd":1,"x3":"X"},{"id":2,"kd":7,"umsatz":80,"st_cd":2,"x3":null},
		{"id":3,"kd":8,"umsatz":40,"st_cd":9,"x3":null},{"id":4,"kd":8,"umsatz":300,"st_cd":9,"x3":"X"},
		{"id":5,"kd":9,"umsatz":15,"st_cd":2,"x3":null}]`, quern.InferDefinition{DataDescription: &orders, SchemaDefinition: map[string]string{
		"UMSATZ": "revenue of the order in EUR (sales, turnover)", "st_cd": "status: 1 open, 2 paid, 9 cancelled",
		"x3": "X = blocked", "kd": "number of the customer"}})
	h.Dataset(h.Ada, "trade/t02", `[
		{"kd":7,"nm":"Ada","gs":"w"},{"kd":8,"nm":"Bob","gs":"m"},{"kd":9,"nm":"Cyd","gs":"w"}]`,
		quern.InferDefinition{DataDescription: &customers, SchemaDefinition: map[string]string{
			"kd": "customer number", "nm": "name", "gs": "gender (m/w/d)"}})
	h.Link(h.Ada, "ada.trade.t01.kd", "ada.trade.t02.kd")
	return h
}

// TestDefinitionsCount asks with words that only definitions have.
func TestDefinitionsCount(t *testing.T) {
	t.Parallel()
	h := coded(t)
	h.Answers(map[string]string{
		"What is our total revenue?":            "555.5",
		"what is the total turnover?":           "555.5",
		"average sales":                         "111.1",
		"how many cancelled orders are there?":  "2",
		"how many orders are open?":             "1",
		"how many orders are blocked?":          "2",
		"names of female customers":             "Ada; Cyd",
		"total revenue of the cancelled orders": "340",
		"how many orders are there?":            "5",
	})
}

// TestDefinitionsAreForgotten takes the definition away again: the next question
// does not know it.
func TestDefinitionsAreForgotten(t *testing.T) {
	t.Parallel()
	h := coded(t)
	h.Answers(map[string]string{"how many cancelled orders are there?": "2"})
	must(t, h.Catalog.PutDefinition(t.Context(), h.Ada, nlqtest.At("t01"), quern.InferDefinition{}))
	if got := h.Read("how many cancelled orders are there?", nil); got.Clarification == nil {
		t.Errorf("Translate without a definition = %+v, want a question back", got)
	}
}
