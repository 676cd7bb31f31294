package embedded_test

import (
	"fmt"
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestAReadingBringsItsRows unless they are more than were read to judge it.
func TestAReadingBringsItsRows(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t)
	rows := make([]string, 700)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"title":"book %d","pages":%d}`, i, i)
	}
	h.Put("books", "["+strings.Join(rows, ",")+"]")
	if got := h.Read("How many books are there?", nil); got.Result == nil || len(got.Result.Rows) != 1 || len(got.Result.Datasets) != 1 {
		t.Errorf("a count = %+v with %+v, want its row", got.SQL, got.Result)
	}
	if got := h.Read("List the title of all books", nil); got.SQL == "" || got.Result != nil {
		t.Errorf("a list of 700 = %q with %+v, want it without rows", got.SQL, got.Result)
	}
}
