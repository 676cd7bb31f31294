package embedded_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestFillingUp: a car that is filled up is given fuel.
func TestFillingUp(t *testing.T) {
	t.Parallel()
	nlqtest.Garage(t).Answers(map[string]string{
		"Are there cars that have never been filled up?": "EF3",
	})
}
