package schema_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"quern"
	"quern/catalog"
	"quern/nlq/encoder"
	"quern/nlq/schema"
	"quern/store"
	"quern/store/storetest"
)

// counted is an encoder that counts the names it encodes, under a name of its own.
type counted struct {
	*encoder.Encoder
	fingerprint string
	names       atomic.Int64
	began       chan struct{} // has one when names are encoded
}

func (c *counted) Fingerprint() string { return c.fingerprint }

func (c *counted) Names(ctx context.Context, texts []encoder.Text) ([]encoder.Name, error) {
	c.names.Add(int64(len(texts)))
	select {
	case c.began <- struct{}{}:
	default:
	}
	return c.Encoder.Names(ctx, texts)
}

// newCounted returns the small encoder of package encoder's tests.
func newCounted(t *testing.T) *counted {
	t.Helper()
	data, err := os.ReadFile("../encoder/testdata/pieces.bin")
	must(t, err)
	pieces, err := encoder.LoadPieces(data)
	must(t, err)
	data, err = os.ReadFile("../encoder/testdata/weights.bin")
	must(t, err)
	e, err := encoder.Load(data, pieces)
	must(t, err)
	return &counted{Encoder: e, fingerprint: "first", began: make(chan struct{}, 1)}
}

// encoding is schemas whose names are encoded.
func encoding(t *testing.T, s *store.Store) (*world, *counted) {
	t.Helper()
	w, c := newWorld(t, s), newCounted(t)
	w.options.Encoder, w.options.Store = c, s
	w.restart()
	return w, c
}

// wantEncoded checks that all names are encoded, and how many were since.
func wantEncoded(t *testing.T, what string, s *schema.Schema, c *counted, want int64) {
	t.Helper()
	for _, table := range s.Tables {
		if !c.Fits(table.Encoded) {
			t.Errorf("%s: dataset %s is not encoded", what, table.Path.Dataset)
		}
	}
	for _, column := range s.Columns {
		if !c.Fits(column.Encoded) {
			t.Errorf("%s: column %s is not encoded", what, column.Name)
		}
	}
	if got := c.names.Swap(0); got != want {
		t.Errorf("%s: %d names were encoded, want %d", what, got, want)
	}
}

func TestNamesAreEncodedOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w, c := encoding(t, s)
		w.rows("customers", 60, customers)
		w.rows("orders", 300, orders)
		first := w.schema(w.ada, "")
		wantEncoded(t, "first", first, c, 9)
		wantEncoded(t, "again", w.schema(w.ada, ""), c, 0)
		w.restart()
		again := w.schema(w.ada, "")
		wantEncoded(t, "after a restart", again, c, 0)
		if string(again.Columns[1].Encoded) != string(first.Columns[1].Encoded) {
			t.Error("a name that was stored is not the one that was encoded")
		}
		w.rows("orders", 3, func(i int) string { return fmt.Sprintf(`{"id":%d,"status":"open","colour":"red"}`, 1000+i) })
		wantEncoded(t, "with another column", w.schema(w.ada, ""), c, 1)
		_, err := w.Catalog.RenameDataset(t.Context(), w.ada, at("customers"), "people")
		must(t, err)
		wantEncoded(t, "under another name", w.schema(w.ada, ""), c, 4)
		w.restart()
		wantEncoded(t, "after another restart", w.schema(w.ada, ""), c, 0)
		c.fingerprint = "second"
		w.restart()
		wantEncoded(t, "with other weights", w.schema(w.ada, ""), c, 10)
	})
}

func TestNewVersionsAreEncodedBeforeTheyAreAskedAbout(t *testing.T) {
	t.Parallel()
	w, c := encoding(t, storetest.Open(t, storetest.SQLite(t)))
	w.rows("orders", 30, orders)
	must(t, w.Upkeep(t.Context()))
	<-c.began // without a question
	wantEncoded(t, "asked", w.schema(w.ada, ""), c, 5)
	w.restart()
	must(t, w.Upkeep(t.Context()))
	wantEncoded(t, "after a restart", w.schema(w.ada, ""), c, 0)
	w.rows("customers", 5, customers)
	w.now = w.now.Add(2 * time.Hour) // too old to be encoded without a question
	must(t, w.Upkeep(t.Context()))
	wantEncoded(t, "an older one when it is asked about", w.schema(w.ada, ""), c, 4)
}

// Values of rows that were deleted do not live on in what is stored.
func TestEncodedNamesOfClearedData(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.SQLite(t))
	w, c := encoding(t, s)
	w.rows("orders", 30, orders)
	first := w.schema(w.ada, "")
	wantEncoded(t, "first", first, c, 5)
	_, err := w.Catalog.Clear(t.Context(), w.ada, at("orders"))
	must(t, err)
	w.restart()
	must(t, w.Upkeep(t.Context()))
	wantEncoded(t, "cleared", w.schema(w.ada, ""), c, 4)
	d, err := w.Catalog.Dataset(t.Context(), w.ada, at("orders"), catalog.Read)
	must(t, err)
	var stored store.Encodings
	must(t, s.View(t.Context(), func(tx *store.Tx) (err error) {
		stored, err = tx.Encodings(t.Context(), d.ID)
		return err
	}))
	for _, column := range first.Columns {
		if bytes.Contains(stored.Names, column.Encoded) {
			t.Errorf("%s is stored with the values that it had", column.Name)
		}
	}
}

func TestEncodedNamesGoWithTheirDataset(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.SQLite(t))
	w, c := encoding(t, s)
	w.rows("orders", 30, orders)
	wantEncoded(t, "first", w.schema(w.ada, ""), c, 5)
	d, err := w.Catalog.Dataset(t.Context(), w.ada, at("orders"), catalog.Read)
	must(t, err)
	stored := func() error {
		return s.View(t.Context(), func(tx *store.Tx) error {
			_, err := tx.Encodings(t.Context(), d.ID)
			return err
		})
	}
	must(t, stored())
	_, err = w.Catalog.DeleteDataset(t.Context(), w.ada, at("orders"))
	must(t, err)
	if err := stored(); !quern.Is(err, quern.NotFound) {
		t.Errorf("the names of a deleted dataset are still stored: %v", err)
	}
}

func TestDamagedEncodingsAreMadeAnew(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.SQLite(t))
	w, c := encoding(t, s)
	w.rows("orders", 30, orders)
	wantEncoded(t, "first", w.schema(w.ada, ""), c, 5)
	d, err := w.Catalog.Dataset(t.Context(), w.ada, at("orders"), catalog.Read)
	must(t, err)
	var whole store.Encodings
	must(t, s.View(t.Context(), func(tx *store.Tx) (err error) {
		whole, err = tx.Encodings(t.Context(), d.ID)
		return err
	}))
	each := len(whole.Names) / 5
	for name, tt := range map[string]struct {
		names []byte
		anew  int64
	}{"cut": {whole.Names[:len(whole.Names)-1], 1}, "nothing": {[]byte{}, 5}, "something else": {make([]byte, 1000), 5}, "one": {whole.Names[:each], 4}} {
		must(t, s.Update(t.Context(), func(tx *store.Tx) error {
			return tx.PutEncodings(t.Context(), d.ID, store.Encodings{Version: whole.Version, Weights: whole.Weights, Names: tt.names})
		}))
		w.restart()
		wantEncoded(t, name, w.schema(w.ada, ""), c, tt.anew)
	}
}
