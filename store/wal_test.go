package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern/store"
)

// SQLite's write-ahead log does not stay as long as its longest transaction made it.
func TestTheLogShrinksAgain(t *testing.T) {
	t.Parallel()
	ctx, file := t.Context(), filepath.Join(t.TempDir(), "quern.db")
	s, err := store.Open(ctx, store.Options{File: file})
	if err != nil {
		t.Fatalf("Open() = %v, want nil", err)
	}
	defer s.Close()
	insert := func(name, credential string) int64 {
		t.Helper()
		if err := s.Update(ctx, func(tx *store.Tx) error { return tx.InsertUser(ctx, user(name), credential) }); err != nil {
			t.Fatalf("InsertUser(%s) = %v, want nil", name, err)
		}
		log, err := os.Stat(file + "-wal")
		if err != nil {
			t.Fatalf("Stat() = %v, want a log", err)
		}
		return log.Size()
	}
	const much, kept = 48 << 20, 33 << 20
	if long := insert("long", strings.Repeat("x", much)); long < much {
		t.Fatalf("the log has %d bytes after a transaction of %d", long, much)
	}
	var now int64
	for n := range 3 {
		now = insert(fmt.Sprint("short", n), "")
	}
	if now > kept {
		t.Errorf("the log still has %d bytes, want at most %d", now, kept)
	}
}
