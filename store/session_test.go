package store_test

import (
	"testing"
	"time"

	"quern"
	"quern/store"
	"quern/store/storetest"
)

func TestSessionRoundTrip(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, ada := t.Context(), user("ada")
		now := ada.CreatedAt
		outside := store.Session{
			Session: quern.Session{ID: "a", User: ada, UserAgent: "b", CreatedAt: now, SeenAt: now, ExpiresAt: now.Add(time.Hour)},
			IDToken: "id", RefreshToken: "refresh", RenewAt: now.Add(time.Minute),
		}
		here := store.Session{
			Session: quern.Session{ID: "b", User: ada, CreatedAt: now, SeenAt: now, ExpiresAt: now.Add(time.Hour)}, LoginID: "l",
		}
		update := func(fn func(*store.Tx) error) {
			t.Helper()
			if err := s.Update(ctx, fn); err != nil {
				t.Fatalf("Update() = %v, want nil", err)
			}
		}
		update(func(tx *store.Tx) error {
			if err := tx.InsertUser(ctx, ada, ""); err != nil {
				return err
			}
			if err := tx.InsertLogin(ctx, store.Login{ID: "l", User: ada, CreatedAt: now, SeenAt: now, ExpiresAt: now.Add(time.Hour)}, []byte("l")); err != nil {
				return err
			}
			if err := tx.InsertSession(ctx, outside, []byte("one")); err != nil {
				return err
			}
			return tx.InsertSession(ctx, here, []byte("two"))
		})
		update(func(tx *store.Tx) error {
			if got, err := tx.SessionBySecret(ctx, "", []byte("one")); err != nil || got != outside {
				t.Errorf("SessionBySecret() = %+v, %v, want %+v", got, err, outside)
			}
			if got, err := tx.Session(ctx, "b"); err != nil || got != here {
				t.Errorf("Session() = %+v, %v, want %+v", got, err, here)
			}
			if got, err := tx.Sessions(ctx, ada.ID, now, 1); err != nil || len(got) != 1 || got[0] != here {
				t.Errorf("Sessions(limit 1) = %+v, %v, want the newest", got, err)
			}
			for i, want := range []bool{false, true, false} {
				at := now.Add(time.Duration(i) * time.Minute)
				if mine, err := tx.ClaimRenewal(ctx, "a", at, now.Add(time.Hour)); err != nil || mine != want {
					t.Errorf("ClaimRenewal() after %d minutes = %v, %v, want %v", i, mine, err, want)
				}
			}
			return nil
		})
		// The sign-in's end is the session's, and the other way round.
		update(func(tx *store.Tx) error { return tx.EndLogin(ctx, "l", now) })
		update(func(tx *store.Tx) error {
			if got, err := tx.Session(ctx, "b"); err != nil || !got.EndedAt.Equal(now) {
				t.Errorf("Session(of an ended sign-in) = %+v, %v, want it ended", got, err)
			}
			return tx.EndSessions(ctx, ada.ID, now)
		})
		update(func(tx *store.Tx) error {
			got, err := tx.Session(ctx, "a")
			if err != nil || got.EndedAt.IsZero() || got.RefreshToken != "" || got.IDToken != "" {
				t.Errorf("Session(ended) = %+v, %v, want it ended, without tokens", got, err)
			}
			if list, err := tx.Sessions(ctx, ada.ID, now, 10); err != nil || len(list) != 0 {
				t.Errorf("Sessions() = %+v, %v, want none", list, err)
			}
			if err := tx.DeleteSpentLogins(ctx, now.Add(2*time.Hour), now.Add(2*time.Hour)); err != nil {
				return err
			}
			if _, err := tx.Session(ctx, "a"); !quern.Is(err, quern.NotFound) {
				t.Errorf("Session(spent) = %v, want not found", err)
			}
			return nil
		})
	})
}
