package absence_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestWhatCountsAsWell: a number of rows says that those are among them which came to nothing.
func TestWhatCountsAsWell(t *testing.T) {
	t.Parallel()
	h := nlqtest.Airfield(t)
	for text, noted := range map[string]bool{
		"How many flights were there in August 2023?": true,
		"How many flights were cancelled?":            false,
		"How many flights are there per state?":       false,
		"How many pilots do we have?":                 false,
	} {
		got := h.Read(text, nil)
		if told := strings.Contains(strings.Join(got.Notes, " "), `state is "cancelled" count as well`); told != noted {
			t.Errorf("Translate(%q) notes %q, want of what counts as well: %t", text, got.Notes, noted)
		}
	}
}
