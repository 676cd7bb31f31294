package run_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/run"
	"quern/store"
	"quern/store/storetest"
)

// TestWritesTogether lets many write at once, some of which refuse or fail: each
// learns of its own fate, and what succeeded is there.
func TestWritesTogether(t *testing.T) {
	t.Parallel()
	eachOnce(t, func(t *testing.T, h *house) {
		write, broken, now := run.Batcher(h.store, time.Minute), errors.New("broken"), time.Now()
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
				case i%10 == 1 && !quern.Is(err, quern.Throttled), i%100 == 2 && !errors.Is(err, broken), i%10 != 1 && i%100 != 2 && err != nil:
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

// eachOnce is each on stores that run a transaction once where they can.
func eachOnce(t *testing.T, fn func(*testing.T, *house)) {
	t.Helper()
	for name, options := range storetest.Databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(t)
			o.Rehearse = false
			fn(t, newHouse(t, storetest.Open(t, o)))
		})
	}
}

// TestAWriteThatHangsIsTheStoresFault lets a transaction outlive the patience
// with it: whoever waits for it is to come again, and nothing is written.
func TestAWriteThatHangsIsTheStoresFault(t *testing.T) {
	t.Parallel()
	eachOnce(t, func(t *testing.T, h *house) {
		u := quern.User{ID: "1", Username: "late", CreatedAt: time.Now()}
		err := run.Batcher(h.store, time.Millisecond)(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			<-ctx.Done()
			for { // until the transaction has been given up too
				if err := tx.InsertUser(t.Context(), u, ""); errors.Is(err, sql.ErrTxDone) {
					return err
				}
			}
		})
		h.wantKind("a write that hangs", err, quern.Unavailable)
		h.wantKind("what it wrote", h.store.View(t.Context(), func(tx *store.Tx) error {
			_, err := tx.User(t.Context(), "1")
			return err
		}), quern.NotFound)
	})
}

// TestAWritePanics lets one write of many panic: it fails, the others are there,
// and so is the batcher.
func TestAWritePanics(t *testing.T) {
	t.Parallel()
	eachOnce(t, func(t *testing.T, h *house) {
		write, now := run.Batcher(h.store, time.Minute), time.Now()
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				err := write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
					if i == 7 {
						panic("broken")
					}
					return tx.InsertUser(ctx, quern.User{ID: quern.UserID(fmt.Sprint(i)), Username: fmt.Sprint("user", i), CreatedAt: now}, "")
				})
				if (err != nil) != (i == 7) {
					t.Errorf("write %d = %v, want only the seventh to fail", i, err)
				}
			})
		}
		all.Wait()
	})
}

// TestLeasesWaitForTheWork keeps leases while a transaction of the work is open:
// they wait for their turn here. In the database both would take the same runs,
// each in its own order, and wait for each other until one is given up.
func TestLeasesWaitForTheWork(t *testing.T) {
	t.Parallel()
	eachOnce(t, func(t *testing.T, h *house) {
		open := h.script.gate("plan")
		defer open()
		s, _ := h.working()
		h.ask(s, "How many ships?")
		<-h.script.came
		inside, release, kept, written := make(chan struct{}), make(chan struct{}), make(chan struct{}), make(chan error)
		go func() {
			written <- run.Write(t.Context(), s, func(context.Context, *store.Tx) error {
				close(inside)
				<-release
				return nil
			})
		}()
		<-inside
		go func() {
			run.Keep(t.Context(), s)
			close(kept)
		}()
		for run.Waiting(s) == 0 {
			select {
			case <-kept:
				t.Fatal("the leases were kept in a transaction beside the work's, want them to wait for it")
			default:
				runtime.Gosched()
			}
		}
		close(release)
		h.must(<-written)
		<-kept
	})
}
