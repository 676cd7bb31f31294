package absence_test

import (
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestDistinctListsOfWhatIsKnown: a cell that nobody filled in is none of the values.
func TestDistinctListsOfWhatIsKnown(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("repairs", `[{"repair":1,"part":"brakes","garage":"Hill","cost":90},{"repair":2,"part":"tyres","garage":null,"cost":40},
		{"repair":3,"part":"oil","garage":"Dale","cost":30},{"repair":4,"part":"lamp","garage":"Hill","cost":10}]`)
	h.Answers(map[string]string{"Which garages have we used?": "Dale; Hill"})
}

// TestTopsOfWhatIsKnown: those whose rows lack a value are no group that can be first.
func TestTopsOfWhatIsKnown(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	h.Put("books", `[{"title":"A","author":null},{"title":"B","author":null},{"title":"C","author":null},
		{"title":"D","author":"Ito"},{"title":"E","author":"Ito"},{"title":"F","author":"Berg"}]`)
	got := h.Read("Which author has the most books?", nil)
	if rows := h.RowsOf(h.Ada, got); !strings.HasPrefix(rows, "Ito") {
		t.Errorf("Translate() = %s, which gives %s, want Ito first", got.SQL, rows)
	}
}
