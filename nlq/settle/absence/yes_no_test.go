package absence_test

import (
	"slices"
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

func TestYesAndNo(t *testing.T) {
	t.Parallel()
	h := nlqtest.Club(t)
	h.Answers(map[string]string{
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
	h := nlqtest.Club(t)
	for question, want := range map[string]string{
		"is Bob active?":                              "false",
		"how many members are there per active":       "2 false; 3 true",
		"number of members by fee paid":               "2 no; 3 yes",
		"for each member show name and active status": "Ann true; Bob false; Cy true; Dot true; Eve false",
	} {
		got := h.Read(question, nil)
		if got.Query == nil {
			t.Errorf("Translate(%q) asks back, want %s", question, want)
			continue
		}
		rows := strings.Split(h.RowsOf(h.Ada, got), "; ")
		for i, r := range rows { // in whatever order the columns are
			cells := strings.Fields(r)
			slices.Sort(cells)
			rows[i] = strings.Join(cells, " ")
		}
		if all := nlqtest.Sorted(strings.Join(rows, "; ")); all != want {
			t.Errorf("Translate(%q) = %s, which gives %s, want %s", question, got.SQL, all, want)
		}
	}
}
