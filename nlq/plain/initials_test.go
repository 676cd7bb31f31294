package plain_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestInitials: a name that begins with the first letter of a word and ends in the next is both.
func TestInitials(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("clients", `[{"cl_no":1,"name":"Elin Frost","ddebit":"yes"},{"cl_no":2,"name":"Finn Kerr","ddebit":"no"}]`)
	h.Answers(map[string]string{"Which clients don't pay by direct debit?": "Finn Kerr"})
}

// TestWordsOfNamesInShort: what was read as a name in short is told at the place where it was said.
func TestWordsOfNamesInShort(t *testing.T) {
	t.Parallel()
	h := nlqtest.Fair(t)
	got := h.Read("Which passes are on direct debit?", nil)
	told := false
	for _, w := range got.Words {
		told = told || w.Text == "direct debit" && w.Start == 20 && w.End == 32
	}
	if !told || len(got.Notes) != 1 || got.Notes[0] != `I read "direct debit" as "dd".` {
		t.Errorf("Translate(direct debit) tells %v with notes %q, want the words at 20 and one note", got.Words, got.Notes)
	}
}
