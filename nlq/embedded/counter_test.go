package embedded_test

import (
	"testing"

	"quern/nlq/nlqtest"
)

// TestPluralsOfOtherWords: lines are no Lin.
func TestPluralsOfOtherWords(t *testing.T) {
	t.Parallel()
	nlqtest.Counter(t).Answers(map[string]string{
		"How many lines are there for paint in sales?": "2",
		"How many sales did Lin make?":                 "4",
	})
}
