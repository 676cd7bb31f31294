package embedded_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// fellows makes a house with people of some ranks, in groups, and what they ordered.
func fellows(t testing.TB) *nlqtest.House {
	t.Helper()
	h := nlqtest.NewHouse(t)
	h.Put("members", `[{"member_no":1,"name":"Ann","rank":"senior","team":"Owls","vegan":"y"},{"member_no":2,"name":"Bo","rank":"senior","team":"Foxes","vegan":"n"},
		{"member_no":3,"name":"Cy","rank":"full","team":"Owls","vegan":"n"},{"member_no":4,"name":"Di","rank":"honorary","team":"Foxes","vegan":"y"},
		{"member_no":5,"name":"Ed","rank":"full","team":"Owls","vegan":"n"},{"member_no":6,"name":"Flo","rank":"honorary","team":"Foxes","vegan":"n"}]`)
	h.Put("orders", `[{"order_no":11,"member_no":1,"pay":"card","total":20},{"order_no":12,"member_no":1,"pay":"transfer","total":30},{"order_no":13,"member_no":2,"pay":"card","total":50},
		{"order_no":14,"member_no":3,"pay":"transfer","total":8}]`)
	h.Link(h.Ada, "ada.trade.orders.member_no", "ada.trade.members.member_no")
	return h
}

// TestWordsThatNothingAnswersTo: an opposite, praise, and what lies far from all else are named, and
// are no values or columns.
func TestWordsThatNothingAnswersTo(t *testing.T) {
	t.Parallel()
	h := fellows(t)
	for text, word := range map[string]string{
		"junior members":                    "junior",
		"how many junior members are there": "junior",
		"our nicest members":                "nicest",
		"my best member":                    "best",
		"orders paid with bitcoin":          "bitcoin",
		"Which school does Ann go to?":      "school",
	} {
		got := h.Read(text, nil)
		if got.Clarification == nil || !strings.Contains(got.Clarification.Question, word) {
			t.Errorf("Translate(%q) = %s, want a question back that names %s", text, got.SQL, word)
		}
	}
	h.Answers(map[string]string{
		"how many senior members are there": "2",
		"al members of the Owls":            "Ann; Cy; Ed",
		"Which team is Ann in?":             "Owls",
		"how many vegan members are there":  "2",
	})
	if got := h.Read("Who is our best member by total of orders?", nil); got.Query == nil {
		t.Errorf("Translate() asks %s, want an answer where the text says by what", got.Clarification.Question)
	}
}
