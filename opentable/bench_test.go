package opentable_test

import (
	"fmt"
	"testing"

	"quern"
	"quern/catalog"
	"quern/housetest"
	"quern/store"
)

// BenchmarkMetadata writes the metadata of versions of so many segments of ten columns,
// and loads what was written.
func BenchmarkMetadata(b *testing.B) {
	for _, segments := range []int{1, 1_000, 10_000} {
		h := newHouse(b, nil, true)
		at := h.Dataset(h.ada, "harbour/ships", `[{"c0":1,"c1":2,"c2":3,"c3":4,"c4":5,"c5":"a","c6":"b","c7":true,"c8":"2026-01-02","c9":1.5}]`)
		d, err := h.Catalog.Dataset(b.Context(), h.ada, at, catalog.Read)
		housetest.Must(b, err)
		multiply(h, d, segments)
		b.Run(fmt.Sprintf("written/%d", segments), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				d.Version++
				housetest.Must(b, h.Store.Update(b.Context(), func(tx *store.Tx) error { return tx.UpdateData(b.Context(), d) }))
				b.StartTimer()
				h.mustLoad(at)
			}
		})
		b.Run(fmt.Sprintf("loaded/%d", segments), func(b *testing.B) {
			for b.Loop() {
				h.mustLoad(at)
			}
		})
	}
}

// multiply gives a dataset more segments like its first.
func multiply(h *house, d quern.Dataset, segments int) {
	housetest.Must(h.t, h.Store.Update(h.t.Context(), func(tx *store.Tx) error {
		all, err := tx.BoundedSegments(h.t.Context(), d.ID)
		if err != nil {
			return err
		}
		for i := 1; i < segments; i++ {
			s := all[0]
			s.ID, s.FirstRow = quern.NewID[quern.SegmentID](), int64(i)
			s.Key = fmt.Sprintf("tables/%s/%s.parquet", d.ID, s.ID)
			if err := tx.InsertSegment(h.t.Context(), s); err != nil {
				return err
			}
		}
		return nil
	}))
}
