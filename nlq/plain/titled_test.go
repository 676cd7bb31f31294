package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestNamesBehindTitles asks for people by a title and a surname, whatever stands between the two in the data.
func TestNamesBehindTitles(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("doctors", `[{"doctor_id":1,"name":"Dr Tariq Aziz","started":"2019-09-02","room":4},{"doctor_id":2,"name":"Dr Helen Marsh","started":"2011-03-01","room":2},
		{"doctor_id":3,"name":"Colin Shaw","started":"2016-01-11","room":7},{"doctor_id":4,"name":"Mrs Low","started":"2020-02-02","room":5},{"doctor_id":5,"name":"Mr Low","started":"2021-02-02","room":6}]`)
	h.Put("visits", `[{"visit":1,"doctor_id":1,"day":"2023-09-04"},{"visit":2,"doctor_id":1,"day":"2023-09-05"},{"visit":3,"doctor_id":2,"day":"2023-09-05"},{"visit":4,"doctor_id":3,"day":"2023-08-01"}]`)
	h.Link(h.Ada, "ada.trade.visits.doctor_id", "ada.trade.doctors.doctor_id")
	h.Answers(map[string]string{
		"How many visits did Dr Aziz have?":    "2",
		"how many visits did dr marsh have":    "1",
		"Which room does Mrs Low have?":        "5",
		"Which room does Dr Helen Marsh have?": "2",
		"How many visits did Dr. Aziz have?":   "2",
	})
}
