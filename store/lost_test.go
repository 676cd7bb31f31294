package store_test

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"testing"
	"time"

	"quern"
	"quern/store"
	"quern/store/storetest"
)

// cut is a store over PostgreSQL with one connection, and what ends that.
func cut(t *testing.T) (*store.Store, func()) {
	t.Helper()
	o := storetest.Postgres(t)
	u, err := url.Parse(o.URL)
	if err != nil {
		t.Fatal(err)
	}
	name, q := quern.NewID[string](), u.Query()
	q.Set("application_name", name)
	u.RawQuery = q.Encode()
	o.URL, o.MaxConns, o.Rehearse = u.String(), 1, false
	beside, err := sql.Open("pgx", os.Getenv("QUERN_TEST_POSTGRES_URL"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = beside.Close() })
	return storetest.Open(t, o), func() {
		t.Helper()
		// With a time to wait, the function returns when the backend is gone.
		var ended bool
		if err := beside.QueryRowContext(t.Context(),
			`SELECT bool_and(pg_terminate_backend(pid, 10000)) FROM pg_stat_activity WHERE application_name = $1`,
			name).Scan(&ended); err != nil || !ended {
			t.Fatalf("the connection was not ended: %v, %v", ended, err)
		}
	}
}

// TestConnectionsThatBreak ends the only connection before, in and at the end of
// transactions: what was not committed is done again, and what may have been is
// Unavailable.
func TestConnectionsThatBreak(t *testing.T) {
	t.Parallel()
	s, end := cut(t)
	ctx := t.Context()
	// tries counts the runs of a transaction that breaks its connection in the first.
	tries := func(run func(context.Context, func(*store.Tx) error) error, read func(*store.Tx) error) (n int, err error) {
		err = run(ctx, func(tx *store.Tx) error {
			if n++; n == 1 {
				end()
			}
			return read(tx)
		})
		return n, err
	}
	insert := func(name string) func(*store.Tx) error {
		return func(tx *store.Tx) error { return tx.InsertUser(ctx, user(name), "") }
	}
	end()
	if err := s.Update(ctx, insert("ada")); err != nil {
		t.Errorf("Update() over a connection that is gone = %v, want nil", err)
	}
	if n, err := tries(s.Update, insert("bob")); n != 2 || err != nil {
		t.Errorf("Update() whose connection breaks = %v after %d tries, want nil after 2", err, n)
	}
	// late is tries for a connection that breaks behind a statement.
	late := func(run func(context.Context, func(*store.Tx) error) error, first func(*store.Tx) error) (n int, err error) {
		err = run(ctx, func(tx *store.Tx) error {
			err := first(tx)
			if n++; n == 1 {
				end()
			}
			return err
		})
		return n, err
	}
	read := func(tx *store.Tx) error { _, err := tx.Users(ctx); return err }
	if n, err := late(s.View, read); n != 2 || err != nil {
		t.Errorf("View() whose connection breaks at its end = %v after %d tries, want nil after 2", err, n)
	}
	if n, err := late(s.Update, read); n != 1 || !quern.Is(err, quern.Unavailable) {
		t.Errorf("Update() whose commit is cut off = %v after %d tries, want Unavailable after 1", err, n)
	}
	putOff := func(tx *store.Tx) error { return tx.UpdateData(ctx, quern.Dataset{ID: "none"}) }
	if n, err := late(s.Update, putOff); n != 1 || !quern.Is(err, quern.Unavailable) {
		t.Errorf("Update() that is cut off with all that it does = %v after %d tries, want Unavailable after 1", err, n)
	}
	if got := usernames(t, s); len(got) != 2 {
		t.Errorf("Users() = %v, want ada and bob", got)
	}
}

// TestStatementsThatArePutOff has statements fail that the database gets with the commit: nothing of
// their transaction is stored, and those that follow find the connection as it should be.
func TestStatementsThatArePutOff(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		for range 3 {
			err := s.Update(ctx, func(tx *store.Tx) error {
				if err := tx.InsertUser(ctx, user("eve"), ""); err != nil {
					return err
				}
				return tx.InsertCompletedIngestions(ctx, quern.Ingestion{ID: "i", Dataset: "none", Actor: "none", CreatedAt: time.Now()})
			})
			if !quern.Is(err, quern.Conflict) {
				t.Errorf("Update() with an ingestion of no dataset = %v, want Conflict", err)
			}
		}
		if err := s.Update(ctx, func(tx *store.Tx) error { return tx.UpdateData(ctx, quern.Dataset{ID: "none"}) }); err != nil {
			t.Errorf("Update() with nothing but what is put off = %v, want nil", err)
		}
		if err := s.Update(ctx, func(*store.Tx) error { return nil }); err != nil {
			t.Errorf("Update() with nothing = %v, want nil", err)
		}
		if got := usernames(t, s); len(got) != 0 {
			t.Errorf("Users() = %v, want none", got)
		}
	})
}

// TestAFirstStatementThatFails goes on behind a statement that failed, with which the database was to
// hear of the transaction: nothing of it is stored by itself.
func TestAFirstStatementThatFails(t *testing.T) {
	t.Parallel()
	o := storetest.Postgres(t)
	o.Rehearse, o.MaxConns = false, 1
	s, ctx := storetest.Open(t, o), t.Context()
	ada := storetest.User(t, s, "ada")
	for range 2 {
		err := s.Update(ctx, func(tx *store.Tx) error {
			if err := tx.InsertUser(ctx, ada, ""); err == nil {
				t.Error("InsertUser() of one that is there = nil, want an error")
			}
			if err := tx.InsertUser(ctx, user("bob"), ""); err == nil {
				t.Error("InsertUser() behind a statement that failed = nil, want an error")
			}
			return nil
		})
		if err == nil {
			t.Error("Update() that goes on behind an error = nil, want an error")
		}
	}
	if got := usernames(t, s); len(got) != 1 {
		t.Errorf("Users() = %v, want ada", got)
	}
}

// TestTheEndOfAContextIsSaid ends a context in a transaction and goes on until
// the driver has given the transaction up, which it says without a word of why.
func TestTheEndOfAContextIsSaid(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for name, run := range map[string]func(context.Context, func(*store.Tx) error) error{"View": s.View, "Update": s.Update} {
			ctx, cancel := context.WithCancel(t.Context())
			err := run(ctx, func(tx *store.Tx) error {
				cancel()
				for {
					if _, err := tx.Users(t.Context()); errors.Is(err, sql.ErrTxDone) {
						return err
					}
				}
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s() = %v, want the context's error", name, err)
			}
		}
	})
}
