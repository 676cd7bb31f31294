package english_test

import (
	"strings"
	"testing"

	"quern/english"
)

// TestClippings: what is cut short is no longer than what it stands for, which is something else.
func TestClippings(t *testing.T) {
	t.Parallel()
	for short, all := range english.Clippings {
		seen := map[string]bool{}
		for _, long := range all {
			if len(long) < len(short) || long == short || strings.ToLower(long) != long || seen[long] {
				t.Errorf("%s stands for %q, want other words that are no shorter, each once", short, all)
			}
			seen[long] = true
		}
		if len(all) == 0 {
			t.Errorf("%s stands for nothing", short)
		}
	}
}
