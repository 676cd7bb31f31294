package absence_test

import (
	"slices"
	"testing"

	"quern/nlq/nlqtest"
)

// TestNeitherYesNorNo: a column that says yes and no says so beside a few rows of which it says neither,
// and whoever asks for those that are not is told which are left out.
func TestNeitherYesNorNo(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("beers", `[{"beer":"Millrace","style":"bitter","vegan":"no"},{"beer":"Long Meadow","style":"pale","vegan":"yes"},
		{"beer":"Black Sluice","style":"stout","vegan":"unsure"},{"beer":"Old Harry","style":"strong","vegan":"yes"},{"beer":"Foggy Lane","style":"pale","vegan":"no"}]`)
	h.Answers(map[string]string{
		"which beers are vegan?":     "Long Meadow; Old Harry",
		"how many pales are vegan?":  "1",
		"which beers are not vegan?": "Foggy Lane; Millrace",
	})
	const told = "Rows whose vegan is unsure are left out."
	if got := h.Read("which beers are not vegan?", nil); !got.Doubt || !slices.Contains(got.Notes, told) {
		t.Errorf("the notes of those that are not = %q, in doubt %t, want %q", got.Notes, got.Doubt, told)
	}
	if got := h.Read("which beers are vegan?", nil); slices.Contains(got.Notes, told) {
		t.Errorf("the notes of those that are = %q, want none of what is left out", got.Notes)
	}
}
