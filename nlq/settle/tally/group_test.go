package tally_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestKindsSideBySide: kinds that the text names are those it is about.
func TestKindsSideBySide(t *testing.T) {
	t.Parallel()
	nlqtest.Office(t).Answers(map[string]string{
		"average cost of a monitor vs a phone": "monitor 250; phone 400",
		"average cost per kind":                "laptop 950; monitor 250; phone 400",
	})
}
