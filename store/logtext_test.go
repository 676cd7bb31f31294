package store_test

import (
	"strings"
	"testing"
	"time"

	"quern"
	"quern/store"
	"quern/store/storetest"
)

func TestLogIsToldCodesNotWhatDriversSay(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		u := quern.User{ID: quern.NewID[quern.UserID](), Username: "secretive", CreatedAt: time.Now()}
		insert := func(tx *store.Tx) error { return tx.InsertUser(t.Context(), u, "") }
		if err := s.Update(t.Context(), insert); err != nil {
			t.Fatal(err)
		}
		err := s.Update(t.Context(), insert)
		text := quern.LogText(err)
		if !quern.Is(err, quern.Conflict) || strings.Contains(text, "secretive") || strings.Contains(text, string(u.ID)) ||
			strings.Contains(text, "users.") {
			t.Errorf("LogText of a taken name = %q, want a conflict, no values and no words of the driver", text)
		}
		if want := map[string]string{"sqlite": ": sqlite: ", "postgres": ": postgres: 23505 users_"}[s.Dialect()]; !strings.Contains(text, want) {
			t.Errorf("LogText of a taken name = %q, want %q in it", text, want)
		}
	})
}

func TestLogIsNotToldWhereTheDatabaseIs(t *testing.T) {
	t.Parallel()
	_, err := store.Open(t.Context(), store.Options{URL: "postgres://someone:hunter2@127.0.0.1:1/accounts?connect_timeout=2"})
	if text := quern.LogText(err); err == nil || strings.Contains(text, "someone") || strings.Contains(text, "accounts") ||
		!strings.Contains(text, "refused") {
		t.Errorf("LogText of a database that is away = %q, want only that the connection is refused", text)
	}
}
