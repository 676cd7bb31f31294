package amount_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// statement makes a house with the files of a small choir: what went in and out of its account, in one
// column, and what it pays each quarter.
func statement(t testing.TB) *nlqtest.House {
	t.Helper()
	h := nlqtest.NewHouse(t)
	h.Put("bank", `[
		{"line":1,"day":"2023-01-05","payee":"Hill Music","purpose":"scores","amount":-40.5,"card":"yes"},
		{"line":2,"day":"2023-01-20","payee":"Ann Vale","purpose":"dues","amount":120,"card":"no"},
		{"line":3,"day":"2023-02-03","payee":"Parish Hall","purpose":"room","amount":-200,"card":"no"},
		{"line":4,"day":"2023-02-14","payee":"Hill Music","purpose":"scores","amount":-60.5,"card":"yes"},
		{"line":5,"day":"2023-03-01","payee":"Town Council","purpose":"grants","amount":900,"card":"no"},
		{"line":6,"day":"2023-03-09","payee":"Parish Hall","purpose":"room","amount":-220,"card":"no"},
		{"line":7,"day":"2023-04-09","payee":"Old Press","purpose":"posters","amount":-79,"card":"yes"},
		{"line":8,"day":"2023-05-02","payee":"Bo Carr","purpose":"dues","amount":130,"card":"no"}]`)
	return h
}

// TestSpendingBelowZero: of amounts with a sign, those below zero were spent.
func TestSpendingBelowZero(t *testing.T) {
	t.Parallel()
	statement(t).Answers(map[string]string{
		"How much did we spend on scores?":                "101",
		"What percentage of our spending went on scores?": "16.833333333333332",
		"Which purpose do we spend the most on?":          "room",
		"Which payee did we spend the most with?":         "Parish Hall",
		"Total spending per purpose":                      "posters 79; room 420; scores 101",
		"In which months did we spend more than 100?":     "2023-02; 2023-03",
		"How much did we spend in total?":                 "600",
		"What is the average amount spent?":               "120",
		"How much income did we have in total?":           "1150",
		"What is the sum of all amounts?":                 "550",
		"What is the highest amount?":                     "900",
	})
}

// TestPaymentsGivenBack: where few amounts are below zero, or a column says which way they went,
// amounts are taken as they are.
func TestPaymentsGivenBack(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("payments", `[
		{"pay_no":1,"member":"Ann Vale","amount":50,"day":"2023-01-05"},{"pay_no":2,"member":"Ann Vale","amount":70,"day":"2023-02-05"},
		{"pay_no":3,"member":"Bo Carr","amount":90,"day":"2023-01-07"},{"pay_no":4,"member":"Bo Carr","amount":-30,"day":"2023-01-09"},
		{"pay_no":5,"member":"Cy Dunn","amount":20,"day":"2023-03-05"}]`)
	h.Answers(map[string]string{
		"Which member has spent the most?":    "Ann Vale",
		"How much did Bo Carr pay in total?":  "60",
		"Total amount spent in January 2023":  "110",
		"How much was received from Cy Dunn?": "20",
		"What is the lowest amount paid?":     "-30",
	})
}

// TestCardsHavePurchasesAboveZero: a card's statement has what was bought above zero, and what was
// paid back to it below.
func TestCardsHavePurchasesAboveZero(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("card", `[
		{"line":1,"day":"2023-01-05","merchant":"Tesco","amount":40},{"line":2,"day":"2023-01-09","merchant":"Shell","amount":55},
		{"line":3,"day":"2023-01-28","merchant":"Bank","amount":-95},{"line":4,"day":"2023-02-05","merchant":"Tesco","amount":30},
		{"line":5,"day":"2023-02-11","merchant":"Rail","amount":21},{"line":6,"day":"2023-02-27","merchant":"Bank","amount":-51}]`)
	h.Put("roofs", `[
		{"roof_no":1,"building":"Barn","month":"2023-01-01","cost":-12},{"roof_no":2,"building":"Barn","month":"2023-02-01","cost":-20},
		{"roof_no":3,"building":"Mill","month":"2023-01-01","cost":7},{"roof_no":4,"building":"Mill","month":"2023-02-01","cost":-3}]`)
	h.Answers(map[string]string{
		"How much did we spend at Tesco?":                 "70",
		"Which merchant did we spend the most at?":        "Tesco",
		"What is the total cost of the Mill building?":    "4",
		"What is the highest cost of the roofs in total?": "7",
	})
}
