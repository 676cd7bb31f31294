package auth

import (
	"encoding/json"
	"testing"
)

func TestAdminClaims(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		claims, want string
		grants       bool
	}{
		{`{"roles":["a","quern-admin"]}`, "roles=quern-admin", true},
		{`{"roles":"quern-admin"}`, "roles=quern-admin", true},
		{`{"roles":["quern-administrator"]}`, "roles=quern-admin", false},
		{`{"roles":["a"]}`, "roles=quern-admin", false},
		{`{}`, "roles=quern-admin", false},
		{`{"roles":null}`, "roles=quern-admin", false},
		{`{"roles":{"quern-admin":true}}`, "roles=quern-admin", false},
		{`{"realm_access":{"roles":["quern-admin"]}}`, "realm_access.roles=quern-admin", true},
		{`{"realm_access":["roles"]}`, "realm_access.roles=quern-admin", false},
		{`{"a":{"b":{"c":"x"}}}`, "a.b.c=x", true},
		{`{"https://x.example/roles":["y"]}`, "https://x.example/roles=y", true},
		{`{"admin":true}`, "admin=true", true},
		{`{"admin":false}`, "admin=true", false},
		{`{"admin":1}`, "admin=1", false},
	} {
		var all map[string]json.RawMessage
		if err := json.Unmarshal([]byte(c.claims), &all); err != nil {
			t.Fatal(err)
		}
		if got := grantsAdmin(all, c.want); got != c.grants {
			t.Errorf("grantsAdmin(%s, %s) = %v, want %v", c.claims, c.want, got, c.grants)
		}
	}
}
