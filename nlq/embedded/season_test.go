package embedded_test

import (
	"strings"
	"testing"
)

// goats makes a herd whose animals see a vet, and the guests of a farm.
func (h *house) goats() *house {
	h.t.Helper()
	h.dataset(at("goats"), `[
		{"goat":"Ada","breed":"Boer","born":"2025-03-10","weight_kg":60,"last_vet_visit":"2026-04-20","price":100},
		{"goat":"Bea","breed":"Boer","born":"2025-07-01","weight_kg":40,"last_vet_visit":"2026-11-01","price":120},
		{"goat":"Cid","breed":"Pygmy","born":"2025-05-31","weight_kg":20,"last_vet_visit":null,"price":80},
		{"goat":"Dot","breed":"Pygmy","born":"2024-04-01","weight_kg":30,"last_vet_visit":"2025-06-01","price":90},
		{"goat":"Eli","breed":"Saanen","born":"2025-10-01","weight_kg":70,"last_vet_visit":"2026-10-10","price":150},
		{"goat":"Fay","breed":"Saanen","born":"2024-09-01","weight_kg":50,"last_vet_visit":"2026-09-10","price":150}]`)
	h.dataset(at("bookings"), `[
		{"booking_id":1,"guest":"Ann Lee","people":2,"paid":"yes","no_show":"no","email":"a@x.org"},{"booking_id":2,"guest":"Bob Ray","people":4,"paid":"no","no_show":"yes","email":"b@x.org"},
		{"booking_id":3,"guest":"Cy Fox","people":1,"paid":"no","no_show":"no","email":null},{"booking_id":4,"guest":"Di Oak","people":5,"paid":"yes","no_show":"yes","email":"d@x.org"}]`)
	h.dataset(at("kilns"), `[{"kiln":1,"swept":"2023-03-20"},{"kiln":2,"swept":"2023-05-01"},{"kiln":3,"swept":"2022-01-01"}]`)
	h.dataset(at("stalls"), `[{"stall":1,"paid":"yes","rented":"2026-11-01"},{"stall":2,"paid":"no","rented":"2026-11-02"},{"stall":3,"paid":"no","rented":"2025-11-02"}]`)
	h.dataset(at("families"), `[{"family":"Ash","no_of_children":0},{"family":"Oak","no_of_children":1},{"family":"Elm","no_of_children":1}]`)
	return h
}

// TestSeasonsAndSince: seasons are of a year, what has not happened since happened before or
// never, and two groups that are named side by side are those that are asked for.
func TestSeasonsAndSince(t *testing.T) {
	t.Parallel()
	newHouse(t).goats().answers(map[string]string{
		"How many goats were born in spring 2025?":                 "2",
		"How many goats were born in the autumn of 2025?":          "1",
		"Which goats have not been to the vet since October 2026?": "Ada; Cid; Dot; Fay",
		"average weight of boer and pygmy goats":                   "Boer 50; Pygmy 25",
		"average weight of the goats by breed":                     "Boer 50; Pygmy 25; Saanen 60",
		"Which stalls were not paid since October 2026?":           "2",
		"Which kilns were swept more than six months ago?":         "1; 3",
	})
}

// TestDenialsOfOtherThings: what is denied elsewhere in a text turns no column round whose name
// denies, a number of what is counted denies nothing, and an email address is the email.
func TestDenialsOfOtherThings(t *testing.T) {
	t.Parallel()
	newHouse(t).goats().answers(map[string]string{
		"Which guests showed up but did not pay?":                "Cy Fox",
		"Which guests did not show up?":                          "Bob Ray; Di Oak",
		"Show me the guests who did not show up":                 "Bob Ray; Di Oak",
		"Show the guests who showed up":                          "Ann Lee; Cy Fox",
		"How many bookings showed up with no more than 3 people": "2",
		"How many families have no children?":                    "1",
		"What is the email address of Ann Lee?":                  "a@x.org",
	})
}

// TestChangesThatNobodyMade: an amount that is 10 % higher is no amount above 10.
func TestChangesThatNobodyMade(t *testing.T) {
	t.Parallel()
	h := newHouse(t).goats()
	got := h.read("What would all goats cost if prices were 10% higher?", nil)
	if got.Query != nil && !got.Doubt {
		t.Errorf("Translate(10%% higher) = %s without doubt, want it declined or doubted", got.SQL)
	}
	if strings.Contains(got.SQL, "> 10") {
		t.Errorf("Translate(10%% higher) = %s, want 10 compared with nothing", got.SQL)
	}
}
