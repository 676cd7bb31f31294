package absence_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestWhoCame: those came who are marked as present.
func TestWhoCame(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("pupils", `[{"pupil_id":1,"name":"Ann"},{"pupil_id":2,"name":"Bo"},{"pupil_id":3,"name":"Cy"}]`)
	h.Put("attendances", `[{"date":"2023-09-04","pupil_id":1,"club":"chess","mark":"present"},{"date":"2023-09-04","pupil_id":2,"club":"chess","mark":"absent"},
		{"date":"2023-09-05","pupil_id":3,"club":"choir","mark":"present"},{"date":"2023-09-05","pupil_id":2,"club":"choir","mark":"ill"},{"date":"2023-09-06","pupil_id":1,"club":"choir","mark":"absent"},
		{"date":"2023-09-06","pupil_id":3,"club":"choir","mark":"present"}]`)
	h.Link(h.Ada, "ada.trade.attendances.pupil_id", "ada.trade.pupils.pupil_id")
	h.Answers(map[string]string{
		"Which pupils attended chess?":     "Ann",
		"which pupils never came to choir": "Ann; Bo",
		"Which pupils were ill?":           "Bo",
		"how many attendances are there":   "6",
	})
	got := h.Read("Which pupils came on 2023-09-04?", nil)
	if notes := strings.Join(got.Notes, " "); h.RowsOf(h.Ada, got) != "Ann" || !strings.Contains(notes, "mark present") {
		t.Errorf("Translate() = %s, noted %s, want those that were present, and a note", got.SQL, notes)
	}
}

// TestWhatCameItself: bookings come through somebody, whatever became of them.
func TestWhatCameItself(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("bookings", `[{"ref":"B1","agent":"web","guests":2,"status":"checked out"},{"ref":"B2","agent":"web","guests":3,"status":"cancelled"},{"ref":"B3","agent":"phone","guests":1,"status":"checked out"},
		{"ref":"B4","agent":"phone","guests":4,"status":"booked"},{"ref":"B5","agent":"phone","guests":2,"status":"checked out"},{"ref":"B6","agent":"phone","guests":5,"status":"cancelled"}]`)
	h.Answers(map[string]string{
		"how many bookings came with web as agent": "2",
		"how many guests stayed":                   "5",
		"total guests of bookings":                 "17",
	})
}

// TestWhoKeptIt: where some missed what was agreed, those came with whom it was done.
func TestWhoKeptIt(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("lessons", `[{"lesson":"L1","learner":"Ann","status":"done"},{"lesson":"L2","learner":"Bo","status":"missed"},{"lesson":"L3","learner":"Cy","status":"done"},
		{"lesson":"L4","learner":"Ann","status":"missed"},{"lesson":"L5","learner":"Bo","status":"missed"},{"lesson":"L6","learner":"Di","status":"done"}]`)
	h.Put("repairs", `[{"repair":"R1","owner":"Ann","state":"done"},{"repair":"R2","owner":"Bo","state":"open"},{"repair":"R3","owner":"Ann","state":"done"},{"repair":"R4","owner":"Bo","state":"open"}]`)
	h.Answers(map[string]string{
		"how many times did Ann come to a lesson": "1",
		"how many lessons are there":              "6",
	})
	if got := h.Read("Which repairs came from Bo?", nil); strings.Contains(got.SQL, "done") {
		t.Errorf("Translate() = %s, want no state", got.SQL)
	}
}

// TestMarkedAsThere: who turned up is marked so by a column of yes and no, on both sides of a comparison.
func TestMarkedAsThere(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("shifts", `[{"dt":"2023-03-01","vol":"Sheila","came":"y"},{"dt":"2023-03-08","vol":"Sheila","came":"n"},{"dt":"2023-03-15","vol":"Sheila","came":"n"},
		{"dt":"2023-03-01","vol":"Tom","came":"y"},{"dt":"2023-03-08","vol":"Tom","came":"y"},{"dt":"2023-03-15","vol":"Uma","came":"n"}]`)
	h.Answers(map[string]string{
		"Who has turned up for more shifts than Sheila?": "Tom",
		"how many shifts has Sheila turned up for?":      "1",
	})
}
