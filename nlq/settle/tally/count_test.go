package tally_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// A count of what a column counts is its sum, who was somewhere is not the place, and
// the month with the most arrivals is that of the rows that arrived.
func TestCountsOfColumns(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("bookings", `[{"booking":"B1","guest":"Ito","adults":2,"children":1,"arrival":"2024-07-03","departure":"2024-07-05"},
		{"booking":"B2","guest":"Gallo","adults":4,"children":0,"arrival":"2024-08-03","departure":"2024-08-15"},
		{"booking":"B3","guest":"Ito","adults":2,"children":3,"arrival":"2024-07-13","departure":"2024-07-14"}]`)
	h.Answers(map[string]string{
		"How many adults came in July 2024?": "4",
		"Which month has the most arrivals?": "2024-07",
	})
}

// How many there are of what a column counts is one number, unless one row is meant.
func TestAmountsAreAddedUp(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("ships", `[{"name":"Ariadne","port":"Oslo","crew":12},{"name":"Boreas","port":"Oslo","crew":20},{"name":"Calypso","port":"Malta","crew":9},
		{"name":"Doris","port":"Malta","crew":4}]`)
	h.Answers(map[string]string{
		"how many crew are on ships in Oslo?": "32",
		"How many crew does Calypso have?":    "9",
	})
}
