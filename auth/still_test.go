package auth_test

import (
	"testing"
	"time"

	"quern"
)

func TestStill(t *testing.T) {
	t.Parallel()
	b := newBench(t, onSQLite(t))
	ctx := t.Context()
	p, err := b.Still(ctx, b.ada.User.ID, "")
	if err != nil || p.User.ID != b.ada.User.ID || p.Restricted() {
		t.Errorf("Still() of a user = %+v, %v, want the user", p, err)
	}
	narrow := quern.TokenSpec{Name: "narrow", ExpiresAt: b.clock.Now().Add(time.Hour), Scopes: []quern.Scope{{Username: "ada", Namespace: "n"}}}
	token, _, err := b.CreateToken(ctx, b.ada, narrow)
	if err != nil {
		t.Fatal(err)
	}
	if p, err := b.Still(ctx, b.ada.User.ID, token.ID); err != nil || p.Token != token.ID || !p.Restricted() {
		t.Errorf("Still() with a token = %+v, %v, want what the token reaches", p, err)
	}
	_, err = b.Still(ctx, b.ada.User.ID, "no-such-token")
	wantKind(t, "Still() with no such token", err, quern.Forbidden)
	_, err = b.Still(ctx, "no-such-user", "")
	wantKind(t, "Still() of nobody", err, quern.Forbidden)
	revoked, _, err := b.CreateToken(ctx, b.ada, quern.TokenSpec{Name: "revoked"})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.RevokeToken(ctx, b.ada, revoked.ID); err != nil {
		t.Fatal(err)
	}
	_, err = b.Still(ctx, b.ada.User.ID, revoked.ID)
	wantKind(t, "Still() with a revoked token", err, quern.Forbidden)
	b.clock.Add(2 * time.Hour)
	_, err = b.Still(ctx, b.ada.User.ID, token.ID)
	wantKind(t, "Still() with an expired token", err, quern.Forbidden)
	if err := b.DisableUser(ctx, "ada"); err != nil {
		t.Fatal(err)
	}
	_, err = b.Still(ctx, b.ada.User.ID, "")
	wantKind(t, "Still() of a disabled user", err, quern.Forbidden)
}
