package embedded_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// sports makes a house with what somebody did, of some kinds.
func sports(t testing.TB) *nlqtest.House {
	t.Helper()
	h := nlqtest.NewHouse(t)
	h.Put("sessions", `[{"date":"2023-05-01","sport":"bike","km":30,"rest_bpm":51,"sleep_h":7,"effort":3},{"date":"2023-05-03","sport":"bike","km":12,"rest_bpm":53,"sleep_h":8,"effort":2},
		{"date":"2023-05-04","sport":"swim","km":1.5,"rest_bpm":50,"sleep_h":6,"effort":4},{"date":"2023-05-06","sport":"row","km":8,"rest_bpm":52,"sleep_h":7,"effort":3},
		{"date":"2023-05-08","sport":"swim","km":2,"rest_bpm":49,"sleep_h":8,"effort":1},{"date":"2023-05-09","sport":"row","km":6,"rest_bpm":52,"sleep_h":6,"effort":5}]`)
	return h
}

// TestKindsThatAVerbMeans: a verb that means what the rows call a kind holds them to it, in a note.
func TestKindsThatAVerbMeans(t *testing.T) {
	t.Parallel()
	h := sports(t)
	got := h.Read("How far have I cycled in May 2023?", nil)
	if got.Query == nil {
		t.Fatalf("Translate() asks %s, want the bike rides", got.Clarification.Question)
	}
	if rows, notes := h.RowsOf(h.Ada, got), strings.Join(got.Notes, " "); rows != "42" || !strings.Contains(notes, "the value bike") {
		t.Errorf("Translate() = %s, which gives %s, noted %s, want 42 and a note", got.SQL, rows, notes)
	}
	h.Answers(map[string]string{
		"total km of all sessions": "59.5",
		"how many km did I swim":   "3.5",
		"average resting bpm":      "51.166666666666664",
		"average hours of sleep":   "7",
		"highest effort":           "5",
	})
}

// TestDimensionsThatNobodyMeasured: how high somebody climbed is not how far.
func TestDimensionsThatNobodyMeasured(t *testing.T) {
	t.Parallel()
	h := sports(t)
	got := h.Read("metres of elevation of my sessions", nil)
	h.Put("rooms", `[{"room":"Hall","gadget":"yes"},{"room":"Loft","gadget":"no"},{"room":"Den","gadget":"yes"}]`)
	h.Answers(map[string]string{"which rooms have a humidity gadget": "Den; Hall"})
	if got.Clarification == nil || !strings.Contains(got.Clarification.Question, "elevation") {
		t.Errorf("Translate() = %s, want elevation named as what the data do not have", got.SQL)
	}
}
