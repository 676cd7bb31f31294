package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestNamesCutShort asks for what names cut short in whole words.
func TestNamesCutShort(t *testing.T) {
	t.Parallel()
	nlqtest.Airfield(t).Answers(map[string]string{
		"Which pilots are volunteers?":                  "Una Bell; Wes Moor",
		"How many tickets haven't been settled?":        "3",
		"cancelled flights, number":                     "1",
		"How many in a hundred flights were cancelled?": "16.666666666666668",
	})
}

// TestNamesInShort asks of files whose names are short in the words that these are short for.
func TestNamesInShort(t *testing.T) {
	t.Parallel()
	h := nlqtest.Fair(t)
	h.Answers(map[string]string{
		"Who earns the most per hour?":                               "Vic Stone",
		"How many deliveries are there for each target?":             "hall 2; tent 1",
		"Which passes are on direct debit?":                          "Ada Lowe; Cleo Marsh",
		"Which ponies weigh over two hundred kilos?":                 "Bramble",
		"Which level 3 ponies have a fee under £25?":                 "Bramble",
		"Which deliveries were over £200?":                           "D1; D3",
		"What did we sell in the shop on rainy days?":                "mug",
		"How many passes have expired by now?":                       "2",
		"Which ponies are all right for six-year-olds?":              "Bramble; Daisy",
		"What do wages plus expenses come to altogether for Ruthie?": "95",
		"On which product have we spent the most?":                   "mug",
		"Which products have we sold fewer than four of?":            "flag; mug",
	})
}

// TestNumbersAreShortForNothing: a number is read as it stands, whatever names have others in
// them, and one that could be a year is of the column that is named before it.
func TestNumbersAreShortForNothing(t *testing.T) {
	t.Parallel()
	h := nlqtest.School(t)
	h.Put("flats", `[{"flat_id":1,"street":"Ash Row","rent":970},{"flat_id":2,"street":"Elm Way","rent":1050},{"flat_id":3,"street":"Oak End","rent":1900}]`)
	h.Answers(map[string]string{
		"Which halls have a capacity greater than 60000?":   "Arena",
		"Which flats have a rent between 1000 and 1100?":    "Elm Way",
		"Which flats have a rent between 1800 and 2000?":    "Oak End",
		"What is the highest wind speed in miles per hour?": "22",
		"How many halls were founded before 1850?":          "1",
	})
}
