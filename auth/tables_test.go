package auth_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"quern"
	"quern/auth"
)

// A token for tables is its asker's, for its datasets and its time, and no one
// else's door takes it.
func TestTokensForTables(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, b *bench) {
		ctx := t.Context()
		asker, _, err := b.CreateToken(ctx, b.ada, quern.TokenSpec{Name: "asker"})
		if err != nil {
			t.Fatal(err)
		}
		p, err := b.Still(ctx, b.ada.User.ID, asker.ID)
		if err != nil {
			t.Fatal(err)
		}
		datasets := []quern.DatasetID{quern.NewID[quern.DatasetID](), quern.NewID[quern.DatasetID]()}
		made, err := b.SignTables(ctx, p, datasets, 5*time.Minute)
		if err != nil {
			t.Fatalf("SignTables() = %v, want a token", err)
		}
		other, err := b.SignTables(ctx, p, datasets, 5*time.Minute)
		if err != nil || other.ID == made.ID || made.ID == "" {
			t.Errorf("two tokens have the ids %q and %q, %v, want one each", made.ID, other.ID, err)
		}
		got, err := b.ForTables().Authenticate(ctx, made.Secret)
		if err != nil || got.User != b.ada.User || got.Token != asker.ID || !got.ReadOnly || !slices.Equal(got.Datasets, datasets) ||
			got.Until.Sub(b.clock.Now()).Round(time.Second) != 5*time.Minute {
			t.Fatalf("Authenticate(token for tables) = %+v, %v, want ada, her token and the datasets", got, err)
		}
		wantRefused(t, b.Service, "token for tables", made.Secret)
		_, err = b.At("/mcp").Authenticate(ctx, made.Secret)
		wantKind(t, "At(/mcp).Authenticate(token for tables)", err, quern.Unauthentic)
		for name, token := range map[string]string{
			"no token": "", "half of one": made.Secret[:len(made.Secret)/2],
			"another's signature": made.Secret[:strings.LastIndexByte(made.Secret, '.')] + other.Secret[strings.LastIndexByte(other.Secret, '.'):],
		} {
			_, err = b.ForTables().Authenticate(ctx, token)
			wantKind(t, "Authenticate("+name+")", err, quern.Unauthentic)
		}
		if err := b.RevokeToken(ctx, b.ada, asker.ID); err != nil {
			t.Fatal(err)
		}
		_, err = b.ForTables().Authenticate(ctx, made.Secret)
		wantKind(t, "Authenticate(after the asker's token was revoked)", err, quern.Unauthentic)
	})
}

func TestTokensForTablesEnd(t *testing.T) {
	t.Parallel()
	b := newBench(t, onSQLite(t))
	ctx, one := t.Context(), []quern.DatasetID{quern.NewID[quern.DatasetID]()}
	made, err := b.SignTables(ctx, b.ada, one, 5*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.RotateKey(ctx); err != nil {
		t.Fatal(err)
	}
	// Another server of the same store takes it, signed with the key of before.
	if _, err := b.ForTables().Authenticate(ctx, made.Secret); err != nil {
		t.Errorf("Authenticate(signed before the key was replaced) = %v, want ada", err)
	}
	b.clock.Add(5*time.Minute + time.Second)
	_, err = b.ForTables().Authenticate(ctx, made.Secret)
	wantKind(t, "Authenticate(after its time)", err, quern.Unauthentic)
	made, err = b.SignTables(ctx, b.ada, one, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.DisableUser(ctx, "ada"); err != nil {
		t.Fatal(err)
	}
	_, err = b.ForTables().Authenticate(ctx, made.Secret)
	wantKind(t, "Authenticate(of a disabled user)", err, quern.Unauthentic)
	for what, c := range map[string]struct {
		datasets []quern.DatasetID
		life     time.Duration
	}{"nothing": {nil, time.Minute}, "too much": {make([]quern.DatasetID, auth.MaxTables+1), time.Minute}, "no time": {one, 0}, "for long": {one, 25 * time.Hour}} {
		if _, err := b.SignTables(ctx, b.ada, c.datasets, c.life); err == nil {
			t.Errorf("SignTables(%s) = no error, want one", what)
		}
	}
}
