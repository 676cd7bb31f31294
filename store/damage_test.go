package store_test

import (
	"context"
	"database/sql"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"time"

	"quern"
	"quern/store"
)

// damagedStore opens a store with a token whose pages were damaged since.
func damagedStore(t *testing.T, names string, page func(size int) []byte) (*store.Store, quern.TokenID) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "quern.db")
	u := quern.User{ID: quern.NewID[quern.UserID](), Username: "ada", CreatedAt: time.Now()}
	id := quern.NewID[quern.TokenID]()
	s, err := store.Open(t.Context(), store.Options{File: file})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Update(t.Context(), func(tx *store.Tx) error {
		if err := tx.InsertUser(t.Context(), u, ""); err != nil {
			return err
		}
		return tx.InsertToken(t.Context(), quern.Token{ID: id, User: u.ID, CreatedAt: time.Now()}, "")
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	overwrite(t, file, names, page)
	if s, err = store.Open(t.Context(), store.Options{File: file}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, id
}

// overwrite puts another page in the place of the first page of some tables and
// indexes.
func overwrite(t *testing.T, file, names string, page func(size int) []byte) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var size int
	if err := db.QueryRowContext(t.Context(), "PRAGMA page_size").Scan(&size); err != nil {
		t.Fatal(err)
	}
	rows, err := db.QueryContext(t.Context(), "SELECT rootpage FROM sqlite_master WHERE name LIKE $1", names)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for rows.Next() {
		var number int64
		if err := rows.Scan(&number); err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteAt(page(size), (number-1)*int64(size)); err != nil {
			t.Fatal(err)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}

func token(ctx context.Context, s *store.Store, id quern.TokenID) error {
	return s.View(ctx, func(tx *store.Tx) error {
		_, err := tx.Token(ctx, id)
		return err
	})
}

func TestDamageThatIsMetIsNotNothing(t *testing.T) {
	t.Parallel()
	s, id := damagedStore(t, "%tokens%", func(size int) []byte { return make([]byte, size) })
	if err := token(t.Context(), s, id); !quern.Is(err, quern.Unavailable) {
		t.Errorf("Token of a damaged table = %v, want Unavailable", err)
	}
	if err := s.Ping(t.Context()); !quern.Is(err, quern.Unavailable) {
		t.Errorf("Ping after damage was met = %v, want Unavailable", err)
	}
}

// TestDamageThatHidesRowsIsFound has an index that is well-formed and empty: every
// token seems not to be there, and only a check of the whole tells.
func TestDamageThatHidesRowsIsFound(t *testing.T) {
	t.Parallel()
	s, id := damagedStore(t, "sqlite_autoindex_tokens_1", func(size int) []byte {
		page := make([]byte, size)
		page[0] = 0x0a // a leaf of an index, without cells
		binary.BigEndian.PutUint16(page[5:], uint16(size))
		return page
	})
	if err := token(t.Context(), s, id); !quern.Is(err, quern.NotFound) {
		t.Fatalf("Token before the check = %v, want it hidden: the test damages nothing", err)
	}
	if err := s.Verify(t.Context()); !quern.Is(err, quern.Unavailable) {
		t.Errorf("Verify of a damaged database = %v, want Unavailable", err)
	}
	if err := s.Ping(t.Context()); !quern.Is(err, quern.Unavailable) {
		t.Errorf("Ping of a damaged database = %v, want Unavailable", err)
	}
	if err := token(t.Context(), s, id); !quern.Is(err, quern.Unavailable) {
		t.Errorf("Token that is hidden by damage = %v, want Unavailable, not that it does not exist", err)
	}
}

func TestVerifyOfAWholeDatabase(t *testing.T) {
	t.Parallel()
	s, id := damagedStore(t, "none", nil)
	if err := s.Verify(t.Context()); err != nil {
		t.Errorf("Verify of a whole database = %v, want nil", err)
	}
	if err := token(t.Context(), s, id); err != nil {
		t.Errorf("Token = %v, want it", err)
	}
}
