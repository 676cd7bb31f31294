package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestWeeksOfDays: a week is seven of the days that the data count, and no week of the calendar; when
// something was is no length.
func TestWeeksOfDays(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("rentals", `[{"rental_id":1,"renter":"Ann","start_date":"2023-05-02","return_date":"2023-05-08","days":7,"amount":70},{"rental_id":2,"renter":"Bo","start_date":"2023-06-02","return_date":"2023-06-03","days":2,"amount":20},
		{"rental_id":3,"renter":"Cy","start_date":"2022-07-02","return_date":"2022-07-15","days":14,"amount":140},{"rental_id":4,"renter":"Dot","start_date":"2023-08-01","return_date":"2023-08-20","days":20,"amount":180},
		{"rental_id":5,"renter":"Eve","start_date":"2023-09-12","return_date":"2023-09-15","days":4,"amount":40},{"rental_id":6,"renter":"Fay","start_date":"2023-09-20","return_date":"2023-09-21","days":2,"amount":20}]`)
	h.Answers(map[string]string{
		"How many rentals were longer than a week?":               "2",
		"How many rentals of more than a week were there?":        "2",
		"Which rentals lasted at least a week?":                   "Ann; Cy; Dot",
		"How many rentals lasted a week?":                         "1",
		"How many rentals lasted two weeks?":                      "1",
		"How many rentals were shorter than a week?":              "3",
		"How many rentals were longer than a fortnight?":          "1",
		"How many rentals lasted a week or more?":                 "3",
		"Total amount of rentals of up to a week":                 "150",
		"How many rentals of at least a week were there in 2022?": "1",
		"How many rentals were between one and two weeks?":        "2",
		"How many rentals were there last week?":                  "1",
	})
}

// TestWeeksFromTo: a week is the days from one time to the other where no column counts any.
func TestWeeksFromTo(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("loans", `[{"loan_no":1,"reader":"Ann","lent_on":"2023-05-01","returned_on":"2023-05-08"},{"loan_no":2,"reader":"Bo","lent_on":"2023-06-01","returned_on":"2023-06-04"},
		{"loan_no":3,"reader":"Cy","lent_on":"2023-07-01","returned_on":"2023-07-11"},{"loan_no":4,"reader":"Dot","lent_on":"2023-08-01","returned_on":"2023-08-21"}]`)
	h.Answers(map[string]string{
		"Which loans lasted a week?":               "Ann",
		"How many loans were longer than a week?":  "2",
		"loans shorter than a week":                "Bo",
		"How many loans lasted at least one week?": "3",
		"loans longer than a fortnight":            "Dot",
	})
}
