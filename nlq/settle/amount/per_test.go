package amount_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestNumbersOfRowsAreNoAmounts: what is asked per shift is not divided by the number of the shift.
func TestNumbersOfRowsAreNoAmounts(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("shifts", `[{"shift":1,"day":"2023-05-01","visitors":20},{"shift":2,"day":"2023-05-02","visitors":40},{"shift":3,"day":"2023-05-03","visitors":60}]`)
	h.Answers(map[string]string{"avg visitors/shift": "40"})
}

// TestAreas: an area that no column holds is one side times the other.
func TestAreas(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("panes", `[{"pane":"P1","width_cm":100,"height_cm":20,"price":30},{"pane":"P2","width_cm":60,"height_cm":60,"price":45},{"pane":"P3","width_cm":30,"height_cm":110,"price":40}]`)
	h.Answers(map[string]string{"Which pane has the biggest surface area?": "P2"})
}
