package period_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestOldest: the oldest donor was born first; who was the first to join is another question.
func TestOldest(t *testing.T) {
	t.Parallel()
	nlqtest.BoxOffice(t).Answers(map[string]string{"Who is the oldest donor?": "Abe Cole", "Who is the youngest donor?": "Xenia Lowe", "Who joined first?": "Xenia Lowe"})
}

// TestEndsAreThoseThatAreNamed: a superlative takes the end that it names, and one
// "not" is no double negation.
func TestEndsAreThoseThatAreNamed(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("vessels", `[{"name":"Aurora","built":1987,"pier":"North"},{"name":"Boreas","built":2015,"pier":"North"},
		{"name":"Calypso","built":2003,"pier":"South"}]`)
	h.Put("visits", `[{"vessel":"Aurora","paid":true},{"vessel":"Boreas","paid":false},{"vessel":"Calypso","paid":true},
		{"vessel":"Boreas","paid":true}]`)
	for text, want := range map[string]string{
		"What is the name of the oldest vessel?": "Aurora",
		"What is the name of the newest vessel?": "Boreas",
		"Which pier has the most vessels?":       "North",
		"Which pier has the fewest vessels?":     "South",
		"Which vessel has the most visits?":      "Boreas",
		"How many visits are not paid?":          "1",
	} {
		got := h.Read(text, nil)
		if got.Query == nil {
			t.Errorf("Translate(%q) = %+v, want %s", text, got, want)
			continue
		}
		if rows := h.RowsOf(h.Ada, got); rows != want {
			t.Errorf("Translate(%q) = %s with %s, want %s", text, rows, got.SQL, want)
		}
	}
}
