package embedded_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestValuesThatNameOtherColumns asks with a value of one dataset that is the
// name of a column in another.
func TestValuesThatNameOtherColumns(t *testing.T) {
	t.Parallel()
	h := nlqtest.Club(t)
	h.Answers(map[string]string{
		"how many town gifts are there?":                     "2",
		"how many gifts of the kind town are there?":         "2",
		"how many town gifts have an amount over 15?":        "1",
		"how many town gifts with a receipt are there?":      "1",
		"total amount of club gifts":                         "11",
		"names of junior members in the town Paris":          "Eve",
		"how many gifts of kind club have an amount over 5?": "1",
	})
}

// TestValuesThatCannotBeMeant asks with a value of a dataset that has nothing to
// do with the one that is asked about: an answer would leave it out.
func TestValuesThatCannotBeMeant(t *testing.T) {
	t.Parallel()
	h := nlqtest.Club(t)
	h.Put("rooms", `[
		{"room":"Oak","floor":1,"state":"booked"},{"room":"Elm","floor":1,"state":"vacant"},
		{"room":"Ash","floor":2,"state":"booked"},{"room":"Fir","floor":2,"state":"vacant"}]`)
	for _, question := range []string{"how many members are booked?", "how many vacant members are there?", "total amount of booked gifts", "names of vacant members"} {
		if got := h.Read(question, nil); got.Clarification == nil {
			t.Errorf("Translate(%q) = %s, want a question back", question, got.SQL)
		}
	}
}
