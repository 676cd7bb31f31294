package backup_test

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/backup"
	"quern/blob"
	"quern/blob/fs"
	"quern/catalog"
	"quern/store"
	"quern/store/storetest"
)

// slow is a source whose first object waits to be read.
type slow struct {
	*fs.Store
	once          sync.Once
	reached, goOn chan struct{}
}

func newSlow(objects *fs.Store) *slow {
	return &slow{Store: objects, reached: make(chan struct{}), goOn: make(chan struct{})}
}

func (s *slow) Stat(ctx context.Context, key string) (blob.Info, error) {
	s.wait(ctx)
	return s.Store.Stat(ctx, key)
}

func (s *slow) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	s.wait(ctx)
	return s.Store.Open(ctx, key, offset, length)
}

func (s *slow) wait(ctx context.Context) {
	s.once.Do(func() { close(s.reached) })
	select {
	case <-s.goOn:
	case <-ctx.Done():
	}
}

// What a running backup has yet to copy is not swept although its dataset is gone; what
// is swept once the backup is over.
func TestNothingIsSweptThatABackupHasYetToCopy(t *testing.T) {
	t.Parallel()
	for name, options := range storetest.Databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, options(t))
			source := newSlow(h.objects)
			place, _ := folderPlace(t)
			c := h.creation(place, backup.Lock{})
			c.Objects = source
			done := make(chan error, 1)
			go func() {
				_, m, err := backup.Create(t.Context(), c)
				if err == nil && len(m.Missing) > 0 {
					err = quern.E(quern.NotFound, quern.CodeNotFound, "missing: %v", m.Missing)
				}
				done <- err
			}()
			<-source.reached
			sets := catalog.New(catalog.Options{Store: h.store, Now: time.Now})
			emptied := h.emptyAll()
			if n, err := sets.Sweep(t.Context(), h.objects); n != 0 || err != nil {
				t.Errorf("Sweep() during a backup = %d, %v, want nothing swept", n, err)
			}
			close(source.goOn)
			if err := <-done; err != nil {
				t.Fatalf("Create() = %v, want a whole backup", err)
			}
			if n, err := sets.Sweep(t.Context(), h.objects); n != emptied || err != nil {
				t.Errorf("Sweep() after a backup = %d, %v, want %d swept", n, err, emptied)
			}
			if _, _, err := backup.Verify(t.Context(), place, backup.Unlock{}, "", nil); err != nil {
				t.Errorf("Verify() = %v, want the backup whole", err)
			}
		})
	}
}

// emptyAll takes the segments out of all datasets, long ago, and returns how many.
func (h *house) emptyAll() (n int) {
	h.t.Helper()
	ctx := h.t.Context()
	err := h.store.Update(ctx, func(tx *store.Tx) error {
		var keys []string
		err := tx.NeededObjects(ctx, func(o store.Object) error {
			if strings.HasPrefix(o.Key, "tables/") {
				keys = append(keys, o.Key)
			}
			return nil
		})
		for _, key := range keys {
			if err == nil {
				err = tx.InsertGarbage(ctx, key, time.Now().Add(-time.Hour))
			}
		}
		n = len(keys)
		return err
	})
	if err != nil || n == 0 {
		h.t.Fatalf("%d segments became garbage, %v, want some", n, err)
	}
	return n
}

// A hold whose backup died ends by itself; one that is lost ends its backup.
func TestAHoldEnds(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		now := time.Now()
		err := s.Update(t.Context(), func(tx *store.Tx) error {
			return tx.InsertHold(t.Context(), "dead", "a backup", now, now.Add(time.Minute))
		})
		if err != nil {
			t.Fatal(err)
		}
		for after, want := range map[time.Duration]bool{0: true, 59 * time.Second: true, 2 * time.Minute: false} {
			var held bool
			err := s.View(t.Context(), func(tx *store.Tx) (err error) {
				held, err = tx.Held(t.Context(), now.Add(after))
				return err
			})
			if err != nil || held != want {
				t.Errorf("Held() after %v = %v, %v, want %v", after, held, err, want)
			}
		}
	})
}

func TestALostHoldEndsTheBackup(t *testing.T) {
	t.Parallel()
	h := newHouse(t, storetest.SQLite(t))
	place, _ := folderPlace(t)
	source := newSlow(h.objects)
	c := h.creation(place, backup.Lock{})
	c.Objects, c.Renew = source, time.Millisecond
	done := make(chan error, 1)
	go func() {
		_, _, err := backup.Create(t.Context(), c)
		done <- err
	}()
	<-source.reached
	err := h.store.Update(t.Context(), func(tx *store.Tx) error {
		// A later hold forgets those that have ended, which this one is made to have.
		return tx.InsertHold(t.Context(), "later", "", time.Now().Add(24*time.Hour), time.Now().Add(25*time.Hour))
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-done; err == nil || !strings.Contains(err.Error(), "the hold on the objects was lost") {
		t.Errorf("Create() = %v, want that its hold was lost", err)
	}
	if all, err := backup.List(t.Context(), place, backup.Unlock{}); err != nil || len(all) != 0 {
		t.Errorf("List() = %+v, %v, want no backup", all, err)
	}
}
