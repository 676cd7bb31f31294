package english_test

import (
	"strings"
	"testing"

	"quern/english"
)

func TestListsReadAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for items, want := range map[string]string{"": "", "a": "a", "a|b": "a or b", "a|b|c": "a, b or c"} {
		var all []string
		if items != "" {
			all = strings.Split(items, "|")
		}
		if got := english.List(all, "or"); got != want {
			t.Errorf("List(%q) = %q, want %q", items, got, want)
		}
	}
}

func TestSentencesBeginAndEnd(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"": "", "ölig": "Ölig", "Already": "Already", "7 rows": "7 rows", "\xff": "\xff"} {
		if got := english.Capitalize(text); got != want {
			t.Errorf("Capitalize(%q) = %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"": "", "It is ": "It is.", "Is it?": "Is it?", "It is.": "It is."} {
		if got := english.EndSentence(text); got != want {
			t.Errorf("EndSentence(%q) = %q, want %q", text, got, want)
		}
	}
}
