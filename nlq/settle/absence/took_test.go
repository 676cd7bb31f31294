package absence_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// foodbank makes a house with parcels and shifts of which some took place, and donations of several
// people.
func foodbank(t testing.TB) *nlqtest.House {
	t.Helper()
	h := nlqtest.NewHouse(t)
	h.Put("households", `[{"ref":"H1","contact":"Ann Low"},{"ref":"H2","contact":"Bert May"},{"ref":"H3","contact":"Cleo Orr"}]`)
	h.Put("parcels", `[{"parcel_no":1,"date":"2023-08-02","hh_ref":"H1","status":"given out"},{"parcel_no":2,"date":"2023-08-09","hh_ref":"H1","status":"not collected"},
		{"parcel_no":3,"date":"2023-08-16","hh_ref":"H2","status":"given out"},{"parcel_no":4,"date":"2023-08-20","hh_ref":"H2","status":"cancelled"},
		{"parcel_no":5,"date":"2023-09-16","hh_ref":"H2","status":"given out"},{"parcel_no":6,"date":"2023-10-16","hh_ref":"H3","status":"booked"},
		{"parcel_no":7,"date":"2023-07-02","hh_ref":"H1","status":"given out"},{"parcel_no":8,"date":"2023-10-20","hh_ref":"H1","status":"booked"}]`)
	h.Put("runs", `[{"run":1,"bus":"Heron","pax":12,"status":"ran"},{"run":2,"bus":"Heron","pax":7,"status":"cut short"},{"run":3,"bus":"Otter","pax":9,"status":"ran"},
		{"run":4,"bus":"Otter","pax":0,"status":"cancelled"},{"run":5,"bus":"Otter","pax":4,"status":"ran"},{"run":6,"bus":"Heron","pax":4,"status":"cut short"}]`)
	h.Link(h.Ada, "ada.trade.parcels.hh_ref", "ada.trade.households.ref")
	return h
}

// TestWhatTookPlace: what was done is of the rows that say that it took place, where all others say
// that it did not; what was booked or never was, and where rows may have been done otherwise, all
// rows count.
func TestWhatTookPlace(t *testing.T) {
	t.Parallel()
	h := foodbank(t)
	h.Answers(map[string]string{
		"how many parcels did we give out in August?":         "2",
		"how many parcels were actually given out in August?": "2",
		"how many parcels were there in August 2023?":         "4",
		"how many parcels are there?":                         "8",
		"How many passengers has each bus carried?":           "Heron 23; Otter 13",
		"how many parcels has each household been given":      "Ann Low 2; Bert May 2",
	})
	got := h.Read("how many parcels did we hand out in August?", nil)
	if !strings.Contains(strings.Join(got.Notes, " "), "given out") {
		t.Errorf("notes = %q, want one that tells of the status", got.Notes)
	}
}

// TestWhoDidNotCome: those who did not come are in rows that say so.
func TestWhoDidNotCome(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("bookings", `[{"no":1,"class_date":"2023-09-02","member":"Ann","status":"attended"},{"no":2,"class_date":"2023-09-02","member":"Bert","status":"no-show"},{"no":3,"class_date":"2023-09-09","member":"Bert","status":"attended"},
		{"no":4,"class_date":"2023-09-09","member":"Cleo","status":"cancelled"},{"no":5,"class_date":"2023-08-09","member":"Dan","status":"no-show"},{"no":6,"class_date":"2023-08-09","member":"Ann","status":"attended"}]`)
	h.Answers(map[string]string{"Which members didn't show up in September?": "Bert"})
}

// TestWhenLast: what was last done is the last that was done, of clients and appointments as well, whose
// names end as a denial does.
func TestWhenLast(t *testing.T) {
	t.Parallel()
	nlqtest.Agency(t).Answers(map[string]string{
		"when did somebody last visit each client?":  "Ida Moor 2023-09-05; Jo Finch 2023-06-01; Kit Ray 2023-09-02",
		"Which clients did Cy Orr visit this year?":  "Ida Moor; Jo Finch; Kit Ray",
		"when was each client last visited?":         "Ida Moor 2023-09-05; Jo Finch 2023-06-01; Kit Ray 2023-09-02",
		"How many visits are there for each client?": "Ida Moor 3; Jo Finch 3; Kit Ray 3",
	})
}

// TestPlayedSince: what has taken place is over, where its times reach ahead and nothing else tells.
func TestPlayedSince(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("matches", `[{"match":"Corve away","played_on":"2023-05-01","result":"won"},{"match":"Ashby home","played_on":"2023-07-09","result":"lost"},
		{"match":"Kirk home","played_on":"2023-09-03","result":"won"},{"match":"Burford away","played_on":"2023-11-05","result":null}]`)
	h.Answers(map[string]string{
		"how many matches have we played since June?": "2",
		"which matches have we played this year":      "Ashby home; Corve away; Kirk home",
		"which matches are there in November?":        "Burford away",
		"how many matches are planned for this year":  "4",
	})
}
