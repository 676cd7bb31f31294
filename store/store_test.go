package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/store"
	"quern/store/storetest"
)

func user(name string) quern.User {
	return quern.User{ID: quern.NewID[quern.UserID](), Username: name, CreatedAt: time.UnixMicro(1700000000123456).UTC()}
}

func TestUserRoundTrip(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, ada := t.Context(), user("ada")
		if err := s.Update(ctx, func(tx *store.Tx) error { return tx.InsertUser(ctx, ada, "") }); err != nil {
			t.Fatalf("InsertUser(ada) = %v, want nil", err)
		}
		err := s.View(ctx, func(tx *store.Tx) error {
			byID, err := tx.User(ctx, ada.ID)
			if err != nil || byID != ada {
				t.Errorf("User(%s) = %+v, %v, want %+v", ada.ID, byID, err, ada)
			}
			byName, err := tx.UserNamed(ctx, "ada")
			if err != nil || byName != ada {
				t.Errorf("UserNamed(ada) = %+v, %v, want %+v", byName, err, ada)
			}
			return nil
		})
		if err != nil {
			t.Fatalf("View() = %v, want nil", err)
		}
	})
}

func TestDriverCodesBecomeKinds(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		insert := func() error {
			return s.Update(ctx, func(tx *store.Tx) error { return tx.InsertUser(ctx, user("ada"), "") })
		}
		if err := insert(); err != nil {
			t.Fatalf("InsertUser(ada) = %v, want nil", err)
		}
		if got := quern.KindOf(insert()); got != quern.Conflict {
			t.Errorf("second InsertUser(ada) is %v, want %v", got, quern.Conflict)
		}
		missing := s.View(ctx, func(tx *store.Tx) error {
			_, err := tx.UserNamed(ctx, "bob")
			return err
		})
		if got := quern.KindOf(missing); got != quern.NotFound {
			t.Errorf("UserNamed(bob) is %v, want %v", got, quern.NotFound)
		}
	})
}

func TestUpdateIsAllOrNothing(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, broken := t.Context(), errors.New("broken")
		err := s.Update(ctx, func(tx *store.Tx) error {
			if err := tx.InsertUser(ctx, user("ada"), ""); err != nil {
				return err
			}
			return broken
		})
		if !errors.Is(err, broken) {
			t.Fatalf("Update() = %v, want %v", err, broken)
		}
		func() {
			defer func() { _ = recover() }()
			_ = s.Update(ctx, func(tx *store.Tx) error {
				_ = tx.InsertUser(ctx, user("bob"), "")
				panic("broken")
			})
		}()
		if got := usernames(t, s); len(got) != 0 {
			t.Errorf("Users() = %v, want none", got)
		}
	})
}

func TestConcurrentUpdatesAllLand(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		const writers, each = 8, 10
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				for i := range each {
					ctx := t.Context()
					u := user(fmt.Sprintf("u%d-%d", w, i))
					if err := s.Update(ctx, func(tx *store.Tx) error { return tx.InsertUser(ctx, u, "") }); err != nil {
						t.Errorf("InsertUser(%s) = %v, want nil", u.Username, err)
					}
				}
			})
		}
		wg.Wait()
		if got := len(usernames(t, s)); got != writers*each {
			t.Errorf("len(Users()) = %d, want %d", got, writers*each)
		}
	})
}

func TestTwoServersMigrateAtOnce(t *testing.T) {
	t.Parallel()
	for name, options := range storetest.Databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(t)
			var wg sync.WaitGroup
			for range 6 {
				wg.Go(func() {
					s, err := store.Open(t.Context(), o)
					if err != nil {
						t.Errorf("Open() = %v, want nil", err)
						return
					}
					_ = s.Close()
				})
			}
			wg.Wait()
		})
	}
}

// A schema that is newer than the program is used as it is where it says that it works
// with the program, which is one release, and refused else.
func TestNewerSchemaIsRefused(t *testing.T) {
	t.Parallel()
	for name, options := range storetest.Databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(t)
			storetest.Open(t, o)
			driver, address := "sqlite", o.File
			if o.URL != "" {
				driver, address = "pgx", o.URL
			}
			db, err := sql.Open(driver, address)
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			if _, err := db.ExecContext(t.Context(), `INSERT INTO schema_version (version) VALUES (9999)`); err != nil {
				t.Fatal(err)
			}
			_, err = store.Open(t.Context(), o)
			if newer, ok := errors.AsType[*store.NewerSchemaError](err); !ok || newer.Have != 9999 {
				t.Errorf("Open(newer schema) = %v, want a NewerSchemaError at 9999", err)
			}
			for oldest, works := range map[int]bool{store.SchemaVersion(): true, store.SchemaVersion() - 1: true, store.SchemaVersion() + 1: false} {
				if _, err := db.ExecContext(t.Context(), `UPDATE schema_version SET oldest = $1 WHERE version = 9999`, oldest); err != nil {
					t.Fatal(err)
				}
				s, err := store.Open(t.Context(), o)
				if (err == nil) != works {
					t.Errorf("Open(newer schema that works from %d on) = %v, want it to work: %v", oldest, err, works)
				}
				if err == nil {
					err = s.Close()
				}
				if newer, ok := errors.AsType[*store.NewerSchemaError](err); err != nil && (!ok || newer.Know != store.SchemaVersion()) {
					t.Errorf("Open(newer schema that works from %d on) = %v, want a NewerSchemaError", oldest, err)
				}
			}
		})
	}
}

func TestUnreachableDatabaseIsUnavailableAndHidesTheAddress(t *testing.T) {
	t.Parallel()
	_, err := store.Open(t.Context(), store.Options{URL: "postgres://quern:hunter2@127.0.0.1:1/none?connect_timeout=2"})
	if !quern.Is(err, quern.Unavailable) {
		t.Errorf("Open(closed port) is %v, want %v", quern.KindOf(err), quern.Unavailable)
	}
	_, err = store.Open(t.Context(), store.Options{URL: "postgres://quern:hunter2@127.0.0.1:99999999/none"})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("Open(bad address) = %v, want an error without the password", err)
	}
}

func usernames(t *testing.T, s *store.Store) []string {
	t.Helper()
	var names []string
	err := s.View(context.Background(), func(tx *store.Tx) error {
		names = nil
		all, err := tx.Users(context.Background())
		for _, u := range all {
			names = append(names, u.Username)
		}
		return err
	})
	if err != nil {
		t.Fatalf("Users() = %v, want nil", err)
	}
	return names
}

// A migration that servers of the release before cannot stand says so: it raises the
// oldest program that works.
func TestMigrationsKeepTheReleaseBeforeWorking(t *testing.T) {
	t.Parallel()
	o := storetest.SQLite(t)
	storetest.Open(t, o)
	db, err := sql.Open("sqlite", o.File)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var oldest int
	if err := db.QueryRowContext(t.Context(), `SELECT oldest FROM schema_version ORDER BY version DESC LIMIT 1`).Scan(&oldest); err != nil || oldest == 0 {
		t.Fatalf("the oldest program that works = %d, %v, want one", oldest, err)
	}
	files, err := filepath.Glob("migrations/*.sql")
	if err != nil || len(files) != store.SchemaVersion() {
		t.Fatalf("migrations/*.sql = %v, %v, want %d", files, err, store.SchemaVersion())
	}
	takesAway := regexp.MustCompile(`(?i)\b(DROP|RENAME)\b`)
	addsStrictly := regexp.MustCompile(`(?im)ADD COLUMN .*NOT NULL(?P<rest>[^;]*);`)
	for i, file := range files[oldest:] {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		strict := false
		for _, m := range addsStrictly.FindAllStringSubmatch(string(text), -1) {
			strict = strict || !strings.Contains(strings.ToUpper(m[0]), "DEFAULT")
		}
		if takesAway.Match(text) || strict {
			t.Errorf("%s breaks programs of schema version %d: add first and take away a release later, or raise worksFrom to %d",
				file, oldest, oldest+i+1)
		}
	}
}
