package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// guestHouse makes a house with stays of guests, some of which are to come: today is 2023-10-01.
func guestHouse(t testing.TB) *nlqtest.House {
	t.Helper()
	h := nlqtest.NewHouse(t)
	h.Put("stays", `[{"stay":1,"guest":"Ann Vale","arrive":"2023-08-10","depart":"2023-08-14"},{"stay":2,"guest":"Bo Carr","arrive":"2023-08-12","depart":"2023-08-13"},
		{"stay":3,"guest":"Cy Dunn","arrive":"2023-08-14","depart":"2023-08-20"},{"stay":4,"guest":"Dee Fox","arrive":"2023-09-28","depart":"2023-10-03"},
		{"stay":5,"guest":"Ann Vale","arrive":"2023-10-09","depart":"2023-10-12"},{"stay":6,"guest":"Ann Vale","arrive":"2023-11-02","depart":"2023-11-05"}]`)
	h.Put("lamps", `[{"lamp":"Brass","from":"2023-01-01","to":"2023-03-31","hall":"North"},{"lamp":"Glass","from":"2023-03-01","to":null,"hall":"South"},
		{"lamp":"Tin","from":"2023-07-01","to":"2023-12-31","hall":"North"}]`)
	return h
}

// TestWithinStretches: what goes on at a time began before its end and has not ended; who arrives or leaves then
// does so on that day.
func TestWithinStretches(t *testing.T) {
	t.Parallel()
	guestHouse(t).Answers(map[string]string{
		"Which guests were staying on 12 August 2023?":     "Ann Vale; Bo Carr",
		"Which guests were arriving on 12 August 2023?":    "Bo Carr",
		"Which guests left on 14 August 2023?":             "Ann Vale",
		"Which lamps were in use on 15 March 2023?":        "Brass; Glass",
		"Which lamps were in use in February 2023?":        "Brass",
		"How many stays began in August 2023?":             "3",
		"Which guests arrived in August 2023?":             "Ann Vale; Bo Carr; Cy Dunn",
		"How many stays have an arrival after 1 Oct 2023?": "2",
	})
}

// TestNextAndStillAhead: the next of somebody's stays is not past, and what is still to come of a time that
// has begun is from today on.
func TestNextAndStillAhead(t *testing.T) {
	t.Parallel()
	guestHouse(t).Answers(map[string]string{
		"When does Ann Vale arrive next?":                  "2023-10-09",
		"When did Ann Vale first arrive?":                  "2023-08-10",
		"How many stays are still to come this year?":      "2",
		"Which stays are coming up?":                       "5; 6",
		"How many stays were there this year?":             "6",
		"How many stays are still to come in November?":    "1",
		"How many stays were there in August this year?":   "3",
		"Which guests are still to come this autumn 2023?": "Ann Vale",
	})
}
