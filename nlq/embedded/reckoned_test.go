package embedded_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// inn makes a house with guests and their stays.
func inn(t testing.TB) *nlqtest.House {
	t.Helper()
	h := nlqtest.NewHouse(t)
	h.Put("guests", `[{"guest_id":1,"name":"Ada","town":"Kiel"},{"guest_id":2,"name":"Ben","town":"Husum"},{"guest_id":3,"name":"Cleo","town":"Kiel"}]`)
	h.Put("stays", `[
		{"stay_id":1,"guest_id":1,"room":"Garden","nightly_rate":50,"nights":2,"arrival":"2024-03-04","departure":"2024-03-06","booked_at":"2024-01-05T18:45:00Z"},
		{"stay_id":2,"guest_id":1,"room":"Attic","nightly_rate":80,"nights":3,"arrival":"2024-04-29","departure":"2024-05-02","booked_at":"2024-02-06T09:30:00Z"},
		{"stay_id":3,"guest_id":2,"room":"Garden","nightly_rate":60,"nights":5,"arrival":"2024-03-11","departure":"2024-03-16","booked_at":"2024-03-01T11:00:00Z"},
		{"stay_id":4,"guest_id":2,"room":"Garden","nightly_rate":40,"nights":1,"arrival":"2023-12-30","departure":"2023-12-31","booked_at":"2023-12-01T20:15:00Z"}]`)
	h.Link(h.Ada, "ada.trade.stays.guest_id", "ada.trade.guests.guest_id")
	return h
}

func TestWhatIsReckoned(t *testing.T) {
	t.Parallel()
	inn(t).Answers(map[string]string{
		"What is the median nightly rate?":                               "55",
		"median nightly rate per room":                                   "Attic 80; Garden 50",
		"How many stays per month by arrival?":                           "2023-12 1; 2024-03 2; 2024-04 1",
		"How many stays arrived on a Monday?":                            "3",
		"average number of days between arrival and departure":           "2.75",
		"What share of the stays was in the Garden room?":                "75",
		"How many stays does every guest have, including those without?": "Ada 2; Ben 2; Cleo 0",
		"What is the total of nightly rate times nights?":                "680",
	})
}
