package store_test

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quern"
	"quern/store"
	"quern/store/storetest"
)

func TestTokenRoundTrip(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, ada, bob := t.Context(), user("ada"), user("bob")
		now := ada.CreatedAt
		open := quern.Token{ID: "1", User: ada.ID, Name: "wide", CreatedAt: now}
		narrow := quern.Token{
			ID: "2", User: ada.ID, Name: "näme", CreatedAt: now, ExpiresAt: now.Add(time.Hour),
			Scopes: []quern.Scope{{Username: "ada", Namespace: "sales"}, {Username: "bob", Namespace: "hr", Dataset: "people"}},
		}
		err := s.Update(ctx, func(tx *store.Tx) error {
			for _, u := range []quern.User{ada, bob} {
				if err := tx.InsertUser(ctx, u, ""); err != nil {
					return err
				}
			}
			for _, token := range []quern.Token{open, narrow} {
				if err := tx.InsertToken(ctx, token, "k"); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatalf("InsertToken() = %v, want nil", err)
		}
		tokens := func(u quern.User) (all []quern.Token) {
			if err := s.View(ctx, func(tx *store.Tx) (err error) { all, err = tx.Tokens(ctx, u.ID); return err }); err != nil {
				t.Fatalf("Tokens() = %v, want nil", err)
			}
			return all
		}
		if got, want := tokens(ada), []quern.Token{narrow, open}; !reflect.DeepEqual(got, want) {
			t.Errorf("Tokens(ada) = %+v, want %+v", got, want)
		}
		err = s.Update(ctx, func(tx *store.Tx) error {
			for at, want := range map[time.Duration]int{0: 2, time.Hour: 1} {
				if got, err := tx.CountTokens(ctx, ada.ID, now.Add(at)); err != nil || got != want {
					t.Errorf("CountTokens(+%v) = %d, %v, want %d", at, got, err, want)
				}
			}
			foreign, err := tx.RevokeToken(ctx, bob.ID, "1", now)
			if err != nil || foreign {
				t.Errorf("RevokeToken(bob, 1) = %v, %v, want false", foreign, err)
			}
			for _, at := range []time.Duration{2, 1} {
				if err := tx.TouchToken(ctx, "1", now.Add(at*time.Minute)); err != nil {
					return err
				}
			}
			_, err = tx.RevokeToken(ctx, ada.ID, "1", now.Add(time.Hour))
			return err
		})
		if err != nil {
			t.Fatalf("RevokeToken() = %v, want nil", err)
		}
		err = s.View(ctx, func(tx *store.Tx) error {
			got, err := tx.Token(ctx, "1")
			if !got.LastUsedAt.Equal(now.Add(2*time.Minute)) || !got.RevokedAt.Equal(now.Add(time.Hour)) {
				t.Errorf("Token(1) = %+v, want the later use and the revocation", got)
			}
			return err
		})
		if got := tokens(ada); err != nil || len(got) != 1 {
			t.Errorf("Tokens(ada) after a revocation = %+v, %v, want one", got, err)
		}
	})
}

// TestHoldersTogether looks up tokens of several users, and some that are not there, all at
// once, while they are revoked one after the other: each is told of its own, and nobody who comes
// after a token was revoked is told that it is in force.
func TestHoldersTogether(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		const tokens, askers = 6, 4 // of each token
		var all []quern.Token
		for i := range tokens {
			u := storetest.User(t, s, fmt.Sprint("user", i))
			token := quern.Token{ID: quern.TokenID(fmt.Sprint("token", i)), User: u.ID, CreatedAt: u.CreatedAt}
			if err := s.Update(ctx, func(tx *store.Tx) error { return tx.InsertToken(ctx, token, "k") }); err != nil {
				t.Fatal(err)
			}
			all = append(all, token)
		}
		var revoked [tokens]atomic.Bool
		done := make(chan struct{})
		var asking sync.WaitGroup
		for i := range tokens * askers {
			asking.Go(func() {
				want := all[i%tokens]
				for ended := false; !ended; {
					select {
					case <-done:
						ended = true
					default:
					}
					before := revoked[i%tokens].Load()
					got, u, err := s.TokenHolder(ctx, want.ID)
					if err != nil || got.ID != want.ID || u.ID != want.User || before && got.RevokedAt.IsZero() {
						t.Errorf("TokenHolder(%s) = %+v of %s, %v; revoked before: %v", want.ID, got, u.ID, err, before)
					}
					if _, _, err := s.TokenHolder(ctx, "none"); !quern.Is(err, quern.NotFound) {
						t.Errorf("TokenHolder(none) = %v, want that there is none", err)
					}
				}
			})
		}
		for i, token := range all {
			if err := s.Update(ctx, func(tx *store.Tx) error {
				_, err := tx.RevokeToken(ctx, token.User, token.ID, time.Now())
				return err
			}); err != nil {
				t.Error(err)
			}
			revoked[i].Store(true)
		}
		close(done)
		asking.Wait()
	})
}
