package english_test

import (
	"testing"

	"quern/english"
)

// TestIsOneWord tells the forms of a word from words that have the same stem by accident.
func TestIsOneWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"times", "tim", false}, {"care", "cars", false}, {"plan", "planes", false}, {"lines", "line", true},
		{"tomatoes", "tomato", true}, {"waltzes", "waltz", true}, {"buses", "bus", true}, {"hired", "hire", true}, {"boxes", "box", true}, {"lamp", "lamps", true}, {"fule", "full", false}, {"free", "frees", true},
	} {
		if got := english.IsOneWord(c.a, c.b); got != c.same {
			t.Errorf("IsOneWord(%q, %q) = %v, want %v", c.a, c.b, got, c.same)
		}
	}
}

func TestVerbsAreNotWhatIsGoingOn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value, word string
		want        bool
	}{{"coming", "come", true}, {"coming", "coming", false}, {"Running", "run", true}, {"open", "opened", true}, {"open", "open", false}, {"closed", "closed", false}, {"done", "doing", false}, {"Wedding", "weddings", false}} {
		if got := english.IsDoing(c.value, c.word); got != c.want {
			t.Errorf("IsDoing(%q, %q) = %v, want %v", c.value, c.word, got, c.want)
		}
	}
}
