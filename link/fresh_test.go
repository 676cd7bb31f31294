package link_test

import (
	"fmt"
	"testing"

	"quern"
	"quern/catalog"
	"quern/store"
	"quern/tree"
)

// fewNew is how many datasets may be new for all of them to be waited for.
const fewNew = 32

// patience is how many reads of links are given what one is given time for on a machine
// that does nothing else.
const patience = 20

// others makes datasets that belong with no other one.
func (w *world) others(from, to int) {
	w.t.Helper()
	for n := from; n < to; n++ {
		w.rows(fmt.Sprint("other", n), 2, func(i int) string { return fmt.Sprintf(`{"weight":%d.5}`, 100*n+i) })
	}
}

// about names datasets that a reader of links is about.
func (w *world) about(datasets ...string) func() []quern.DatasetID {
	w.t.Helper()
	var ids []quern.DatasetID
	for _, name := range datasets {
		d, err := w.Catalog.Dataset(w.t.Context(), w.ada, at(name), catalog.Read)
		must(w.t, err)
		ids = append(ids, d.ID)
	}
	return func() []quern.DatasetID { return ids }
}

// compared counts the datasets whose links were looked for.
func (w *world) compared() (n int) {
	w.t.Helper()
	in, err := w.Catalog.Namespace(w.t.Context(), w.ada, at("").In())
	must(w.t, err)
	var all []store.Sketched
	must(w.t, w.options.Store.View(w.t.Context(), func(tx *store.Tx) (err error) {
		all, err = tx.SketchedIn(w.t.Context(), in.ID, 1000)
		return err
	}))
	for _, d := range all {
		if d.SketchOf == d.Version {
			n++
		}
	}
	return n
}

// until reads links until there are so many, as often as a busy machine may need.
func (w *world) until(want int, read func() ([]tree.Link, error)) {
	w.t.Helper()
	var all []tree.Link
	for range patience {
		var err error
		all, err = read()
		must(w.t, err)
		if len(all) == want {
			return
		}
	}
	w.t.Errorf("links = %v, want %d", all, want)
}

// Who asks right after a few files came in sees all their links. Nothing else looks for
// links here: without the wait there would be none.
func TestLinksOfAFewNewDatasetsAreAllThere(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.rows("customers", 60, customers)
		w.others(0, fewNew-2)
		w.rows("orders", 300, orders)
		in, err := w.Catalog.Namespace(t.Context(), w.ada, at("").In())
		must(t, err)
		w.until(1, func() ([]tree.Link, error) { return w.Within(t.Context(), w.ada, in.ID, nil) })
		w.until(1, func() ([]tree.Link, error) { return w.Graph(t.Context(), w.ada, "ada.l", nil) })
		if got := w.compared(); got != fewNew {
			t.Errorf("%d datasets were compared, want all %d", got, fewNew)
		}
	})
}

// Where many datasets are new, a reader waits for those alone that it is about, and the
// others are left to the background.
func TestOfManyNewDatasetsTheirOwnAreWaitedFor(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.rows("customers", 60, customers)
		w.others(0, fewNew+8)
		w.rows("orders", 300, orders)
		w.rows("visits", 30, func(i int) string { return fmt.Sprintf(`{"customer_id":%d}`, i+1) })
		in, err := w.Catalog.Namespace(t.Context(), w.ada, at("").In())
		must(t, err)
		none, err := w.Within(t.Context(), w.ada, in.ID, nil)
		if err != nil || len(none) != 0 || w.compared() != 0 {
			t.Errorf("Within about nothing = %v, %v, and %d datasets were compared; want none", none, err, w.compared())
		}
		if w.links("orders"); w.compared() != 1 {
			t.Errorf("%d datasets were compared for the links of one, want that one", w.compared())
		}
		both := w.about("customers", "orders")
		w.until(1, func() ([]tree.Link, error) { return w.Within(t.Context(), w.ada, in.ID, both) })
		if w.compared() != 2 {
			t.Errorf("%d datasets were compared, want the two that it is about", w.compared())
		}
		visits := w.about("visits")
		w.until(2, func() ([]tree.Link, error) { return w.Graph(t.Context(), w.ada, "ada.l", visits) })
		if w.compared() != 3 {
			t.Errorf("%d datasets were compared, want one more", w.compared())
		}
		w.settle()
		if got, want := w.compared(), fewNew+8+3; got != want {
			t.Errorf("%d datasets were compared by the upkeep, want all %d", got, want)
		}
	})
}
