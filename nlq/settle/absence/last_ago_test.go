package absence_test

import (
	"slices"
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// salon has clients and their bookings, of which some were kept.
func salon(t *testing.T) *nlqtest.House {
	h := nlqtest.NewHouse(t)
	h.Put("clients", `[{"client_id":"C01","client":"Abigail Stone","town":"Norbury","client_since":"2019-05-03"},{"client_id":"C02","client":"Bella Romano","town":"Marrow","client_since":"2021-10-30"},
		{"client_id":"C03","client":"Callum Wray","town":"Norbury","client_since":"2023-09-01"},{"client_id":"C04","client":"Dana Osei","town":"Marrow","client_since":"2020-02-01"}]`)
	h.Put("bookings", `[{"bk":301,"client_id":"C01","stylist":"Priya","day":"2022-09-13","status":"came","booked_on":"2022-08-24"},
		{"bk":302,"client_id":"C01","stylist":"Marta","day":"2023-09-20","status":"no show","booked_on":"2023-09-01"},
		{"bk":303,"client_id":"C02","stylist":"Priya","day":"2023-09-18","status":"came","booked_on":"2023-08-30"},
		{"bk":304,"client_id":"C02","stylist":"Marta","day":"2022-10-18","status":"came","booked_on":"2022-08-30"},
		{"bk":305,"client_id":"C03","stylist":"Jonah","day":"2023-10-07","status":"booked","booked_on":"2023-09-25"},
		{"bk":306,"client_id":"C04","stylist":"Jonah","day":"2023-02-07","status":"came","booked_on":"2023-01-25"}]`)
	h.Link(h.Ada, "ada.trade.bookings.client_id", "ada.trade.clients.client_id")
	return h
}

// TestLastLongAgo: when somebody was last there is told by what happened with them, not by since when
// they are known, and not by what did not take place.
func TestLastLongAgo(t *testing.T) {
	t.Parallel()
	h := salon(t)
	h.Answers(map[string]string{
		"Clients who were last here more than six months ago":   "Abigail Stone; Dana Osei",
		"who was last in over 3 months ago":                     "Abigail Stone; Dana Osei",
		"Clients whose last visit was more than six months ago": "Abigail Stone; Dana Osei",
	})
	got := h.Read("Clients who were last here more than six months ago", nil)
	if want := "I took those whose status is came."; !slices.Contains(got.Notes, want) {
		t.Errorf("Translate(last here) notes %q, want %q among them", got.Notes, want)
	}
}

// TestLastLongAgoAndMore: what is asked besides is not lost, and what is shown stays so.
func TestLastLongAgoAndMore(t *testing.T) {
	t.Parallel()
	h := salon(t)
	for _, text := range []string{"How many clients were last here more than six months ago?", "Clients since 2020 who were last here more than six months ago"} {
		got := h.Read(text, nil)
		if got.Query != nil && len(got.Notes) == 0 && strings.Contains(got.SQL, "HAVING") && !strings.Contains(got.SQL, "2020") {
			t.Errorf("Translate(%q) = %s, which forgets what else was asked", text, got.SQL)
		}
	}
}

// TestLastOfItsOwn: what the rows themselves say was last is asked of them.
func TestLastOfItsOwn(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("boilers", `[{"boiler":"Attic","last_service":"2021-05-01","fitted":"2012-01-01"},{"boiler":"Cellar","last_service":"2023-06-01","fitted":"2014-01-01"}]`)
	h.Put("calls", `[{"call":1,"boiler":"Attic","day":"2023-09-01"},{"call":2,"boiler":"Cellar","day":"2022-01-01"}]`)
	h.Link(h.Ada, "ada.trade.calls.boiler", "ada.trade.boilers.boiler")
	h.Answers(map[string]string{"Which boilers had their last service more than a year ago?": "Attic"})
}

// TestSaidDone: rows that a text says are done are those, also in a denial.
func TestSaidDone(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("patients", `[{"pat_no":1,"name":"Ann Lee"},{"pat_no":2,"name":"Bert Roy"},{"pat_no":3,"name":"Cleo Fay"}]`)
	h.Put("appointments", `[{"appt":1,"pat_no":1,"day":"2023-02-01","status":"done"},{"appt":2,"pat_no":2,"day":"2023-03-01","status":"cancelled"},
		{"appt":3,"pat_no":3,"day":"2022-03-01","status":"done"},{"appt":4,"pat_no":1,"day":"2023-04-01","status":"no-show"},{"appt":5,"pat_no":3,"day":"2022-05-01","status":"done"},
		{"appt":6,"pat_no":3,"day":"2022-07-01","status":"no-show"},{"appt":7,"pat_no":2,"day":"2022-07-01","status":"cancelled"},{"appt":8,"pat_no":1,"day":"2022-08-01","status":"done"}]`)
	h.Link(h.Ada, "ada.trade.appointments.pat_no", "ada.trade.patients.pat_no")
	h.Answers(map[string]string{
		"Which patients have no appointment done in 2023?": "Bert Roy; Cleo Fay",
		"How many appointments done in 2023?":              "1",
		"How many appointments were there in 2023?":        "3",
		"Which patients have no appointment in 2023?":      "Cleo Fay",
	})
}
