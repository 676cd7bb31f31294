package run_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/run"
	"quern/store"
)

// TestWritesTogether lets many write at once, some of which refuse or fail: each
// learns of its own fate, and what succeeded is there.
func TestWritesTogether(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, h *house) {
		write, broken, now := run.Scribe(h.store), errors.New("broken"), time.Now()
		const writers = 300
		var transactions sync.Map
		var all sync.WaitGroup
		for i := range writers {
			all.Go(func() {
				err := write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
					transactions.Store(tx, true)
					switch {
					case i%10 == 1:
						return quern.E(quern.Throttled, quern.CodeThrottled, "%d", i)
					case i%100 == 2:
						// Half a write, which must not stay.
						return errors.Join(tx.InsertUser(ctx, quern.User{ID: quern.UserID(fmt.Sprint("half", i)), Username: fmt.Sprint("half", i), CreatedAt: now}, ""), broken)
					}
					return tx.InsertUser(ctx, quern.User{ID: quern.UserID(fmt.Sprint(i)), Username: fmt.Sprint("user", i), CreatedAt: now}, "")
				})
				switch {
				case i%10 == 1 && quern.KindOf(err) != quern.Throttled, i%100 == 2 && !errors.Is(err, broken), i%10 != 1 && i%100 != 2 && err != nil:
					t.Errorf("write %d = %v, want what its function gave", i, err)
				}
			})
		}
		all.Wait()
		h.must(h.store.View(t.Context(), func(tx *store.Tx) error {
			for i := range writers {
				_, err := tx.User(t.Context(), quern.UserID(fmt.Sprint(i)))
				_, half := tx.User(t.Context(), quern.UserID(fmt.Sprint("half", i)))
				if there := err == nil; there != (i%10 != 1 && i%100 != 2) || half == nil {
					t.Errorf("write %d is there: %v, and half of it: %v", i, there, half == nil)
				}
			}
			return nil
		}))
		n := 0
		transactions.Range(func(any, any) bool {
			n++
			return true
		})
		t.Logf("%d writes in %d transactions", writers, n)
		if n >= writers {
			t.Errorf("%d writes took %d transactions, want fewer", writers, n)
		}
	})
}
