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

// TestBoundsAndEndsOfGroups: what stands behind a number says which side of it is meant,
// a superlative takes its end of each group, and a condition that is said twice is one.
func TestBoundsAndEndsOfGroups(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.dataset(at("dogs"), `[{"dog":"Bess","breed":"collie","born":"2015-03-01","weight_kg":19},{"dog":"Rex","breed":"collie","born":"2021-06-01","weight_kg":22},
		{"dog":"Tiny","breed":"terrier","born":"2018-01-09","weight_kg":7},{"dog":"Zoe","breed":"terrier","born":"2012-02-02","weight_kg":8}]`)
	h.dataset(at("hives"), `[{"hive":"H1","queen_year":2021},{"hive":"H2","queen_year":2022},{"hive":"H3","queen_year":2023}]`)
	h.answers(map[string]string{
		"how many hives have a queen year of 2022 or earlier?": "2",
		"how many hives have a queen year of 2022 or later?":   "2",
		"how many dogs weigh 19 kg or more?":                   "2",
		"how many dogs weigh 19 kg or less?":                   "3",
	})
	for text, want := range map[string]string{"the oldest dog in each breed": "Bess"} {
		got := h.read(text, nil)
		if got.Query == nil || !strings.Contains(h.rows(h.ada, got), want) {
			t.Errorf("Translate(%q) = %s, want %s among them", text, got.SQL, want)
		}
	}
}
