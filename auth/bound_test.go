package auth_test

import (
	"testing"

	"github.com/go-jose/go-jose/v4"

	"quern/auth/authtest"
)

// A token that an outside issuer bound to a resource of this server is good there only,
// and changes something only when it was granted that.
func TestIssuersTokensForOneResource(t *testing.T) {
	t.Parallel()
	key := newRSA(t)
	p := newProvider(t, public("k", &key.PublicKey))
	clock := authtest.StoppedClock()
	svc := start(t, onSQLite(t), clock, p.options)
	claims := p.claims(clock.Now(), "1", "ada")
	sign := func(changes ...any) string {
		return forge(t, jose.RS256, key, map[string]any{"kid": "k"}, with(claims, changes...))
	}
	resource := authtest.PublicURL + "/mcp"
	for name, c := range map[string]struct {
		token          string
		here, readOnly bool
	}{
		"everywhere":           {sign(), true, false},
		"bound":                {sign("aud", resource), true, true},
		"bound, read":          {sign("aud", []string{resource}, "scope", "openid read"), true, true},
		"bound, write":         {sign("aud", resource, "scope", "read write"), true, false},
		"bound, almost write":  {sign("aud", resource, "scope", "rewrite"), true, true},
		"bound, scopes a list": {sign("aud", resource, "scope", []string{"write"}), true, true},
		"bound elsewhere":      {sign("aud", authtest.PublicURL+"/other"), false, false},
		"bound to all":         {sign("aud", authtest.PublicURL), false, false},
	} {
		who, err := svc.At("/mcp").Authenticate(t.Context(), c.token)
		if (err == nil) != c.here || who.ReadOnly != c.readOnly {
			t.Errorf("At(/mcp).Authenticate(%s) = %+v, %v, want it let in %v, read-only %v", name, who, err, c.here, c.readOnly)
		}
		if name != "everywhere" {
			wantRefused(t, svc, name, c.token)
		}
	}
	if got := svc.IssuerURL(); got != p.name {
		t.Errorf("IssuerURL() = %q, want the outside issuer %q", got, p.name)
	}
}
