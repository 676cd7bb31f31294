package store_test

import (
	"reflect"
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
