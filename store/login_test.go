package store_test

import (
	"sync"
	"testing"
	"time"

	"quern"
	"quern/store"
	"quern/store/storetest"
)

func TestLoginRoundTrip(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, ada := t.Context(), user("ada")
		now := ada.CreatedAt
		login := store.Login{ID: "l", User: ada, CreatedAt: now, SeenAt: now, ExpiresAt: now.Add(time.Hour)}
		code := store.LoginCode{
			ID: "c", LoginID: "l", RedirectURI: "r", Challenge: "h", Nonce: "n", Scope: "openid",
			ExpiresAt: now.Add(time.Minute), PurgeAt: now.Add(time.Hour),
		}
		err := s.Update(ctx, func(tx *store.Tx) error {
			if err := tx.InsertUser(ctx, ada, ""); err != nil {
				return err
			}
			if err := tx.InsertLogin(ctx, login, []byte("secret")); err != nil {
				return err
			}
			return tx.InsertLoginCode(ctx, code, []byte("code"))
		})
		if err != nil {
			t.Fatalf("InsertLogin() = %v, want nil", err)
		}
		err = s.Update(ctx, func(tx *store.Tx) error {
			if got, err := tx.LoginBySecret(ctx, []byte("secret")); err != nil || got != login {
				t.Errorf("LoginBySecret() = %+v, %v, want %+v", got, err, login)
			}
			if got, err := tx.LoginCode(ctx, []byte("code")); err != nil || got != code {
				t.Errorf("LoginCode() = %+v, %v, want %+v", got, err, code)
			}
			if err := tx.UseLoginCode(ctx, "c", now); err != nil {
				return err
			}
			if _, replayed, err := tx.LoginOfToken(ctx, "l", "c"); err != nil || replayed {
				t.Errorf("LoginOfToken() before a replay = %v, %v, want false", replayed, err)
			}
			if err := tx.RevokeLoginCode(ctx, "c", now); err != nil {
				return err
			}
			if _, replayed, err := tx.LoginOfToken(ctx, "l", "c"); err != nil || !replayed {
				t.Errorf("LoginOfToken() after a replay = %v, %v, want true", replayed, err)
			}
			if err := tx.TouchLogin(ctx, "l", now.Add(time.Minute)); err != nil {
				return err
			}
			return tx.EndLogins(ctx, ada.ID, now.Add(time.Minute))
		})
		if err != nil {
			t.Fatalf("Update() = %v, want nil", err)
		}
		err = s.Update(ctx, func(tx *store.Tx) error {
			got, err := tx.LoginBySecret(ctx, []byte("secret"))
			if err != nil || !got.SeenAt.Equal(now.Add(time.Minute)) || !got.EndedAt.Equal(now.Add(time.Minute)) {
				t.Errorf("LoginBySecret(ended) = %+v, %v, want it seen and ended a minute later", got, err)
			}
			if err := tx.DeleteSpentLogins(ctx, now.Add(2*time.Hour), now.Add(2*time.Hour)); err != nil {
				return err
			}
			_, err = tx.LoginBySecret(ctx, []byte("secret"))
			return err
		})
		if !quern.Is(err, quern.NotFound) {
			t.Errorf("LoginBySecret(spent) = %v, want not found", err)
		}
	})
}

func TestLoginFailuresAreCountedOnceEach(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, now := t.Context(), time.UnixMicro(1700000000000000).UTC()
		take := func(at time.Time) (n int64) {
			err := s.Update(ctx, func(tx *store.Tx) (err error) {
				n, err = tx.TakeLoginFailure(ctx, "x", at, at.Add(time.Hour))
				return err
			})
			if err != nil {
				t.Errorf("TakeLoginFailure() = %v, want nil", err)
			}
			return n
		}
		var mu sync.Mutex
		seen := map[int64]bool{}
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				n := take(now)
				mu.Lock()
				defer mu.Unlock()
				seen[n] = true
			})
		}
		wg.Wait()
		if len(seen) != 10 {
			t.Errorf("10 takers at once got %v, want ten counts", seen)
		}
		if got := take(now.Add(59 * time.Minute)); got != 11 {
			t.Errorf("TakeLoginFailure() within the hour = %d, want 11", got)
		}
		if got := take(now.Add(3 * time.Hour)); got != 1 {
			t.Errorf("TakeLoginFailure() hours later = %d, want 1", got)
		}
		err := s.Update(ctx, func(tx *store.Tx) error {
			if err := tx.BlockLogin(ctx, "x", now.Add(time.Minute)); err != nil {
				return err
			}
			if f, err := tx.LoginFailure(ctx, "x"); err != nil || !f.BlockedUntil.Equal(now.Add(time.Minute)) {
				t.Errorf("LoginFailure(blocked) = %+v, %v, want a minute", f, err)
			}
			for range 2 {
				if err := tx.ReturnLoginFailure(ctx, "x"); err != nil {
					return err
				}
			}
			if f, err := tx.LoginFailure(ctx, "x"); err != nil || f.Failures != 0 || f.BlockedUntil.After(now) {
				t.Errorf("LoginFailure(returned) = %+v, %v, want none", f, err)
			}
			return tx.ForgetLoginFailures(ctx, "x")
		})
		if err != nil {
			t.Errorf("Update() = %v, want nil", err)
		}
	})
}

func TestIdentitiesAreTiedOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, ada, bob := t.Context(), user("ada"), user("bob")
		err := s.Update(ctx, func(tx *store.Tx) error {
			for _, u := range []quern.User{ada, bob} {
				if err := tx.InsertUser(ctx, u, "hash"); err != nil {
					return err
				}
			}
			return tx.InsertIdentity(ctx, "issuer", "1", ada.ID, ada.CreatedAt)
		})
		if err != nil {
			t.Fatalf("InsertIdentity() = %v, want nil", err)
		}
		for _, c := range []struct {
			issuer, subject string
			user            quern.User
			want            quern.Kind
		}{{"issuer", "1", bob, quern.Conflict}, {"issuer", "2", ada, quern.Conflict}} {
			err := s.Update(ctx, func(tx *store.Tx) error {
				return tx.InsertIdentity(ctx, c.issuer, c.subject, c.user.ID, ada.CreatedAt)
			})
			if quern.KindOf(err) != c.want {
				t.Errorf("InsertIdentity(%s, %s) = %v, want %v", c.subject, c.user.Username, err, c.want)
			}
		}
		err = s.View(ctx, func(tx *store.Tx) error {
			if got, err := tx.UserIdentified(ctx, "issuer", "1"); err != nil || got != ada {
				t.Errorf("UserIdentified(1) = %+v, %v, want ada", got, err)
			}
			if got, hash, err := tx.UserPassword(ctx, "bob"); err != nil || got != bob || hash != "hash" {
				t.Errorf("UserPassword(bob) = %+v, %q, %v, want bob and the hash", got, hash, err)
			}
			_, err := tx.UserIdentified(ctx, "other", "1")
			return err
		})
		if !quern.Is(err, quern.NotFound) {
			t.Errorf("UserIdentified(of another issuer) = %v, want not found", err)
		}
	})
}
