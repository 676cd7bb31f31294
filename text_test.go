package quern_test

import (
	"strings"
	"testing"

	"quern"
)

func TestClip(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc…"}, {"äöüß", 3, "äöü…"},
		{"a\xffb", 5, "a\uFFFDb"}, {strings.Repeat("x", 1<<20), 1, "x…"}, {"abc", 0, "…"},
	} {
		if got := quern.Clip(c.text, c.most); got != c.want {
			t.Errorf("Clip(%.10q, %d) = %q, want %q", c.text, c.most, got, c.want)
		}
	}
}
