package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestPartsOfWeekdays: a Friday afternoon is a Friday and a time of day, in two columns.
func TestPartsOfWeekdays(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("lessons", `[{"lesson":1,"day":"2024-03-01","time":"15:15","pupil":"Ada"},{"lesson":2,"day":"2024-03-01","time":"09:00","pupil":"Bo"},
		{"lesson":3,"day":"2024-03-04","time":"14:00","pupil":"Cy"},{"lesson":4,"day":"2024-03-08","time":"12:30","pupil":"Di"}]`)
	h.Answers(map[string]string{"Which lessons were on a Friday afternoon?": "1; 4"})
}
