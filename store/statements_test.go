package store_test

import (
	"fmt"
	"testing"

	"quern/store"
	"quern/store/storetest"
)

// Statements that stay prepared are read again while they are read, see what was written
// since, and are no more than some.
func TestStatementsStayPrepared(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		for users := 1; users <= 3; users++ {
			if err := s.Update(ctx, func(tx *store.Tx) error {
				if err := tx.InsertUser(ctx, user(fmt.Sprintf("user%d", users)), ""); err != nil {
					return err
				}
				return tx.Exec(ctx, fmt.Sprintf("CREATE TABLE other%d (n INTEGER)", users))
			}); err != nil {
				t.Fatal(err)
			}
			if err := s.View(ctx, func(tx *store.Tx) error {
				for range 3 {
					if s.Dialect() != "sqlite" {
						break // rows are read to their end there before the next statement
					}
					pairs, err := tx.Pairs(ctx, "SELECT username FROM users")
					if err != nil || pairs != users*users {
						t.Errorf("Pairs() of %d users = %d, %v, want %d", users, pairs, err, users*users)
					}
				}
				for i := range 200 {
					if n, err := tx.Count(ctx, fmt.Sprintf("SELECT count(*) + %d FROM users", i)); err != nil || n != int64(users+i) {
						t.Errorf("Count() + %d = %d, %v, want %d", i, n, err, users+i)
					}
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.View(ctx, func(tx *store.Tx) error {
			_, err := tx.Count(ctx, "SELECT no_such_column FROM users")
			return err
		}); err == nil {
			t.Error("a statement that is wrong = nil, want an error")
		}
	})
}
