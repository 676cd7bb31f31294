package auth_test

import (
	"testing"

	"github.com/go-jose/go-jose/v4"

	"quern"
	"quern/auth"
	"quern/auth/authtest"
)

// The provider's word makes an administrator of who brings its token, and of nobody else.
func TestProviderNamesAdministrators(t *testing.T) {
	t.Parallel()
	key := newRSA(t)
	p := newProvider(t, public("rsa", &key.PublicKey))
	b := &bench{clock: authtest.StoppedClock()}
	b.Service = start(t, onSQLite(t), b.clock, p.options, func(o *auth.Options) { o.Issuer.AdminClaim = "realm_access.roles=quern-admin" })
	header := map[string]any{"typ": "JWT", "kid": "rsa"}
	come := func(claims map[string]any) quern.Principal {
		t.Helper()
		who, err := b.Authenticate(t.Context(), forge(t, jose.RS256, key, header, claims))
		if err != nil {
			t.Fatal(err)
		}
		return who
	}
	claims := p.claims(b.clock.Now(), "1", "ada")
	admin := come(with(claims, "realm_access", map[string]any{"roles": []string{"quern-admin"}}))
	if !admin.Admin || admin.User.Admin || come(claims).Admin {
		t.Errorf("with the claim = %+v, want an administrator by its token alone", admin)
	}
	// No API token carries the provider's word on.
	if _, _, err := b.CreateToken(t.Context(), admin, quern.TokenSpec{Name: "ops", Admin: true}); !quern.Is(err, quern.Forbidden) {
		t.Errorf("CreateToken() = %v, want Forbidden", err)
	}
	if err := b.SetAdmin(t.Context(), "ada", true); err != nil {
		t.Fatal(err)
	}
	if _, _, err := b.CreateToken(t.Context(), come(claims), quern.TokenSpec{Name: "ops", Admin: true}); err != nil {
		t.Errorf("CreateToken() of who was granted the role = %v, want a token", err)
	}
}
