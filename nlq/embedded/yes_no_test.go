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

// TestNamesThatDeny: a column whose name says what is not so is tested for what the text says.
func TestNamesThatDeny(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"no_show", "noshow"} {
		h := newHouse(t)
		h.dataset(at("visits"), strings.ReplaceAll(`[
			{"visit_no":1,"reason":"repair","seen_by":"Ott","NAME":"yes"},{"visit_no":2,"reason":"tuning","seen_by":"Ott","NAME":"no"},
			{"visit_no":3,"reason":"tuning","seen_by":"Carstens","NAME":"no"},{"visit_no":4,"reason":"tuning","seen_by":"Ott","NAME":"no"}]`, "NAME", name))
		h.answers(map[string]string{
			"How many no-shows were there?":       "1",
			"Which visits were no-shows?":         "1",
			"How many visits were not no-shows?":  "3",
			"Which reason has the most no-shows?": "repair",
			"What share of visits were no-shows?": "25",
			"How many no-shows did Ott have?":     "1",
			"How many visit no-shows were there?": "1",
		})
	}
	h := newHouse(t)
	h.dataset(at("rooms"), `[{"room":"Oak","no_smoking":true,"not_paid":false},{"room":"Elm","no_smoking":false,"not_paid":true},{"room":"Ash","no_smoking":true,"not_paid":true}]`)
	h.answers(map[string]string{
		"Which rooms are no smoking?":             "Ash; Oak",
		"Which rooms are non-smoking?":            "Ash; Oak",
		"How many rooms are unpaid?":              "2",
		"How many rooms are not paid?":            "2",
		"How many rooms are paid?":                "1",
		"How many rooms have no_smoking = false?": "1",
	})
}
