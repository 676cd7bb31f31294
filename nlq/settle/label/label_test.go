package label_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestMakesAndModels: a thing without a name is called by who made it and its model.
func TestMakesAndModels(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("cameras", `[{"serial":"X1","make":"Leica","model":"M6","price":2400},{"serial":"X2","make":"Nikon","model":"F3","price":400},{"serial":"X3","make":"Nikon","model":"FM2","price":300}]`)
	h.Answers(map[string]string{"Which cameras cost more than 350?": "Leica M6; Nikon F3"})
}

func TestRowsAreCalledByTheirNames(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("Machines", `[
		{"Machine_ID":1,"Machine":"Lathe","Bought":"2019-05-02","Under_warranty":false},
		{"Machine_ID":2,"Machine":"Mill","Bought":"2023-01-15","Under_warranty":true},
		{"Machine_ID":3,"Machine":"Saw","Bought":"2021-08-30","Under_warranty":false}]`)
	h.Answers(map[string]string{
		"which machines are not under warranty?":                       "Lathe; Saw",
		"which machines were bought in 2023?":                          "Mill",
		"what are the machine ids of machines not under warranty?":     "1; 3",
		"list the machine id of the machines that were bought in 2021": "3",
	})
}

// clinic makes a house with patients who have names of two parts, and their appointments.
func clinic(t testing.TB) *nlqtest.House {
	t.Helper()
	h := nlqtest.NewHouse(t)
	h.Put("patients", `[
		{"patient_no":1,"first_name":"Ann","last_name":"Lee","town":"Ashby"},
		{"patient_no":2,"first_name":"Ann","last_name":"Moor","town":"Ashby"},
		{"patient_no":3,"first_name":"Ben","last_name":"Orr","town":"Kirk"},
		{"patient_no":4,"first_name":"Cara","last_name":"Pitt","town":null}]`)
	h.Put("appointments", `[
		{"appointment_no":11,"patient_no":1,"therapist":"Vogt","status":"attended"},
		{"appointment_no":12,"patient_no":1,"therapist":"Novak","status":"cancelled"},
		{"appointment_no":13,"patient_no":2,"therapist":"Vogt","status":"attended"},
		{"appointment_no":14,"patient_no":3,"therapist":"Novak","status":"attended"}]`)
	h.Link(h.Ada, "ada.trade.appointments.patient_no", "ada.trade.patients.patient_no")
	return h
}

// People have both of their names, two of one name are two, and groups keep those who
// have no rows where somebody asks for them.
func TestPeopleAndGroupsWithoutRows(t *testing.T) {
	t.Parallel()
	h := clinic(t)
	h.Answers(map[string]string{
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

// TestWhatIsSharedIsNobodysNumber: a room in which somebody teaches is shown as the room, and
// a name is shown by the part that is asked for.
func TestWhatIsSharedIsNobodysNumber(t *testing.T) {
	t.Parallel()
	nlqtest.School(t).Answers(map[string]string{
		"Which classroom has the most pupils?":                       "108",
		"How many pupils are in each classroom?":                     "108 3; 110 1",
		"What are the forenames of the pupils in grade 4?":           "Ann; Ben",
		"What is the most common forename of the pupils?":            "Ann",
		"What are the full names of the pupils in grade 4?":          "Ann Lee; Ben Orr",
		"Which course titles are in both Statistics and Psychology?": "Logic",
	})
}

// TestNoIsNoNumber: no as a denial asks for no number, and a day is no name of what was bought.
func TestNoIsNoNumber(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("jobs", `[{"job_no":1,"job":"Replace tap","due":"2023-05-01","done_on":"2023-05-03"},{"job_no":2,"job":"Mend gate","due":"2023-08-01","done_on":null},
		{"job_no":3,"job":"Paint shed","due":"2023-12-01","done_on":null}]`)
	h.Put("bills", `[{"inv_date":"2023-01-03","supplier":"Severn","what_for":"water","amount":210},{"inv_date":"2023-02-05","supplier":"Hart","what_for":"rent","amount":650},
		{"inv_date":"2023-03-07","supplier":"Hart","what_for":"rent","amount":640},{"inv_date":"2023-04-09","supplier":"Groom","what_for":"blades","amount":80}]`)
	h.Answers(map[string]string{
		"jobs that are overdue":                                      "Mend gate",
		"what are the job nos of jobs that are overdue?":             "2",
		"which bills have an amount over 300?":                       "rent; rent",
		"what is the inv date of the bills with an amount over 600?": "2023-02-05; 2023-03-07",
	})
}
