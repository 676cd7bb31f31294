package format

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzSplit holds blocks that are taken apart at once to what reading their records returns.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,2\n3,4\n", "a;b\r\n\"x;\ny\";2\r\n3;4", "a\tb\n\n1\t2\n", "\xef\xbb\xbfa|b\nc|d\n", "a,b\n5'10\" tall,x\n\"y\nz\",\"\"\n",
		"a,b\n\"1\"\"\n2\",\"3\"x\n", "a,b\n1,2,3\n4\n", "a,b\n1,\"2", "a,b\n1,\x1a", "\n,ba", "a,b\n,\n1,2\n", "a,b\r\n\"1\"\r\n,\"2\"\r\n", "a,b\n1,", "a,b\n\"1\",",
	} {
		f.Add([]byte(seed), uint8(20))
		f.Add([]byte(seed), uint8(255))
	}
	f.Fuzz(func(t *testing.T, data []byte, block uint8) {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		tables, err := csvTables(path, Options{})
		if err != nil {
			return
		}
		p, ok, err := tables[0].Plain()
		if err != nil || !ok {
			return
		}
		p.Block = max(int(block), 4)
		if _, err := bySplitting(t, p); err != nil && !errors.Is(err, ErrUneven) {
			t.Fatal(err)
		}
	})
}

// bySplitting is byBlocks with those blocks taken apart at once that can be, of which the same must be known
// as when they are read.
func bySplitting(t *testing.T, p *Plain) (string, error) {
	t.Helper()
	var all strings.Builder
	err := p.Each(context.Background(), 1, func(_ context.Context, _ int, b *Block) error {
		var want strings.Builder
		read := Block{}
		read.reset(p, b.Number, b.From)
		read.text = bytes.Clone(b.text)
		err := read.Read(func(cells []Cell) error { show(&want, cells); return nil })
		cells, ok := b.Split()
		if ok && err != nil {
			t.Errorf("%q is split, read it is %v", read.text, err)
		}
		if err != nil {
			return err
		}
		if !ok {
			all.WriteString(want.String())
			return nil
		}
		var got strings.Builder
		for row := range cells.Rows() {
			record := make([]Cell, cells.Width)
			for at := range record {
				record[at].Text, record[at].Quoted = cells.Cell(row, at)
			}
			show(&got, record)
		}
		all.WriteString(got.String())
		if b.Verbatim != read.Verbatim || read.Blank > 0 || b.Rows != read.Rows || b.Returns != read.Returns || got.String() != want.String() {
			t.Errorf("%q split has %d rows and %d returns\n%s\nread %d and %d, verbatim %t\n%s", read.text, b.Rows, b.Returns, got.String(), read.Rows, read.Returns,
				read.Verbatim, want.String())
		}
		return nil
	})
	return all.String(), err
}

// Texts as they mostly are need not be read record by record.
func TestUsualTextIsSplit(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"a,b\n1,2\n3,4\n", "a,b\n1,2\n3,4", "a,b\r\n1,2\r\n,4\r\n", "a,b\n\"x, \"\"y\"\"\",2\n\"\",\"4\"\n", "a,b\r\n\"1\",\"2\"\r\n3,\"4\"\r\n", "a,b\n1,\n,2",
	} {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		tables, err := csvTables(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		p, ok, err := tables[0].Plain()
		if err != nil || !ok {
			t.Fatalf("Plain(%q) = %v, %v", text, ok, err)
		}
		if got, err := bySplitting(t, p); err != nil || got != byRecords(t, tables[0]) {
			t.Errorf("Split(%q) = %s, %v, want %s", text, got, err, byRecords(t, tables[0]))
		}
		err = p.Each(t.Context(), 1, func(_ context.Context, _ int, b *Block) error {
			if _, ok := b.Split(); !ok {
				t.Errorf("Split(%q) = false", text)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
