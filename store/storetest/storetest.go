// Package storetest makes fresh stores for tests, on SQLite and on a real
// PostgreSQL. It owns no behaviour of its own.
package storetest

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"quern"
	"quern/store"
)

// Each runs fn once per database, each time on a fresh and empty store.
func Each(t *testing.T, fn func(*testing.T, *store.Store)) {
	t.Helper()
	for name, options := range Databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fn(t, Open(t, options(t)))
		})
	}
}

// Databases returns, per dialect, how to make the options of a fresh database.
func Databases() map[string]func(testing.TB) store.Options {
	return map[string]func(testing.TB) store.Options{"sqlite": SQLite, "postgres": Postgres}
}

// Open opens a store that closes with the test.
func Open(t testing.TB, o store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), o)
	if err != nil {
		t.Fatalf("store.Open(%s) = %v, want a store", o.File, err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close() = %v, want nil", err)
		}
	})
	return s
}

// SQLite returns options for a fresh SQLite file.
func SQLite(t testing.TB) store.Options {
	return store.Options{File: filepath.Join(t.TempDir(), "quern.db")}
}

// Postgres returns options for a fresh schema of the test server. Transactions are
// rehearsed there, for that is the database that asks for them again.
func Postgres(t testing.TB) store.Options {
	t.Helper()
	address := os.Getenv("QUERN_TEST_POSTGRES_URL")
	if address == "" {
		t.Fatal("QUERN_TEST_POSTGRES_URL is not set: run `make test`, or `test/with-postgres go test ./...`")
	}
	schema := "t" + strings.ReplaceAll(quern.NewID[string](), "-", "")
	execute(t, address, "CREATE SCHEMA "+schema)
	t.Cleanup(func() { execute(t, address, "DROP SCHEMA "+schema+" CASCADE") })
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("search_path", schema)
	u.RawQuery = q.Encode()
	return store.Options{URL: u.String(), MaxConns: 4, Rehearse: true}
}

// execute runs a statement, again where the server broke a deadlock by giving it up: a schema is
// dropped while the server may still be ending what others began there.
func execute(t testing.TB, address, statement string) {
	t.Helper()
	const most, deadlock = 5, "40P01"
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for range most {
		_, err = db.ExecContext(context.Background(), statement)
		if given, ok := errors.AsType[*pgconn.PgError](err); !ok || given.Code != deadlock {
			break
		}
	}
	if err != nil {
		t.Fatalf("%s = %v", statement, err)
	}
}
