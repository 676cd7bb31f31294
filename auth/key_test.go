package auth_test

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/auth"
	"quern/auth/authtest"
	"quern/store"
	"quern/store/storetest"
)

func kids(t *testing.T, svc *authtest.Service) []string {
	t.Helper()
	raw, err := svc.JWKS(t.Context())
	if err != nil {
		t.Fatalf("JWKS() = %v, want keys", err)
	}
	var set struct {
		Keys []map[string]string `json:"keys"`
	}
	if err := json.Unmarshal(raw, &set); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, k := range set.Keys {
		if k["d"] != "" || k["kty"] != "RSA" || k["alg"] != "RS256" || k["use"] != "sig" {
			t.Errorf("JWKS() has %v, want public RS256 keys", k)
		}
		ids = append(ids, k["kid"])
	}
	return ids
}

func TestRotation(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		ctx := t.Context()
		_, session := b.session(t)
		_, lasting := b.NewToken(b.ada, quern.TokenSpec{})
		brief, _ := b.NewToken(b.ada, quern.TokenSpec{ExpiresAt: b.clock.Now().Add(3 * time.Hour)})
		before := kids(t, b.Service)
		b.clock.Add(time.Second)
		if err := b.RotateKey(ctx); err != nil {
			t.Fatalf("RotateKey() = %v, want nil", err)
		}
		after := kids(t, b.Service)
		if len(before) != 1 || len(after) != 2 || after[1] != before[0] {
			t.Fatalf("JWKS() = %v, then %v, want the old key behind a new one", before, after)
		}
		for name, token := range map[string]string{"session": session.Access, "API token": lasting} {
			if _, err := b.Authenticate(ctx, token); err != nil {
				t.Errorf("Authenticate(%s of the old key) = %v, want nil", name, err)
			}
		}
		b.clock.Add(2 * time.Hour)
		if got := kids(t, b.Service); !slices.Equal(got, after) {
			t.Errorf("JWKS() with API tokens in force = %v, want %v", got, after)
		}
		if _, err := b.Authenticate(ctx, lasting); err != nil {
			t.Errorf("Authenticate(API token of the old key) = %v, want nil", err)
		}
		all, _ := b.Tokens(ctx, b.ada)
		for _, token := range all {
			if token.ID != brief.ID {
				_ = b.RevokeToken(ctx, b.ada, token.ID)
			}
		}
		b.clock.Add(2 * time.Hour)
		if got := kids(t, b.Service); !slices.Equal(got, after[:1]) {
			t.Errorf("JWKS() once all its tokens are gone = %v, want %v", got, after[:1])
		}
	})
}

func TestKeysLastAcrossRestartsAndReplicas(t *testing.T) {
	t.Parallel()
	for name, options := range storetest.Databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(t)
			first := newBench(t, storetest.Open(t, o))
			_, session := first.session(t)
			_, token := first.NewToken(first.ada, quern.TokenSpec{})
			second := start(t, storetest.Open(t, o), first.clock)
			for range 2 {
				for _, svc := range []*authtest.Service{first.Service, second} {
					for _, secret := range []string{session.Access, token} {
						if _, err := svc.Authenticate(t.Context(), secret); err != nil {
							t.Errorf("Authenticate() = %v, want nil", err)
						}
					}
				}
				if err := second.RotateKey(t.Context()); err != nil {
					t.Fatalf("RotateKey() = %v, want nil", err)
				}
				_, session = first.session(t)
			}
		})
	}
}

func TestReplicasAgreeOnOneKey(t *testing.T) {
	t.Parallel()
	for name, options := range storetest.Databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o, c := options(t), authtest.StoppedClock()
			var replicas []*authtest.Service
			for range 3 {
				replicas = append(replicas, start(t, storetest.Open(t, o), c))
			}
			for round := 1; round <= 2; round++ {
				var wg sync.WaitGroup
				for _, svc := range replicas {
					wg.Go(func() {
						if _, err := svc.JWKS(context.Background()); err != nil {
							t.Errorf("JWKS() = %v, want nil", err)
						}
					})
				}
				wg.Wait()
				for _, svc := range replicas {
					if got := kids(t, svc); len(got) != round {
						t.Errorf("JWKS() in round %d = %v, want %d keys", round, got, round)
					}
				}
				// Old enough for a new one; the old one stays for its sessions.
				c.Add(90 * 24 * time.Hour)
			}
		})
	}
}

func TestSpentRowsAreRemoved(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		b := newBench(t, s)
		ctx := t.Context()
		login, _ := b.session(t)
		if _, err := b.NewCode(ctx, auth.Grant{Login: login}); err != nil {
			t.Fatal(err)
		}
		err := s.Update(ctx, func(tx *store.Tx) error {
			later := b.clock.Now().Add(30 * 24 * time.Hour)
			return tx.DeleteSpentLogins(ctx, later, later)
		})
		if err != nil {
			t.Fatalf("DeleteSpentLogins() = %v, want nil", err)
		}
		err = s.View(ctx, func(tx *store.Tx) error {
			_, _, err := tx.LoginOfToken(ctx, login.ID, "")
			return err
		})
		wantKind(t, "LoginOfToken(spent)", err, quern.NotFound)
	})
}
