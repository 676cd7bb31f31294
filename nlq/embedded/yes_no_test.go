package embedded_test

import (
	"slices"
	"strings"
	"testing"

	"quern/link"
)

// club makes members, and gifts of theirs, with columns of yes and no in three
// spellings.
func (h *house) club() *house {
	h.t.Helper()
	h.dataset(at("members"), `[
		{"member_no":1,"name":"Ann","town":"Lyon","level":"junior","active":true,"fee_paid":"yes"},
		{"member_no":2,"name":"Bob","town":"Paris","level":"senior","active":false,"fee_paid":"no"},
		{"member_no":3,"name":"Cy","town":"Lyon","level":"senior","active":true,"fee_paid":"no"},
		{"member_no":4,"name":"Dot","town":"Nice","level":"junior","active":true,"fee_paid":"yes"},
		{"member_no":5,"name":"Eve","town":"Paris","level":"junior","active":false,"fee_paid":"yes"}]`)
	h.dataset(at("gifts"), `[
		{"gift_no":11,"member_no":1,"kind":"town","amount":20.5,"receipt":"Y"},
		{"gift_no":12,"member_no":3,"kind":"club","amount":7,"receipt":"N"},
		{"gift_no":13,"member_no":3,"kind":"town","amount":12,"receipt":"N"},
		{"gift_no":14,"member_no":5,"kind":"club","amount":4,"receipt":"Y"}]`)
	_, _, err := h.Links.Add(h.t.Context(), h.ada, link.Pair{Origin: "ri.ada.trade.gifts.member_no", Destination: "ri.ada.trade.members.member_no"})
	must(h.t, err)
	return h
}

func TestYesAndNo(t *testing.T) {
	t.Parallel()
	h := newHouse(t).club()
	h.answers(map[string]string{
		"which members are active?":            "Ann; Cy; Dot",
		"Which members are not active?":        "Bob; Eve",
		"how many members aren't active":       "2",
		"how many members are active?":         "3",
		"how many members are not active?":     "2",
		"which members have the fee paid?":     "Ann; Dot; Eve",
		"how many gifts have a receipt?":       "2",
		"how many gifts have no receipt?":      "2",
		"how many gifts are without a receipt": "2",
		"which membrs are active?":             "Ann; Cy; Dot",
		"how many active members are in Lyon?": "2",
		"how many members are there?":          "5",
	})
}

func TestYesAndNoThatIsAskedFor(t *testing.T) {
	t.Parallel()
	h := newHouse(t).club()
	for question, want := range map[string]string{
		"is Bob active?":                              "false",
		"how many members are there per active":       "2 false; 3 true",
		"number of members by fee paid":               "2 no; 3 yes",
		"for each member show name and active status": "Ann true; Bob false; Cy true; Dot true; Eve false",
	} {
		got := h.read(question, nil)
		if got.Query == nil {
			t.Errorf("Translate(%q) asks back, want %s", question, want)
			continue
		}
		rows := strings.Split(h.rows(h.ada, got), "; ")
		for i, r := range rows { // in whatever order the columns are
			cells := strings.Fields(r)
			slices.Sort(cells)
			rows[i] = strings.Join(cells, " ")
		}
		if all := sorted(strings.Join(rows, "; ")); all != want {
			t.Errorf("Translate(%q) = %s, which gives %s, want %s", question, got.SQL, all, want)
		}
	}
}
