package embedded_test

import "testing"

// pantry makes batches whose sizes are in units that people do not say.
func (h *house) pantry() *house {
	h.dataset(at("batches"), `[{"batch":1,"kind":"jam","ml":2500,"weight_g":3000,"sugar_g":1200,"made":"2024-05-01","eur_kg":4},
		{"batch":2,"kind":"jam","ml":1500,"weight_g":1800,"sugar_g":500,"made":"2025-05-01","eur_kg":5},
		{"batch":3,"kind":"juice","ml":6000,"weight_g":6000,"sugar_g":0,"made":"2025-06-01","eur_kg":2}]`)
	return h
}

// What is asked for in a unit that the data do not have is reckoned from the one they have.
func TestOtherUnits(t *testing.T) {
	t.Parallel()
	newHouse(t).pantry().answers(map[string]string{
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

// By how many percent something grew is reckoned from two periods.
func TestGrowthInPercent(t *testing.T) {
	t.Parallel()
	newHouse(t).pantry().answers(map[string]string{
		"By how many percent did the total ml grow from 2024 to 2025?":        "200",
		"What was the percentage increase of the total ml from 2024 to 2025?": "200",
	})
}
