package embedded_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// Two digits are a year where nothing else can be meant and the data have it.
func TestShortYears(t *testing.T) {
	t.Parallel()
	nlqtest.Pantry(t).Answers(map[string]string{
		"How many batches were made in 25?":         "2",
		"How many batches were made in '24?":        "1",
		"total ml made in may 25":                   "1500",
		"total ml of batches made since june 25":    "6000",
		"How many batches were made in 2024?":       "1",
		"Which batches have more than 20 ml of jam": "1; 2",
	})
}
