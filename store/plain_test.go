package store_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"quern/store"
	"quern/store/storetest"
)

// However a View ends, the next sees what was written since.
func TestViewsEndTheirSnapshot(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		count := func(ctx context.Context, tx *store.Tx) (int64, error) {
			return tx.Count(ctx, "SELECT count(*) FROM users")
		}
		own := errors.New("own")
		for users, end := range []func(ctx context.Context, leave func(), tx *store.Tx) error{
			func(context.Context, func(), *store.Tx) error { return nil },
			func(context.Context, func(), *store.Tx) error { return own },
			func(context.Context, func(), *store.Tx) error { panic(own) },
			func(ctx context.Context, leave func(), tx *store.Tx) error {
				leave()
				n, err := count(ctx, tx)
				if err == nil {
					t.Errorf("a statement behind the end of its context = %d, want an error", n)
				}
				return err
			},
			func(ctx context.Context, _ func(), tx *store.Tx) error {
				_, err := tx.Count(ctx, "SELECT no_such_column FROM users")
				return err
			},
		} {
			ctx, leave := context.WithCancel(t.Context())
			func() {
				defer func() { _ = recover() }()
				_ = s.View(ctx, func(tx *store.Tx) error {
					if n, err := count(ctx, tx); err != nil || n != int64(users) {
						t.Errorf("View %d sees %d users, %v, want %d", users, n, err, users)
					}
					return end(ctx, leave, tx)
				})
			}()
			leave()
			if err := s.Update(t.Context(), func(tx *store.Tx) error {
				return tx.InsertUser(t.Context(), user(fmt.Sprintf("user%d", users)), "")
			}); err != nil {
				t.Fatal(err)
			}
		}
	})
}
