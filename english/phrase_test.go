package english_test

import (
	"testing"

	"quern/english"
)

func TestRephrase(t *testing.T) {
	t.Parallel()
	known := func(word string) bool { return word == "cancelled" || word == "settled" }
	for text, want := range map[string]string{
		"how many were Called off in May?": "how many were cancelled in May?",
		"who has quit?":                    "who has quit?",      // nothing says left
		"which are settled?":               "which are settled?", // a word of the data
		"which are called offal?":          "which are called offal?",
	} {
		if got, replaced := english.Rephrase(text, known); got != want || len(replaced) > 0 != (text != want) {
			t.Errorf("Rephrase(%q) = %q, %q, want %q", text, got, replaced, want)
		}
	}
}
