package absence_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestNoneOfWhatIsCounted: rows with none of what a column counts are those where it is 0.
func TestNoneOfWhatIsCounted(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("villages", `[{"village":"Alm","fires":0,"people":80},{"village":"Bek","fires":3,"people":90},{"village":"Cor","fires":0,"people":50}]`)
	h.Answers(map[string]string{"how many villages never had a fire": "2"})
}
