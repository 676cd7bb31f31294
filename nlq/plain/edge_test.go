package plain_test

import (
	"testing"

	"quern/nlq/plain"
)

// TestEdgesInFewWords says in few words from when or until when something is, and leaves ranges
// and what only sounds like it alone.
func TestEdgesInFewWords(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"visits by the end of March 2025":                    "visits until March 2025",
		"licences that run out before the end of 2027":       "licences that run out until 2027",
		"Paid by the end of last year and still open?":       "Paid until last year and still open?",
		"bills up to and including March":                    "bills until March",
		"orders from the start of 2025 onwards?":             "orders since 2025?",
		"orders since the beginning of June of 2025":         "orders since June of 2025",
		"joined before the start of this year":               "joined before this year",
		"from the start of 2025 to the end of March 2025":    "from the start of 2025 to the end of March 2025",
		"between the beginning of June and the end of July":  "between the beginning of June and the end of July",
		"between January and the end of March this year":     "between January and March this year",
		"who stood by the end of the quay":                   "who stood by the end of the quay",
		"what is due at the end of March 2025":               "what is due at the end of March 2025",
		"jobs that came in after the end of the second week": "jobs that came in after the end of the second week",
	} {
		if got := plain.Edges(said); got != want {
			t.Errorf("PlainEdges(%q) = %q, want %q", said, got, want)
		}
	}
}
