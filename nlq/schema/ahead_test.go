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
