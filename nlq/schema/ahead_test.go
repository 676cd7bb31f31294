package schema_test

import (
	"fmt"
	"slices"
	"testing"

	"quern/catalog"
	"quern/store/storetest"
)

// What changes all the time is not read again every time, but when it has rested.
func TestRestlessDataAreIndexedWhenTheyRest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.shop()
	w.schema(w.ada, "")
	d, err := w.Catalog.Dataset(t.Context(), w.ada, at("orders"), catalog.Read)
	must(t, err)
	indexed := func() bool {
		current, err := w.Catalog.Version(t.Context(), d.ID)
		must(t, err)
		return w.Kept(d.ID) == current
	}
	var got []bool
	for look := range 13 {
		w.rows("orders", 1, func(int) string { return fmt.Sprintf(`{"id":%d,"status":"open"}`, 1000+look) })
		must(t, w.Upkeep(t.Context()))
		got = append(got, indexed())
	}
	if want := []bool{true, true, false, false, false, false, false, false, false, false, false, true, false}; !slices.Equal(got, want) {
		t.Errorf("orders that change at every look are indexed = %v, want %v", got, want)
	}
	must(t, w.Upkeep(t.Context()))
	if !indexed() {
		t.Error("orders that have rested since the last look are not indexed, want them indexed")
	}
}

// What has had many versions since the last look will have others before it is read.
func TestBusyDataAreIndexedWhenTheyRest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	w.shop()
	w.schema(w.ada, "")
	d, err := w.Catalog.Dataset(t.Context(), w.ada, at("orders"), catalog.Read)
	must(t, err)
	before := w.Kept(d.ID)
	for n := range 50 {
		w.rows("orders", 1, func(int) string { return fmt.Sprintf(`{"id":%d,"status":"open"}`, 1000+n) })
	}
	must(t, w.Upkeep(t.Context()))
	if got := w.Kept(d.ID); got != before {
		t.Errorf("orders with 50 versions since the last look are indexed at %d, want %d still", got, before)
	}
	must(t, w.Upkeep(t.Context()))
	if got := w.Kept(d.ID); got < before+50 {
		t.Errorf("orders that have rested since the last look are indexed at %d, want at least %d", got, before+50)
	}
}

// Indexing ahead of questions lets other work pass, but not for ever.
func TestIndexingAheadLetsOtherWorkPass(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)))
	busy := false
	w.options.Busy = func() bool { return busy }
	w.restart()
	w.shop()
	w.schema(w.ada, "")
	d, err := w.Catalog.Dataset(t.Context(), w.ada, at("orders"), catalog.Read)
	must(t, err)
	changed := func(look int, is bool) bool {
		busy = is
		w.rows("orders", 1, func(int) string { return fmt.Sprintf(`{"id":%d,"status":"open"}`, 1000+look) })
		must(t, w.Upkeep(t.Context()))
		current, err := w.Catalog.Version(t.Context(), d.ID)
		must(t, err)
		return w.Kept(d.ID) == current
	}
	if changed(0, true) {
		t.Error("orders are indexed while there is other work, want that to pass first")
	}
	if !changed(1, false) {
		t.Error("orders are not indexed when there is no other work any more, want them indexed")
	}
	looks := 1
	for !changed(1+looks, true) && looks < 20 {
		looks++
	}
	if looks != 12 {
		t.Errorf("orders are indexed after %d looks at which there was other work, want 12", looks)
	}
}
