package absurd_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestQualitiesThatNobodyMeasured: no number of rows says how humid it was.
func TestQualitiesThatNobodyMeasured(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("weather", `[{"day":"2024-05-01","town":"Lyon","rain":3.5},{"day":"2024-05-02","town":"Lyon","rain":0},{"day":"2024-05-02","town":"Nice","rain":1}]`)
	if got := h.Read("how humid was it in Lyon in 2024", nil); got.Query != nil && strings.Contains(got.SQL, "count(*)") {
		t.Errorf("Translate() = %s, want no count of rows", got.SQL)
	}
}

// TestAnEndIsNotOfTheAlphabet: who asks for what is big does not mean the kind that
// comes last in the alphabet; who asks for the alphabet does.
func TestAnEndIsNotOfTheAlphabet(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("vessels", `[{"vessel":"Aurora","kind":"ferry","flag":"Norway"},{"vessel":"Boreas","kind":"tanker","flag":"Greece"},
		{"vessel":"Calypso","kind":"tug","flag":"Norway"}]`)
	for _, text := range []string{"Which vessels are big?", "Which vessel is the largest?", "Which vessels are heavy?"} {
		if got := h.Read(text, nil); strings.Contains(got.SQL, "ORDER BY") && strings.Contains(got.SQL, "LIMIT") {
			t.Errorf("Translate(%q) = %s, want no end of the alphabet", text, got.SQL)
		}
	}
	h.Answers(map[string]string{"Which vessel is the first one alphabetically?": "Aurora"})
}
