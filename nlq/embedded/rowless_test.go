package embedded_test

import (
	"slices"
	"strings"
	"testing"

	"quern/nlq/nlqtest"
)

// TestCleared asks about datasets whose rows were taken out: what the columns tell is answered,
// and a note says why nothing is found.
func TestCleared(t *testing.T) {
	t.Parallel()
	h := nlqtest.NewHouse(t).Trade()
	empty := func(dataset string) {
		t.Helper()
		_, err := h.Catalog.Clear(t.Context(), h.Ada, nlqtest.At(dataset))
		must(t, err)
	}
	empty("orders")
	wants := func(text, rows string, note string) {
		t.Helper()
		got := h.Read(text, nil)
		if got.Query == nil {
			t.Errorf("Translate(%q) = %+v, want rows", text, got)
			return
		}
		if found := h.RowsOf(h.Ada, got); found != rows || !slices.Contains(got.Notes, note) {
			t.Errorf("%q = %q with the notes %q, want %q with %q", text, found, got.Notes, rows, note)
		}
	}
	wants("How many orders are there?", "0", "Orders has no rows yet.")
	wants("List the price and the status of all orders", "", "Orders has no rows yet.")
	if got := h.Read("How many shops are there?", nil); got.Query == nil || h.RowsOf(h.Ada, got) != "3" || len(got.Notes) > 0 {
		t.Errorf("shops beside orders without rows = %+v, want 3 and no note", got)
	}
	empty("shops")
	wants("How many orders are there?", "0", "Orders has no rows yet.")
	wants("Show the name of each shop and the number of its orders", "", "Orders and shops have no rows yet.")
	for _, text := range []string{"Which orders were sent to Hamburg?", "How many llamas are there?"} {
		if got := h.Read(text, nil); got.Clarification == nil || !strings.Contains(got.Clarification.Question, "have no rows yet. Ingest some first") {
			t.Errorf("Translate(%q) = %+v, want to be told that there are no rows", text, got)
		}
	}
}
