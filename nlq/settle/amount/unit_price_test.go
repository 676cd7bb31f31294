package amount_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestStockIsWorth: what is on the shelves is worth what each costs as often as it is there.
func TestStockIsWorth(t *testing.T) {
	t.Parallel()
	nlqtest.Workshop(t).Answers(map[string]string{
		"What are all the parts worth, at unit cost?":                     "65",
		"What is everything on the shelves worth at what we paid for it?": "65",
		"What is the total value of the stock of parts?":                  "65",
		"What does one bell cost?":                                        "3",
	})
}
