package embedded_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestSupposedColumns: an answer that rests on a column of yes and no which no word names says so.
func TestSupposedColumns(t *testing.T) {
	t.Parallel()
	h := nlqtest.Airfield(t)
	h.Put("members", `[{"mem_no":501,"name":"Ann Thwaite","ft":"y","kh":"n"},{"mem_no":502,"name":"Ben Coe","ft":"n","kh":"y"},
		{"mem_no":503,"name":"Cy Dale","ft":"n","kh":"n"},{"mem_no":504,"name":"Di Eve","ft":"y","kh":"y"}]`)
	got := h.Read("Which members are keyholders?", nil)
	if got.Query == nil || nlqtest.Sorted(h.RowsOf(h.Ada, got)) != "Ben Coe; Di Eve" {
		t.Fatalf("Translate() = %s %v, want those with kh", got.SQL, got.Clarification)
	}
	if notes := strings.Join(got.Notes, " "); !got.Doubt || !strings.Contains(notes, "No word of the question names the column kh") {
		t.Errorf("Translate() has the notes %q, want a doubt about the column kh", got.Notes)
	}
	if got := h.Read("Which members can open the hangar?", nil); got.Query != nil {
		t.Errorf("Translate(hangar) = %s, want a question back: nothing answers to the hangar", got.SQL)
	}
}
