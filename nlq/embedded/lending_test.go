package embedded_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// lending makes a house with a tool library whose files many hands have written: yes and no in several
// spellings, keys that say who, and a link that says who gave a thing.
func lending(t testing.TB) *nlqtest.House {
	t.Helper()
	h := nlqtest.NewHouse(t)
	h.Put("members", `[{"memb_no":"M01","name":"Ada Lowe","subs_paid":"Y","helper":"S02"},{"memb_no":"M02","name":"Ben Finch","subs_paid":"no","helper":"S01"},
		{"memb_no":"M03","name":"Cleo Marsh","subs_paid":"yes","helper":"S02"},{"memb_no":"M04","name":"Dai Rees","subs_paid":"N","helper":"S03"},
		{"memb_no":"M05","name":"Elin Frost","subs_paid":"Yes","helper":"S01"},{"memb_no":"M06","name":"Finn Kerr","subs_paid":"n","helper":"S03"}]`)
	h.Put("staff", `[{"staff_id":"S01","name":"Una Bell"},{"staff_id":"S02","name":"Vic Stone"},{"staff_id":"S03","name":"Wes Moor"}]`)
	h.Put("tools", `[{"tool_id":1,"tool":"Saw","categ":"garden","make":"Stihl","kg":4.5,"donated_by":"Ada Lowe"},{"tool_id":2,"tool":"Drill","categ":"power","make":null,"kg":2.0,"donated_by":"Ben Finch"},
		{"tool_id":3,"tool":"Rake","categ":"garden","make":null,"kg":1.5,"donated_by":"Cleo Marsh"},{"tool_id":4,"tool":"Hoe","categ":"garden","make":null,"kg":1.0,"donated_by":"Dai Rees"},
		{"tool_id":5,"tool":"Sander","categ":"power","make":"Bosch","kg":3.0,"donated_by":"Elin Frost"},{"tool_id":6,"tool":"Mower","categ":"garden","make":"Stihl","kg":20.0,"donated_by":"Finn Kerr"}]`)
	h.Put("loans", `[{"loan":101,"tool_id":1,"memb_no":"M02","out_on":"2022-03-01"},{"loan":102,"tool_id":1,"memb_no":"M04","out_on":"2022-04-02"},
		{"loan":103,"tool_id":3,"memb_no":"M02","out_on":"2022-05-03"},{"loan":104,"tool_id":2,"memb_no":"M06","out_on":"2022-06-04"},
		{"loan":105,"tool_id":6,"memb_no":"M01","out_on":"2022-07-05"},{"loan":106,"tool_id":4,"memb_no":"M03","out_on":"2022-08-06"}]`)
	for _, ends := range [][2]string{
		{"loans.tool_id", "tools.tool_id"}, {"loans.memb_no", "members.memb_no"}, {"members.helper", "staff.staff_id"}, {"tools.donated_by", "members.name"},
	} {
		h.Link(h.Ada, "ada.trade."+ends[0], "ada.trade."+ends[1])
	}
	return h
}

// TestFilesOfManyHands asks of files as people keep them.
func TestFilesOfManyHands(t *testing.T) {
	t.Parallel()
	h := lending(t)
	h.Answers(map[string]string{
		"How many members have paid their subs?":                             "3",
		"Which members have not paid their subs?":                            "Ben Finch; Dai Rees; Finn Kerr",
		"Who borrowed the Saw?":                                              "Ben Finch; Dai Rees",
		"Who is the helper of Ada Lowe?":                                     "Vic Stone",
		"How many more loans are there of garden tools than of power tools?": "4",
		"Which makes do we have more than one tool of?":                      "Stihl",
		"How many kilos do the garden tools weigh altogether?":               "27",
	})
	for _, text := range []string{"When will the sander break?", "Which tool is going to break next?", "Please book Ada Lowe in for Friday."} {
		if got := h.Read(text, nil); got.Clarification == nil {
			t.Errorf("Translate(%q) = %s, want a question back", text, got.SQL)
		}
	}
}
