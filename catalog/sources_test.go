package catalog_test

import (
	"testing"

	"quern"
	"quern/store"
	"quern/store/storetest"
)

// TestSourcesOfSingleRows looks rows up among more sources than are read at once,
// every second row being of none.
func TestSourcesOfSingleRows(t *testing.T) {
	t.Parallel()
	w := newWorld(t, storetest.Open(t, storetest.SQLite(t)), "ada", "eve")
	d := w.create(t, "ada", "ns", "ds")
	const many = 2_500
	all := make([]quern.Source, many)
	for i := range all {
		all[i] = quern.Source{FirstRow: int64(4 * i), Rows: 2, Ingestion: "i", File: "a.csv", FileRow: int64(2*i + 1)}
	}
	if err := w.store.Update(t.Context(), func(tx *store.Tx) error { return tx.InsertSources(t.Context(), d.ID, all) }); err != nil {
		t.Fatal(err)
	}
	var rows []int64
	for id := int64(4*many - 1); id >= -1; id -= 3 {
		rows = append(rows, id, id)
	}
	for _, rows := range [][]int64{rows, {4, 9_997}, {9_999}, {}} {
		sources, err := w.SourcesOf(t.Context(), w.users["ada"], d.ID, rows)
		if err != nil || len(sources) != len(rows) {
			t.Fatalf("SourcesOf() = %d sources, %v, want one for each of %d rows", len(sources), err, len(rows))
		}
		for i, id := range rows {
			var want quern.Source
			if id >= 0 && id%4 < 2 {
				want = all[id/4]
			}
			if sources[i] != want {
				t.Errorf("the source of row %d is %+v, want %+v", id, sources[i], want)
			}
		}
	}
	_, err := w.SourcesOf(t.Context(), w.users["eve"], d.ID, []int64{1})
	wantKind(t, "SourcesOf() of a stranger", err, quern.NotFound)
}
