package embedded_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestCodesOfPlaces: German is DE where columns have codes.
func TestCodesOfPlaces(t *testing.T) {
	t.Parallel()
	nlqtest.Office(t).Answers(map[string]string{
		"How many German clients do we have?": "2",
		"Which clients are Swiss?":            "Alpenwerk",
	})
}
