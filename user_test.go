package quern_test

import (
	"testing"

	"quern"
)

func TestBegan(t *testing.T) {
	t.Parallel()
	whole := quern.Principal{User: quern.User{ID: "u"}, Token: "t"}
	narrow := whole
	narrow.Scopes = []quern.Scope{}
	for _, c := range []struct {
		p     quern.Principal
		owner quern.UserID
		token quern.TokenID
		want  bool
	}{
		{whole, "u", "t", true}, {whole, "u", "other", true}, {whole, "u", "", true}, {whole, "v", "t", false},
		{narrow, "u", "t", true}, {narrow, "u", "other", false}, {narrow, "u", "", false}, {narrow, "v", "t", false},
	} {
		if got := c.p.Began(c.owner, c.token); got != c.want {
			t.Errorf("Began(%s, %s) = %v under a restricted token: %v, want %v", c.owner, c.token, got, c.p.Restricted(), c.want)
		}
	}
}
