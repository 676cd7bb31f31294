package embedded_test

import (
	"strings"
	"testing"
)

// airfield makes the files of a gliding club: days and times of day apart, names cut short, yes and
// no in columns that nobody names, flights that are still to come.
func (h *house) airfield() *house {
	h.dataset(at("pilots"), `[{"id":1,"nm":"Una Bell","hr_rate":20.0,"vol":"yes"},{"id":2,"nm":"Vic Stone","hr_rate":35.0,"vol":"no"},{"id":3,"nm":"Wes Moor","hr_rate":28.0,"vol":"yes"}]`)
	h.dataset(at("flights"), `[{"fl_no":101,"dt":"2023-08-01","takeoff":"06:30:00","pilot_id":1,"state":"flown"},{"fl_no":102,"dt":"2023-08-01","takeoff":"09:15:00","pilot_id":2,"state":"flown"},
		{"fl_no":103,"dt":"2023-08-09","takeoff":"07:45:00","pilot_id":2,"state":"cancelled"},{"fl_no":104,"dt":"2023-09-03","takeoff":"17:00:00","pilot_id":1,"state":"flown"},
		{"fl_no":105,"dt":"2023-10-20","takeoff":"10:00:00","pilot_id":2,"state":"booked"},{"fl_no":106,"dt":"2023-11-02","takeoff":"06:50:00","pilot_id":3,"state":"booked"}]`)
	h.dataset(at("tickets"), `[{"tkt":7001,"fl_no":101,"qty":2,"amt":80.0,"pd":"yes"},{"tkt":7002,"fl_no":101,"qty":1,"amt":40.0,"pd":"no"},{"tkt":7003,"fl_no":102,"qty":3,"amt":120.0,"pd":"yes"},
		{"tkt":7004,"fl_no":104,"qty":1,"amt":40.0,"pd":"yes"},{"tkt":7005,"fl_no":105,"qty":2,"amt":90.0,"pd":"no"},{"tkt":7006,"fl_no":106,"qty":1,"amt":30.0,"pd":"no"}]`)
	h.Link(h.ada, "ada.trade.flights.pilot_id", "ada.trade.pilots.id")
	h.Link(h.ada, "ada.trade.tickets.fl_no", "ada.trade.flights.fl_no")
	return h
}

// TestTimesOfDayApart: a day has no time of day, the column beside it has.
func TestTimesOfDayApart(t *testing.T) {
	t.Parallel()
	newHouse(t).airfield().answers(map[string]string{
		"Which flights in August were down for before eight in the morning?": "101; 103",
		"How many flights took off after 4 pm?":                              "1",
	})
}

// TestNamesCutShort asks for what names cut short in whole words.
func TestNamesCutShort(t *testing.T) {
	t.Parallel()
	newHouse(t).airfield().answers(map[string]string{
		"Which pilots are volunteers?":                  "Una Bell; Wes Moor",
		"How many tickets haven't been settled?":        "3",
		"cancelled flights, number":                     "1",
		"How many in a hundred flights were cancelled?": "16.666666666666668",
	})
}

// TestPartsOfAmounts multiplies what the text speaks of a part of.
func TestPartsOfAmounts(t *testing.T) {
	t.Parallel()
	h := newHouse(t).airfield()
	h.dataset(at("jobs"), `[{"job":1,"client":"Hall","quote":400.0},{"job":2,"client":"Barn","quote":300.0},{"job":3,"client":"Yard","quote":100.0}]`)
	h.dataset(at("materials"), `[{"mat_id":1,"job":1,"qty":2,"unit_price":30.0},{"mat_id":2,"job":1,"qty":1,"unit_price":20.0},{"mat_id":3,"job":2,"qty":5,"unit_price":20.0},
		{"mat_id":4,"job":2,"qty":1,"unit_price":60.0},{"mat_id":5,"job":3,"qty":1,"unit_price":5.0}]`)
	h.Link(h.ada, "ada.trade.materials.job", "ada.trade.jobs.job")
	h.answers(map[string]string{
		"If Una Bell's rate went up by ten per cent, what would she be on?":      "22",
		"If Vic Stone's rate was cut by 20%, what would it be?":                  "28",
		"What is 10% of the total quote?":                                        "80",
		"On which jobs did the materials cost more than a quarter of the quote?": "2",
	})
}

// TestDeniedKinds: what was booked but not flown is booked, and what is denied is not that.
func TestDeniedKinds(t *testing.T) {
	t.Parallel()
	h := newHouse(t).airfield()
	h.dataset(at("goats"), `[{"tag":1,"name":"Ada","status":"kid"},{"tag":2,"name":"Bea","status":"in kid"},{"tag":3,"name":"Cleo","status":"in kid"},{"tag":4,"name":"Dot","status":"dry"},
		{"tag":5,"name":"Eve","status":"kid"},{"tag":6,"name":"Fay","status":"dry"}]`)
	h.answers(map[string]string{
		"Which flights are booked but not flown?": "105; 106",
		"How many goats are in kid?":              "2",
		"How many flights are not cancelled?":     "5",
	})
}

// TestSupposedColumns: an answer that rests on a column of yes and no which no word names says so.
func TestSupposedColumns(t *testing.T) {
	t.Parallel()
	h := newHouse(t).airfield()
	h.dataset(at("members"), `[{"mem_no":501,"name":"Ann Thwaite","ft":"y","kh":"n"},{"mem_no":502,"name":"Ben Coe","ft":"n","kh":"y"},
		{"mem_no":503,"name":"Cy Dale","ft":"n","kh":"n"},{"mem_no":504,"name":"Di Eve","ft":"y","kh":"y"}]`)
	got := h.read("Which members are keyholders?", nil)
	if got.Query == nil || sorted(h.rows(h.ada, got)) != "Ben Coe; Di Eve" {
		t.Fatalf("Translate() = %s %v, want those with kh", got.SQL, got.Clarification)
	}
	if notes := strings.Join(got.Notes, " "); !got.Doubt || !strings.Contains(notes, "No word of the question names the column kh") {
		t.Errorf("Translate() has the notes %q, want a doubt about the column kh", got.Notes)
	}
	if got := h.read("Which members can open the hangar?", nil); got.Query != nil {
		t.Errorf("Translate(hangar) = %s, want a question back: nothing answers to the hangar", got.SQL)
	}
}

// TestSoFar leaves out what is planned.
func TestSoFar(t *testing.T) {
	t.Parallel()
	newHouse(t).airfield().answers(map[string]string{
		"How many flights have there been so far?":         "4",
		"How many flights are there?":                      "6",
		"How many more flights were flown than cancelled?": "2",
	})
}

// TestNumbersOfRowsAreNoAmounts: what is asked per shift is not divided by the number of the shift.
func TestNumbersOfRowsAreNoAmounts(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("shifts"), `[{"shift":1,"day":"2023-05-01","visitors":20},{"shift":2,"day":"2023-05-02","visitors":40},{"shift":3,"day":"2023-05-03","visitors":60}]`)
	h.answers(map[string]string{"avg visitors/shift": "40"})
}

// TestUntilToday: how long what is not back has been out is until today.
func TestUntilToday(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("loans"), `[{"loan":1,"item":"saw","taken":"2023-09-21","returned":null},{"loan":2,"item":"drill","taken":"2023-09-01","returned":"2023-09-03"},
		{"loan":3,"item":"ladder","taken":"2023-09-26","returned":null}]`)
	h.answers(map[string]string{"loan lengths in days of what is not returned": "1 10; 3 5"})
}

// TestWhatCountsAsWell: a number of rows says that those are among them which came to nothing.
func TestWhatCountsAsWell(t *testing.T) {
	t.Parallel()
	h := newHouse(t).airfield()
	for text, noted := range map[string]bool{
		"How many flights were there in August 2023?": true,
		"How many flights were cancelled?":            false,
		"How many flights are there per state?":       false,
		"How many pilots do we have?":                 false,
	} {
		got := h.read(text, nil)
		if told := strings.Contains(strings.Join(got.Notes, " "), `state is "cancelled" count as well`); told != noted {
			t.Errorf("Translate(%q) notes %q, want of what counts as well: %t", text, got.Notes, noted)
		}
	}
}
