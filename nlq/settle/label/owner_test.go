package label_test

import (
	"slices"
	"testing"

	"quern/nlq/nlqtest"
)

// TestWhoseItIs: what is shown of another than of whom the text asks for is told to be theirs.
func TestWhoseItIs(t *testing.T) {
	t.Parallel()
	h := nlqtest.Agency(t)
	const told = "This is the mobile of carers, not of Ida Moor."
	for text, tells := range map[string]bool{
		"What is Ida Moor's mobile number?":         true,
		"What is Ida Moor's carer's mobile number?": false,
		"What is Ann Lee's mobile number?":          false,
	} {
		got := h.Read(text, nil)
		if slices.Contains(got.Notes, told) != tells || tells && !got.Doubt {
			t.Errorf("Translate(%q) has the notes %q, in doubt %t, want %q among them: %t", text, got.Notes, got.Doubt, told, tells)
		}
	}
}
