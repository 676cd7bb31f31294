package absurd_test

import (
	"testing"

	"quern"
	"quern/nlq/nlqtest"
)

// TestNothingIsMissingAndThere: a column that is to be missing is not compared with anything.
func TestNothingIsMissingAndThere(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	visits := "visits of patients"
	h.Dataset(h.Ada, "trade/tbl_b", `[
		{"b_id":1,"b_dt":"2025-05-02","b_fu":null,"b_ds":"Y"},{"b_id":2,"b_dt":"2025-05-09","b_fu":"2025-06-01","b_ds":"N"},{"b_id":3,"b_dt":"2025-04-11","b_fu":null,"b_ds":"N"}]`,
		quern.InferDefinition{DataDescription: &visits, SchemaDefinition: map[string]string{
			"b_dt": "date of the visit", "b_fu": "date of the follow up, empty when there is none", "b_ds": "Y if disputed"}})
	h.Answers(map[string]string{"How many visits are disputed?": "1", "how many visits are not disputed?": "2"})
	got := h.Read("how many visits in may 2025 had no follow up", nil)
	if got.Query != nil && h.RowsOf(h.Ada, got) == "0" {
		t.Errorf("Translate(no follow up in may) = %s, which no row can be", got.SQL)
	}
}
