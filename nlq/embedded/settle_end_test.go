package embedded_test

import (
	"strings"
	"testing"
)

// TestEndsAreThoseThatAreNamed: a superlative takes the end that it names, and one
// "not" is no double negation.
func TestEndsAreThoseThatAreNamed(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("vessels"), `[{"name":"Aurora","built":1987,"pier":"North"},{"name":"Boreas","built":2015,"pier":"North"},
		{"name":"Calypso","built":2003,"pier":"South"}]`)
	h.dataset(at("visits"), `[{"vessel":"Aurora","paid":true},{"vessel":"Boreas","paid":false},{"vessel":"Calypso","paid":true},
		{"vessel":"Boreas","paid":true}]`)
	for text, want := range map[string]string{
		"What is the name of the oldest vessel?": "Aurora",
		"What is the name of the newest vessel?": "Boreas",
		"Which pier has the most vessels?":       "North",
		"Which pier has the fewest vessels?":     "South",
		"Which vessel has the most visits?":      "Boreas",
		"How many visits are not paid?":          "1",
	} {
		got := h.read(text, nil)
		if got.Query == nil {
			t.Errorf("Translate(%q) = %+v, want %s", text, got, want)
			continue
		}
		if rows := h.rows(h.ada, got); rows != want {
			t.Errorf("Translate(%q) = %s with %s, want %s", text, rows, got.SQL, want)
		}
	}
}

// TestAnEndIsNotOfTheAlphabet: who asks for what is big does not mean the kind that
// comes last in the alphabet; who asks for the alphabet does.
func TestAnEndIsNotOfTheAlphabet(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("vessels"), `[{"vessel":"Aurora","kind":"ferry","flag":"Norway"},{"vessel":"Boreas","kind":"tanker","flag":"Greece"},
		{"vessel":"Calypso","kind":"tug","flag":"Norway"}]`)
	for _, text := range []string{"Which vessels are big?", "Which vessel is the largest?", "Which vessels are heavy?"} {
		if got := h.read(text, nil); strings.Contains(got.SQL, "ORDER BY") && strings.Contains(got.SQL, "LIMIT") {
			t.Errorf("Translate(%q) = %s, want no end of the alphabet", text, got.SQL)
		}
	}
	h.answers(map[string]string{"Which vessel is the first one alphabetically?": "Aurora"})
}
