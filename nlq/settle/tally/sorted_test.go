package tally_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// An order that does not say what comes first begins with the least.
func TestSortedByAColumn(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("ships", `[{"name":"Ariadne","crew":12},{"name":"Boreas","crew":20},{"name":"Calypso","crew":9}]`)
	for question, down := range map[string]bool{
		"names of ships sorted by crew":                      false,
		"sort by crew":                                       false,
		"names of ships sorted by crew in descending order":  true,
		"names of ships sorted by crew, with the most first": true,
	} {
		if got := h.Read(question, nil).SQL; !strings.Contains(got, `ORDER BY "ships"."crew"`) || strings.Contains(got, "DESC") != down {
			t.Errorf("Translate(%q) = %s, want it by crew, down: %v", question, got, down)
		}
	}
}
