package duckdb_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"quern"
	"quern/engine"
	"quern/engine/duckdb"
)

// feedOf brings cells as a column of values and one of numbers, so many rows in a block.
func feedOf(cells []string, rows int, err error) func(context.Context, engine.Blocks) error {
	return func(ctx context.Context, to engine.Blocks) error {
		for at := 0; at < len(cells); at += rows {
			b := to.Empty()
			for n, cell := range cells[at:min(at+rows, len(cells))] {
				bare := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(cell, `"`), `"`), `""`, `"`)
				number := []byte{byte('0' + (at+n)/10), byte('0' + (at+n)%10)}
				if !b.Cell(0, []byte(bare), strings.HasPrefix(cell, `"`)) || !b.Cell(1, number, false) {
					return errors.New("not taken: " + cell)
				}
				b.EndRow()
			}
			if err := to.Put(ctx, b); err != nil {
				return err
			}
		}
		return err
	}
}

// What a feed brings is written as the same cells of a file are, and described alike.
func TestAFeedIsWrittenAsAFileIs(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{Threads: 2})
	for _, test := range csvValues {
		src := csvSource(t, test.kind, test.usual, "\n")
		dir := t.TempDir()
		want, err := e.Write(t.Context(), src, filepath.Join(dir, "file.parquet"))
		if err != nil {
			t.Fatal(err)
		}
		fed := engine.Source{Columns: src.Columns, Feed: feedOf(test.usual, 3, nil)}
		got, err := e.Write(t.Context(), fed, filepath.Join(dir, "fed.parquet"))
		got.Bytes = want.Bytes
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("Write(feed of %s) = %+v, %v, want %+v", test.kind, got, err, want)
		}
		one, other := writtenRows(t, e, src, filepath.Join(dir, "fed.parquet")), writtenRows(t, e, src, filepath.Join(dir, "file.parquet"))
		if !reflect.DeepEqual(one, other) {
			t.Errorf("Write(feed of %s) wrote %v, want %v", test.kind, one, other)
		}
	}
}

func TestAFeedThatFailsLeavesNoFile(t *testing.T) {
	t.Parallel()
	e := newEngine(t, duckdb.Options{Threads: 2})
	path, broken := filepath.Join(t.TempDir(), "fed.parquet"), errors.New("broken")
	src := engine.Source{Columns: []quern.Column{{Name: "v", Type: quern.Integer}, {Name: "n", Type: quern.Integer}}, Feed: feedOf([]string{"1", "2"}, 1, broken)}
	if _, err := e.Write(t.Context(), src, path); !errors.Is(err, broken) {
		t.Errorf("Write(a feed that fails) = %v, want its error", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Write(a feed that fails) left a file: %v", err)
	}
}
