package catalog_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"quern/catalog"
	"quern/housetest"
	"quern/store"
	"quern/store/storetest"
)

// The feet of segments are kept beside them, come back as they were, and go with them.
func TestFeetAreKeptWithTheirSegments(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		h := housetest.New(t, housetest.Options{Store: s})
		ada := h.User("ada")
		at := h.Dataset(ada, "shop/orders", `[{"n":1}]`)
		h.Append(ada, at, `[{"n":2}]`)
		snap, err := h.Catalog.Snapshot(ctx, ada, at)
		housetest.Must(t, err)
		if len(snap.Segments) != 2 {
			t.Fatalf("the dataset has %d segments, want 2", len(snap.Segments))
		}
		one, other := snap.Segments[0].Key, snap.Segments[1].Key
		feet := func() (got map[string][]byte) {
			t.Helper()
			housetest.Must(t, s.View(ctx, func(tx *store.Tx) error {
				got, err = tx.Feet(ctx, []string{one, other, "none"})
				return err
			}))
			return got
		}
		if got := feet(); len(got) != 0 {
			t.Errorf("Feet() where objects are files = %d, want none", len(got))
		}
		foot := make([]byte, 5000)
		for i := range foot {
			foot[i] = byte(rand.IntN(256))
		}
		put := func(key string, foot []byte) error {
			return s.Update(ctx, func(tx *store.Tx) error { return tx.PutFoot(ctx, key, foot) })
		}
		housetest.Must(t, put(one, foot))
		housetest.Must(t, put(one, []byte("later"))) // segments never change
		housetest.Must(t, put(other, make([]byte, store.MaxFoot+1)))
		if got := feet(); len(got) != 1 || !bytes.Equal(got[one], foot) {
			t.Errorf("Feet() = %d, the first of %d bytes, want the one that was kept", len(got), len(got[one]))
		}
		if err := put("none", foot); err == nil {
			t.Error("PutFoot(no segment) = nil, want an error")
		}
		housetest.Must(t, s.Update(ctx, func(tx *store.Tx) error {
			_, err := tx.DeleteSegments(ctx, snap.Segments, h.Options.Now())
			return err
		}))
		if got := feet(); len(got) != 0 {
			t.Errorf("Feet() of segments that are gone = %d, want none", len(got))
		}
	})
}

// Where objects are files, nothing is sparse.
func TestFilesAreNotSparse(t *testing.T) {
	t.Parallel()
	h := housetest.New(t, housetest.Options{})
	if catalog.KeepsFeet(h.Files) || catalog.NewSparse(h.Files) != nil {
		t.Error("segments that are files are sparse")
	}
}
