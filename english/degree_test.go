package english_test

import (
	"strings"
	"testing"

	"quern/english"
)

func TestDegrees(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"old": "old older oldest", "big": "big bigger biggest", "large": "large larger largest", "happy": "happy happier happiest",
		"good": "good better best", "new": "new newer newest", "expensive": "expensive", "": "",
	} {
		if got := strings.Join(english.Degrees(word), " "); got != want {
			t.Errorf("Degrees(%q) = %q, want %q", word, got, want)
		}
	}
}
