package amount_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// What is asked for in a unit that the data do not have is reckoned from the one they have.
func TestOtherUnits(t *testing.T) {
	t.Parallel()
	nlqtest.Pantry(t).Answers(map[string]string{
		"How many litres of juice are there?":                 "6",
		"What is the total weight in kilos?":                  "10.8",
		"What is the average weight of jam in kg?":            "2.4",
		"Which batches weigh more than 2 kg?":                 "1; 3",
		"Which batches have more than 500 grams of sugar?":    "1",
		"How many batches have less than 2 litres?":           "1",
		"What is the total weight of juice in grams?":         "6000",
		"What is the total ml of the batches of the kind jam": "4000",
	})
}
