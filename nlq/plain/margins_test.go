package plain_test

import "testing"

// TestMadeOnEach: what is made on one copy is its price less its cost.
func TestMadeOnEach(t *testing.T) {
	t.Parallel()
	bookshop(t).Answers(map[string]string{
		"how much do we make on each copy of Salt": "9",
		"how much profit do we make on Tides?":     "5",
	})
}
