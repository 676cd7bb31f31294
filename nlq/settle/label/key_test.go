package label_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// Each hive is a hive, whatever it shares with others.
func TestEachOfThemIsOne(t *testing.T) {
	t.Parallel()
	h := nlqtest.Herd(t)
	h.Answers(map[string]string{
		"which hive gave the most jars overall":                   "H3",
		"how many jars did we get from each apiary":               "Heath 21; Orchard 27",
		"what is the difference in jars between 2026 and 2025":    "5 43 -38",
		"jars of honey taken from each hive, in the order of ids": "H1 15; H2 12; H3 21",
	})
}
