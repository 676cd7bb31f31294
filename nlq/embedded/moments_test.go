package embedded_test

import (
	"slices"
	"strings"
	"testing"
)

// boathouse makes the files of a rowing club: tours from one day to another, outings, hires that were
// booked on one day for another, rowers with their days of birth. Some of all are still to come.
func (h *house) boathouse() *house {
	h.dataset(at("tours"), `[{"tour":"Daffodil","river":"Wye","from":"2022-04-01","to":"2022-04-03"},{"tour":"Heatwave","river":"Severn","from":"2023-07-01","to":"2023-07-08"},
		{"tour":"Pumpkin","river":"Dee","from":"2023-10-20","to":"2023-10-22"},{"tour":"Snowdrop","river":"Tay","from":"2024-02-05","to":"2024-02-07"}]`)
	h.dataset(at("outings"), `[{"no":1,"date":"2022-09-04","boat":"Kestrel","miles":4.0,"result":"done"},{"no":2,"date":"2022-12-02","boat":"Merlin","miles":3.0,"result":"done"},
		{"no":3,"date":"2023-09-03","boat":"Kestrel","miles":5.0,"result":"done"},{"no":4,"date":"2023-09-20","boat":"Merlin","miles":2.0,"result":"abandoned"},
		{"no":5,"date":"2023-11-04","boat":"Kestrel","miles":9.0,"result":"planned"}]`)
	h.dataset(at("hires"), `[{"hire":"H1","kind":"regatta","booked_on":"2023-02-01","hire_date":"2023-06-10","hall":"Shed"},{"hire":"H2","kind":"party","booked_on":"2023-05-01","hire_date":"2023-07-10","hall":"Loft"},
		{"hire":"H3","kind":"regatta","booked_on":"2023-08-01","hire_date":"2024-03-03","hall":"Loft"},{"hire":"H4","kind":"party","booked_on":"2023-09-09","hire_date":"2023-12-12","hall":"Shed"},
		{"hire":"H5","kind":"regatta","booked_on":"2023-09-10","hire_date":"2023-12-20","hall":"Shed"}]`)
	h.dataset(at("rowers"), `[{"rower_id":1,"name":"Ivy Lunn","dob":"1980-10-03","joined":"2021-05-01"},{"rower_id":2,"name":"Kit Moss","dob":"1991-10-30","joined":"2022-10-04"},
		{"rower_id":3,"name":"Lou Nash","dob":"1985-05-16","joined":"2023-02-01"},{"rower_id":4,"name":"Max Orme","dob":"1985-10-01","joined":"2023-05-09"},{"rower_id":5,"name":"Nan Pike","dob":"2001-11-02","joined":"2020-01-09"}]`)
	return h
}

// TestWhatWasSoFar: what is planned was not so far, whether the data say one time or from when until
// when; up to today is no day; this year so far ends today.
func TestWhatWasSoFar(t *testing.T) {
	t.Parallel()
	newHouse(t).boathouse().answers(map[string]string{
		"How many different rivers have we toured so far?":      "2",
		"How many tours have there been so far?":                "2",
		"Of all the outings up to today, what share was done?":  "75",
		"Of all the outings, what share was done?":              "60",
		"What is the total miles of outings this year so far?":  "7",
		"What is the total miles of outings this year?":         "16",
		"What is the total miles of the outings so far?":        "14",
		"How many rivers are there?":                            "4",
		"How many outings were there from 1 July 2023 to today": "2",
	})
}

// TestBirthdays: a birthday is in every year, but who joined in October did so in one.
func TestBirthdays(t *testing.T) {
	t.Parallel()
	newHouse(t).boathouse().answers(map[string]string{
		"Who has a birthday this month?":                     "Ivy Lunn; Kit Moss; Max Orme",
		"Which rowers have a birthday in May?":               "Lou Nash",
		"Whose birthday is it today?":                        "Max Orme",
		"Who has a birthday next week?":                      "Ivy Lunn",
		"Which rowers were born in November?":                "Nan Pike",
		"Which rowers were born in 1985?":                    "Lou Nash; Max Orme",
		"Which rowers were born in May 1985?":                "Lou Nash",
		"Which rowers joined in May 2023?":                   "Max Orme",
		"How many hires in the Shed were booked this month?": "0",
		"How many rowers joined in October 2022":             "1",
	})
}

// TestTimesToCome: what is still to come is of the time that reaches beyond today, and the next of
// something is the first of it that is still to come.
func TestTimesToCome(t *testing.T) {
	t.Parallel()
	newHouse(t).boathouse().answers(map[string]string{
		"Which party hires are still to come?":                "H4",
		"How many hires are there in the Loft in March 2024?": "1",
		"next tour?":                            "Pumpkin",
		"What is the next tour?":                "Pumpkin",
		"When is the next regatta?":             "2023-12-20",
		"Which tours are there on the Tay?":     "Snowdrop",
		"Which hires were booked in September?": "H4; H5",
	})
}

// TestMonthsOfTwoYears: a month of this year and that of the last are two.
func TestMonthsOfTwoYears(t *testing.T) {
	t.Parallel()
	h := newHouse(t).boathouse()
	for _, question := range []string{"How many outings did we have in September this year compared with September last year?", "number of outings this September vs last September"} {
		got := h.read(question, nil)
		if got.Clarification != nil || !strings.HasPrefix(h.rows(h.ada, got), "2 1 ") {
			t.Errorf("Translate(%q) = %s %v, want 2 and 1", question, got.SQL, got.Clarification)
		}
	}
	h.answers(map[string]string{"How many outings were there in September last year?": "1", "How many outings were there last September?": "2", "How many outings were there from January to September this year?": "2"})
	if got := h.read("How many outings were there from September to December last year?", nil); got.Clarification == nil && h.rows(h.ada, got) == "1" {
		t.Errorf("Translate(September to December last year) = %s, want both months or a question back", got.SQL)
	}
}

// TestWhatGoesOn: those of now are of a kind that goes on, or have not ended.
func TestWhatGoesOn(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("cooks"), `[{"cook_id":1,"name":"Ada Birch"},{"cook_id":2,"name":"Bob Crane"},{"cook_id":3,"name":"Cam Drew"}]`)
	h.dataset(at("placements"), `[{"pl_no":1,"cook":1,"kitchen":"North","state":"active"},{"pl_no":2,"cook":1,"kitchen":"South","state":"active"},{"pl_no":3,"cook":2,"kitchen":"North","state":"active"},
		{"pl_no":4,"cook":2,"kitchen":"West","state":"finished"},{"pl_no":5,"cook":3,"kitchen":"South","state":"dropped"},{"pl_no":6,"cook":3,"kitchen":"North","state":"finished"}]`)
	h.Link(h.ada, "ada.trade.placements.cook", "ada.trade.cooks.cook_id")
	h.answers(map[string]string{
		"Which cooks have at least two placements at the moment?": "Ada Birch",
		"Which cooks have at least two placements?":               "Ada Birch; Bob Crane; Cam Drew",
		"Which placements are finished?":                          "4; 6",
		"How many placements are there in the North kitchen?":     "3",
	})
	got := h.read("Which cooks have at least two placements at the moment?", nil)
	if !slices.Contains(got.Notes, `I read "at the moment" as the value active of the column state.`) {
		t.Errorf("Translate(at the moment) notes %q, want what was read as what", got.Notes)
	}
}

// TestWhatHasNotEnded: what still runs has no time at which it ended; what is not among the data's
// things does not run.
func TestWhatHasNotEnded(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("memberships"), `[{"holder":"Eve Frost","kind":"gold","fee":20.0,"began":"2021-01-01","cancelled":null},{"holder":"Fay Grant","kind":"silver","fee":10.0,"began":"2021-03-01","cancelled":"2022-01-01"},
		{"holder":"Gil Hurst","kind":"gold","fee":20.0,"began":"2022-01-01","cancelled":null},{"holder":"Hal Innes","kind":"silver","fee":10.0,"began":"2022-06-01","cancelled":null}]`)
	h.answers(map[string]string{
		"How many running memberships are there per kind?": "gold 2; silver 1",
		"Which active memberships are there?":              "Eve Frost; Gil Hurst; Hal Innes",
		"Which memberships are still active?":              "Eve Frost; Gil Hurst; Hal Innes",
		"How many memberships are there?":                  "4",
		"Which memberships were cancelled in 2022?":        "Fay Grant",
	})
}
