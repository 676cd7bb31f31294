package embedded_test

import "testing"

func TestRowsAreCalledByTheirNames(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("Machines"), `[
		{"Machine_ID":1,"Machine":"Lathe","Bought":"2019-05-02","Under_warranty":false},
		{"Machine_ID":2,"Machine":"Mill","Bought":"2023-01-15","Under_warranty":true},
		{"Machine_ID":3,"Machine":"Saw","Bought":"2021-08-30","Under_warranty":false}]`)
	h.answers(map[string]string{
		"which machines are not under warranty?":                       "Lathe; Saw",
		"which machines were bought in 2023?":                          "Mill",
		"what are the machine ids of machines not under warranty?":     "1; 3",
		"list the machine id of the machines that were bought in 2021": "3",
	})
}

// clinic makes patients with names of two parts, and their appointments.
func (h *house) clinic() *house {
	h.t.Helper()
	h.dataset(at("patients"), `[
		{"patient_no":1,"first_name":"Ann","last_name":"Lee","town":"Ashby"},
		{"patient_no":2,"first_name":"Ann","last_name":"Moor","town":"Ashby"},
		{"patient_no":3,"first_name":"Ben","last_name":"Orr","town":"Kirk"},
		{"patient_no":4,"first_name":"Cara","last_name":"Pitt","town":null}]`)
	h.dataset(at("appointments"), `[
		{"appointment_no":11,"patient_no":1,"therapist":"Vogt","status":"attended"},
		{"appointment_no":12,"patient_no":1,"therapist":"Novak","status":"cancelled"},
		{"appointment_no":13,"patient_no":2,"therapist":"Vogt","status":"attended"},
		{"appointment_no":14,"patient_no":3,"therapist":"Novak","status":"attended"}]`)
	h.Link(h.ada, "ada.trade.appointments.patient_no", "ada.trade.patients.patient_no")
	return h
}

// People have both of their names, two of one name are two, and groups keep those who
// have no rows where somebody asks for them.
func TestPeopleAndGroupsWithoutRows(t *testing.T) {
	t.Parallel()
	h := newHouse(t).clinic()
	h.answers(map[string]string{
		"Which patients live in Ashby?":                                                   "Ann Lee; Ann Moor",
		"what are the first names of the patients in Kirk?":                               "Ben",
		"Which patients have never had an appointment?":                                   "Cara Pitt",
		"Which patients have had appointments with both Vogt and Novak?":                  "Ann Lee",
		"How many appointments has each patient? Include those with none":                 "Ann Lee 2; Ann Moor 1; Ben Orr 1; Cara Pitt 0",
		"number of appointments for every patient, even if 0":                             "Ann Lee 2; Ann Moor 1; Ben Orr 1; Cara Pitt 0",
		"Number of cancelled appointments per therapist, zero ones too":                   "Novak 1; Vogt 0",
		"How many appointments did each therapist have? leave out cancelled appointments": "Novak 1; Vogt 2",
	})
}

// Names that are keywords of queries are names, and common words are understood though
// they are misspelt; what costs something has a price.
func TestKeywordsMisspellingsAndCosts(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("order"), `[
		{"select":"a","group":"x","limit":3,"price":10,"cost":4},{"select":"b","group":"x","limit":5,"price":30,"cost":9},
		{"select":"c","group":"y","limit":9,"price":100,"cost":1}]`)
	h.answers(map[string]string{
		"what is the avrage limit?":                                   "5.666666666666667",
		"total limit by group":                                        "x 8; y 9",
		"what does the order with the select b cost?":                 "30",
		"which select has a price more than twice the average price?": "c",
	})
}
