package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestWhatIsBooked: the bookings of a time are those that are then, unless the text speaks of booking.
func TestWhatIsBooked(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("bookings", `[{"bk":1,"guest":"Ito","day":"2023-09-03","booked_on":"2023-07-24","paid":20},{"bk":2,"guest":"Gallo","day":"2023-09-20","booked_on":"2023-09-01","paid":30},
		{"bk":3,"guest":"Weber","day":"2023-10-04","booked_on":"2023-09-12","paid":40},{"bk":4,"guest":"Marsh","day":"2023-10-20","booked_on":"2023-09-28","paid":50},
		{"bk":5,"guest":"Ito","day":"2023-10-05","booked_on":"2023-08-01","paid":10}]`)
	h.Answers(map[string]string{
		"What is the booked on date of booking 3?":        "2023-09-12",
		"which guests booked in August?":                  "Ito",
		"how many bookings were there in September?":      "2",
		"how many bookings were booked in September":      "3",
		"how many bookings came in since September":       "3",
		"which guests are booked in next week?":           "Ito; Weber",
		"how many bookings did each guest have this year": "Gallo 1; Ito 2; Marsh 1; Weber 1",
		"bookings per month":                              "2023-09 2; 2023-10 3",
	})
}

// TestOrdersAreOrdered: what is called by when it was ordered is of that time.
func TestOrdersAreOrdered(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("orders", `[{"no":1,"customer":"Ito","ordered":"2023-08-24","delivered":"2023-09-02"},{"no":2,"customer":"Gallo","ordered":"2023-09-01","delivered":"2023-09-08"},
		{"no":3,"customer":"Weber","ordered":"2023-09-12","delivered":null}]`)
	h.Answers(map[string]string{
		"how many orders were there in September?":    "2",
		"how many orders were delivered in September": "2",
		"how many orders were there in August?":       "1",
	})
}
