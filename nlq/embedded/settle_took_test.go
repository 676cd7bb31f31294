package embedded_test

import (
	"strings"
	"testing"
)

// foodbank makes parcels and shifts of which some took place, and donations of several people.
func (h *house) foodbank() *house {
	h.t.Helper()
	h.dataset(at("households"), `[{"ref":"H1","contact":"Ann Low"},{"ref":"H2","contact":"Bert May"},{"ref":"H3","contact":"Cleo Orr"}]`)
	h.dataset(at("parcels"), `[{"parcel_no":1,"date":"2023-08-02","hh_ref":"H1","status":"given out"},{"parcel_no":2,"date":"2023-08-09","hh_ref":"H1","status":"not collected"},
		{"parcel_no":3,"date":"2023-08-16","hh_ref":"H2","status":"given out"},{"parcel_no":4,"date":"2023-08-20","hh_ref":"H2","status":"cancelled"},
		{"parcel_no":5,"date":"2023-09-16","hh_ref":"H2","status":"given out"},{"parcel_no":6,"date":"2023-10-16","hh_ref":"H3","status":"booked"},
		{"parcel_no":7,"date":"2023-07-02","hh_ref":"H1","status":"given out"},{"parcel_no":8,"date":"2023-10-20","hh_ref":"H1","status":"booked"}]`)
	h.dataset(at("runs"), `[{"run":1,"bus":"Heron","pax":12,"status":"ran"},{"run":2,"bus":"Heron","pax":7,"status":"cut short"},{"run":3,"bus":"Otter","pax":9,"status":"ran"},
		{"run":4,"bus":"Otter","pax":0,"status":"cancelled"},{"run":5,"bus":"Otter","pax":4,"status":"ran"},{"run":6,"bus":"Heron","pax":4,"status":"cut short"}]`)
	h.Link(h.ada, "ada.trade.parcels.hh_ref", "ada.trade.households.ref")
	return h
}

// TestWhatTookPlace: what was done is of the rows that say that it took place, where all others say
// that it did not; what was booked or never was, and where rows may have been done otherwise, all
// rows count.
func TestWhatTookPlace(t *testing.T) {
	t.Parallel()
	h := newHouse(t).foodbank()
	h.answers(map[string]string{
		"how many parcels did we give out in August?":         "2",
		"how many parcels were actually given out in August?": "2",
		"how many parcels were there in August 2023?":         "4",
		"how many parcels are there?":                         "8",
		"How many passengers has each bus carried?":           "Heron 23; Otter 13",
		"how many parcels has each household been given":      "Ann Low 2; Bert May 2",
	})
	got := h.read("how many parcels did we hand out in August?", nil)
	if !strings.Contains(strings.Join(got.Notes, " "), "given out") {
		t.Errorf("notes = %q, want one that tells of the status", got.Notes)
	}
}

// TestWhoDidNotCome: those who did not come are in rows that say so.
func TestWhoDidNotCome(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("bookings"), `[{"no":1,"class_date":"2023-09-02","member":"Ann","status":"attended"},{"no":2,"class_date":"2023-09-02","member":"Bert","status":"no-show"},{"no":3,"class_date":"2023-09-09","member":"Bert","status":"attended"},
		{"no":4,"class_date":"2023-09-09","member":"Cleo","status":"cancelled"},{"no":5,"class_date":"2023-08-09","member":"Dan","status":"no-show"},{"no":6,"class_date":"2023-08-09","member":"Ann","status":"attended"}]`)
	h.answers(map[string]string{"Which members didn't show up in September?": "Bert"})
}

// TestTopKinds: the top donors are those who gave most in all, each once.
func TestTopKinds(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("donations"), `[{"id":"D1","date":"2023-01-02","donor":"Aldi","weight_kg":30.5},{"id":"D2","date":"2023-02-02","donor":"Mosque","weight_kg":50},{"id":"D3","date":"2023-03-02","donor":"Aldi","weight_kg":30.5},
		{"id":"D4","date":"2023-04-02","donor":"School","weight_kg":12},{"id":"D5","date":"2023-05-02","donor":"School","weight_kg":12},{"id":"D6","date":"2023-05-03","donor":"Aldi","weight_kg":9}]`)
	h.answers(map[string]string{"Who are our top 2 donors by weight?": "Aldi; Mosque"})
}
