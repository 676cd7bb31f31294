package english_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"quern/english"
)

func TestEveryListSaysWhatItIsForAndNamesNoWordTwice(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob("*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("Glob(*.txt) = %v, %v, want the lists", names, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(text), "# ") {
			t.Errorf("%s begins with %q, want a line that says what it is for", name, strings.SplitN(string(text), "\n", 2)[0])
		}
		seen, section := map[string]bool{}, ""
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			word, _, ok := strings.Cut(line, ":")
			switch {
			case strings.HasPrefix(line, "#"):
			case strings.HasPrefix(line, "["):
				section = line
			case ok && seen[section+word]:
				t.Errorf("%s names %q twice", name, word)
			case ok:
				seen[section+word] = true
			}
			if !strings.HasPrefix(line, "#") && line != strings.ToLower(line) {
				t.Errorf("%s: %q is not in lower case", name, line)
			}
		}
	}
}

func TestSetsJoin(t *testing.T) {
	t.Parallel()
	both := english.Ascending.With(english.Descending, english.Ascending)
	if got, want := len(both.Words()), len(english.Ascending.Words())+len(english.Descending.Words()); got != want {
		t.Errorf("With has %d words, want each of %d once", got, want)
	}
	holds(t, "With", both, "smallest,largest", "first")
}

func TestFinderFindsWholeWordsInAnyCase(t *testing.T) {
	t.Parallel()
	find := english.Negations.Finder()
	for text, want := range map[string]string{
		"Orders NOT paid":         "NOT",
		"all but those excluded":  "excluded",
		"a note about notaries":   "",
		"Rows other than these":   "other than",
		"nothing is left nowhere": "",
	} {
		if got := find.FindString(text); got != want {
			t.Errorf("FindString(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestPatternTriesLongerWordsFirst(t *testing.T) {
	t.Parallel()
	if got := regexp.MustCompile(`^` + english.Interrogatives.Pattern()).FindString("what's new"); got != "what's" {
		t.Errorf("FindString(what's new) = %q, want what's", got)
	}
}

func TestGroupsAreReadByName(t *testing.T) {
	t.Parallel()
	re := regexp.MustCompile(`(?P<left>\w+) (?:and (?P<right>\w*)|or (?P<other>\w+))`)
	m, ok := english.Groups(re, "say this and that")
	if !ok || m.Text("left") != "this" || m.Text("right") != "that" || m.Text("other") != "" {
		t.Errorf("Groups = %q, %q, %q, %v, want this, that, nothing, true", m.Text("left"), m.Text("right"), m.Text("other"), ok)
	}
	if m.Has("other") || !m.Has("right") {
		t.Errorf("Has(other), Has(right) = %v, %v, want false, true", m.Has("other"), m.Has("right"))
	}
	if start, end := m.Span("right"); start != 13 || end != 17 {
		t.Errorf("Span(right) = %d, %d, want 13, 17", start, end)
	}
	if m.Text("") != "this and that" {
		t.Errorf("Text() = %q, want all that matched", m.Text(""))
	}
	if _, ok := english.Groups(re, "nothing here"); ok {
		t.Error("Groups(nothing here) matches, want no match")
	}
	defer func() {
		if recover() == nil {
			t.Error("Text(lft) returned, want a panic: there is no such group")
		}
	}()
	m.Text("lft")
}
