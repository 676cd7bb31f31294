package embedded_test

import (
	"strings"
	"testing"
)

// fair makes the files of a fair with names in short: weights in grams, codes that say who,
// days by their dates, and times at which passes end.
func (h *house) fair() *house {
	h.dataset(at("staff"), `[{"s_id":"S01","nm":"Una Bell","hr_rate":14.5},{"s_id":"S02","nm":"Vic Stone","hr_rate":17.0},{"s_id":"S03","nm":"Wes Moor","hr_rate":12.0}]`)
	h.dataset(at("days"), `[{"dt":"2022-05-01","weather":"rain","in_charge":"S02"},{"dt":"2022-05-02","weather":"sun","in_charge":"S01"},
		{"dt":"2022-05-03","weather":"rain","in_charge":"S03"},{"dt":"2022-05-04","weather":"sun","in_charge":"S01"}]`)
	h.dataset(at("shop"), `[{"no":1,"dt":"2022-05-01","prod":"mug","qty":2,"unit_cost":4.0},{"no":2,"dt":"2022-05-02","prod":"kite","qty":9,"unit_cost":1.0},
		{"no":3,"dt":"2022-05-02","prod":"mug","qty":1,"unit_cost":4.0},{"no":4,"dt":"2022-05-04","prod":"flag","qty":1,"unit_cost":5.0}]`)
	h.dataset(at("ponies"), `[{"p_id":1,"name":"Bramble","wt_g":210000,"lvl":3,"fee":20.0,"min_age":4},{"p_id":2,"name":"Clover","wt_g":180000,"lvl":3,"fee":30.0,"min_age":9},
		{"p_id":3,"name":"Daisy","wt_g":160000,"lvl":2,"fee":15.0,"min_age":6}]`)
	h.dataset(at("passes"), `[{"card":1,"holder":"Ada Lowe","exp":"2021-12-31","dd":"yes","paid":"yes"},{"card":2,"holder":"Ben Finch","exp":"2031-05-01","dd":"no","paid":"no"},
		{"card":3,"holder":"Cleo Marsh","exp":"2022-01-31","dd":"yes","paid":"no"},{"card":4,"holder":"Dai Rees","exp":"2031-06-01","dd":"no","paid":"yes"}]`)
	h.dataset(at("deliveries"), `[{"del_no":"D1","amt":250.0,"reason":"new","tgt":"hall"},{"del_no":"D2","amt":90.0,"reason":"broken","tgt":"tent"},{"del_no":"D3","amt":310.0,"reason":"broken","tgt":"hall"}]`)
	h.dataset(at("pay"), `[{"pay_id":1,"crew":"Ruthie","wage":50.0,"expenses":5.0},{"pay_id":2,"crew":"Ruthie","wage":40.0,"expenses":null},{"pay_id":3,"crew":"Wes","wage":10.0,"expenses":1.0}]`)
	h.Link(h.ada, "ada.trade.days.in_charge", "ada.trade.staff.s_id")
	return h
}

// TestNamesInShort asks of files whose names are short in the words that these are short for.
func TestNamesInShort(t *testing.T) {
	t.Parallel()
	h := newHouse(t).fair()
	h.answers(map[string]string{
		"Who earns the most per hour?":                               "Vic Stone",
		"How many deliveries are there for each target?":             "hall 2; tent 1",
		"Which passes are on direct debit?":                          "Ada Lowe; Cleo Marsh",
		"Which ponies weigh over two hundred kilos?":                 "Bramble",
		"Which level 3 ponies have a fee under £25?":                 "Bramble",
		"Which deliveries were over £200?":                           "D1; D3",
		"What did we sell in the shop on rainy days?":                "mug",
		"How many passes have expired by now?":                       "2",
		"Which ponies are all right for six-year-olds?":              "Bramble; Daisy",
		"What do wages plus expenses come to altogether for Ruthie?": "95",
		"On which product have we spent the most?":                   "mug",
		"Which products have we sold fewer than four of?":            "flag; mug",
	})
}

// TestReasonsOfOtherThings: why something happened is no count of how often it did, also where
// the data have reasons of something else.
func TestReasonsOfOtherThings(t *testing.T) {
	t.Parallel()
	h := newHouse(t).fair()
	got := h.read("Why do so many people buy kites?", nil)
	if got.Clarification == nil || !strings.Contains(got.Clarification.Question, "not why") {
		t.Errorf("Translate(a reason) = %s %v, want that the data do not say why", got.SQL, got.Clarification)
	}
}

// TestInitials: a name that begins with the first letter of a word and ends in the next is both.
func TestInitials(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("clients"), `[{"cl_no":1,"name":"Elin Frost","ddebit":"yes"},{"cl_no":2,"name":"Finn Kerr","ddebit":"no"}]`)
	h.answers(map[string]string{"Which clients don't pay by direct debit?": "Finn Kerr"})
}

// TestWordsOfNamesInShort: what was read as a name in short is told at the place where it was said.
func TestWordsOfNamesInShort(t *testing.T) {
	t.Parallel()
	h := newHouse(t).fair()
	got := h.read("Which passes are on direct debit?", nil)
	told := false
	for _, w := range got.Words {
		told = told || w.Text == "direct debit" && w.Start == 20 && w.End == 32
	}
	if !told || len(got.Notes) != 1 || got.Notes[0] != `I read "direct debit" as "dd".` {
		t.Errorf("Translate(direct debit) tells %v with notes %q, want the words at 20 and one note", got.Words, got.Notes)
	}
}
