package ingest_test

import (
	"testing"
	"time"

	"quern"
	"quern/ingest"
)

// TestAnIngestionEndsWithItsAsker holds ingestions to what auth says of whoever
// asked for them, at the time of the work.
func TestAnIngestionEndsWithItsAsker(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*testing.T, *fileHouse, quern.TokenID)
		want   string
	}{
		"expired": {
			func(_ *testing.T, m *fileHouse, _ quern.TokenID) { m.clock.Add(2 * time.Hour) },
			"the token that asked has expired",
		},
		"revoked": {
			func(t *testing.T, m *fileHouse, id quern.TokenID) {
				must(t, m.Auth.RevokeToken(t.Context(), m.ada, id))
			},
			"the token that asked was revoked",
		},
		"disabled": {
			func(t *testing.T, m *fileHouse, _ quern.TokenID) { must(t, m.Auth.DisableUser(t.Context(), "ada")) },
			"the user who asked is disabled",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newFileHouse(t)
			token, _, err := m.Auth.CreateToken(t.Context(), m.ada, quern.TokenSpec{Name: "soon over", ExpiresAt: time.Now().Add(time.Hour)})
			must(t, err)
			asker := quern.Principal{User: m.ada.User, Token: token.ID, Scopes: token.Scopes}
			id, err := m.ingest.Start(t.Context(), asker, dataset("it"), ingest.Request{Session: m.upload(file{"a.csv", []byte("id\n1\n")})})
			must(t, err)
			c.change(t, m, token.ID)
			if took, err := m.ingest.WorkOnce(t.Context()); !took || err != nil {
				t.Fatalf("WorkOnce() = %v, %v, want true", took, err)
			}
			if got := m.ingestion(id); got.Status != quern.IngestionFailed || got.Message != c.want {
				t.Errorf("ingestion = %s %q, want failed, %q", got.Status, got.Message, c.want)
			}
		})
	}
}
