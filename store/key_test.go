package store_test

import (
	"slices"
	"testing"
	"time"

	"quern"
	"quern/store"
	"quern/store/storetest"
)

func TestKeysAreKeptWhileTheyAreNeeded(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, now := t.Context(), time.UnixMicro(1700000000000000).UTC()
		ada := user("ada")
		update := func(fn func(*store.Tx) error) {
			t.Helper()
			if err := s.Update(ctx, fn); err != nil {
				t.Fatalf("Update() = %v, want nil", err)
			}
		}
		put := func(id string, at time.Time) func(*store.Tx) error {
			return func(tx *store.Tx) error {
				return tx.InsertKey(ctx, store.Key{ID: id, Private: []byte{0, 1, 255}, Public: []byte("public"), CreatedAt: at})
			}
		}
		kept := func(at time.Time) (ids []string) {
			t.Helper()
			update(func(tx *store.Tx) error { return tx.DeleteSpentKeys(ctx, at) })
			err := s.View(ctx, func(tx *store.Tx) error {
				ids = nil
				all, err := tx.Keys(ctx, at)
				for _, k := range all {
					ids = append(ids, k.ID)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return ids
		}
		update(func(tx *store.Tx) error { return tx.InsertUser(ctx, ada, "") })
		update(put("a", now))
		if err := s.Update(ctx, put("b", now)); !quern.Is(err, quern.Conflict) {
			t.Errorf("InsertKey() beside one in use = %v, want a conflict", err)
		}
		token := quern.Token{ID: "1", User: ada.ID, Name: "x", CreatedAt: now, ExpiresAt: now.Add(3 * time.Hour)}
		update(func(tx *store.Tx) error { return tx.InsertToken(ctx, token, "a") })
		update(func(tx *store.Tx) error {
			retired, err := tx.RetireKey(ctx, "a", now.Add(time.Hour))
			again, _ := tx.RetireKey(ctx, "a", now.Add(9*time.Hour))
			if !retired || again {
				t.Errorf("RetireKey(a) = %v, then %v, want true, then false", retired, again)
			}
			return err
		})
		update(put("b", now.Add(time.Second)))
		for _, c := range []struct {
			after time.Duration
			want  []string
		}{{0, []string{"b", "a"}}, {2 * time.Hour, []string{"b", "a"}}, {3 * time.Hour, []string{"b"}}} {
			if got := kept(now.Add(c.after)); !slices.Equal(got, c.want) {
				t.Errorf("Keys(+%v) = %v, want %v", c.after, got, c.want)
			}
		}
		err := s.View(ctx, func(tx *store.Tx) error {
			k, err := tx.SigningKey(ctx)
			if err == nil && (k.ID != "b" || !slices.Equal(k.Private, []byte{0, 1, 255}) || !k.ExpiresAt.IsZero()) {
				t.Errorf("SigningKey() = %+v, want b as it was put", k)
			}
			_, gone := tx.Key(ctx, "a", now)
			if !quern.Is(gone, quern.NotFound) {
				t.Errorf("Key(a) = %v, want not found", gone)
			}
			return err
		})
		if err != nil {
			t.Errorf("SigningKey() = %v, want nil", err)
		}
	})
}

func TestRetiredKeysLoseTheirPrivateHalf(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, now := t.Context(), time.UnixMicro(1700000000000000).UTC()
		err := s.Update(ctx, func(tx *store.Tx) error {
			if err := tx.InsertKey(ctx, store.Key{ID: "a", Private: []byte("private"), Public: []byte("public"), CreatedAt: now}); err != nil {
				return err
			}
			if _, err := tx.RetireKey(ctx, "a", now.Add(time.Hour)); err != nil {
				return err
			}
			k, err := tx.Key(ctx, "a", now)
			if err == nil && (len(k.Private) != 0 || string(k.Public) != "public") {
				t.Errorf("Key(retired) = %+v, want the public half alone", k)
			}
			return err
		})
		if err != nil {
			t.Errorf("Update() = %v, want nil", err)
		}
	})
}
