package absence_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// jetty makes a house with the boats of a club and who took them out, some of which are still out.
func jetty(t testing.TB) *nlqtest.House {
	t.Helper()
	h := nlqtest.NewHouse(t)
	h.Put("rowers", `[{"rower_id":"R1","name":"Ann Vale"},{"rower_id":"R2","name":"Bo Carr"},{"rower_id":"R3","name":"Cy Dunn"}]`)
	h.Put("boats", `[{"boat_id":"B1","boat":"Heron"},{"boat_id":"B2","boat":"Otter"},{"boat_id":"B3","boat":"Teal"}]`)
	h.Put("loans", `[
		{"loan":1,"boat_id":"B1","rower_id":"R1","taken_on":"2023-08-01","due_back":"2023-08-03","returned":"2023-08-02"},
		{"loan":2,"boat_id":"B1","rower_id":"R2","taken_on":"2023-09-20","due_back":"2023-09-30","returned":null},
		{"loan":3,"boat_id":"B2","rower_id":"R3","taken_on":"2023-09-01","due_back":"2023-09-04","returned":"2023-09-04"},
		{"loan":4,"boat_id":"B3","rower_id":"R1","taken_on":"2023-09-22","due_back":"2023-10-02","returned":null}]`)
	h.Link(h.Ada, "ada.trade.loans.boat_id", "ada.trade.boats.boat_id")
	h.Link(h.Ada, "ada.trade.loans.rower_id", "ada.trade.rowers.rower_id")
	return h
}

// TestWhatIsOut: who has got something has not brought it back.
func TestWhatIsOut(t *testing.T) {
	t.Parallel()
	h := jetty(t)
	h.Answers(map[string]string{
		"Who's got the Heron?":              "Bo Carr",
		"whos got the Teal":                 "Ann Vale",
		"Who has ever borrowed the Heron?":  "Ann Vale; Bo Carr",
		"Which rowers took the Otter out?":  "Cy Dunn",
		"Who borrowed the Heron in August?": "Ann Vale",
	})
	if got := h.Read("Who's got the Heron?", nil); !strings.Contains(strings.Join(got.Notes, "\n"), "What came back, with a returned, is left out.") {
		t.Errorf("notes %q do not say what was left out", got.Notes)
	}
}
