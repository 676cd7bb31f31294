package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"quern/api"
	"quern/auth/authtest"
)

// browse asks with the cookie of a session.
func (h *house) browse(secret, method, path, body string) answer {
	h.t.Helper()
	return h.do(ask{method: method, path: "/api/v1" + path, body: body, header: http.Header{
		"Cookie": {"quern_session=" + secret}, "Sec-Fetch-Site": {"same-origin"},
	}})
}

func TestBrowsersNeedNoToken(t *testing.T) {
	t.Parallel()
	eachHouse(t, func(t *testing.T, h *house) {
		_, err := h.auth.AddUser(t.Context(), "ada", authtest.Password)
		must(t, err)
		one, secret := authtest.SignIn(t, h.auth, "ada")
		two, other := authtest.SignIn(t, h.auth, "ada")
		if a := h.browse(secret, "GET", "/user/me", ""); a.StatusCode != 200 || strings.Contains(a.body, "tokenId") {
			t.Errorf("GET /user/me = %d %s, want ada without a token", a.StatusCode, a.body)
		}
		if a := h.browse(secret, "POST", "/ingest/harbour/arrivals", `{"data":[{"a":1}]}`); a.StatusCode != 200 {
			t.Errorf("POST of a page = %d %s, want 200", a.StatusCode, a.body)
		}
		if a := h.browse(secret, "GET", "/data/self/harbour/arrivals/export?format=csv", ""); a.StatusCode != 200 || a.body != "a\n1\n" {
			t.Errorf("export by a link = %d %q, want the rows", a.StatusCode, a.body)
		}
		list := into[api.SessionList](t, h.browse(secret, "GET", "/user/sessions", "")).Sessions
		if len(list) != 2 || list[0].ID != string(two.ID) || list[0].Current || !list[1].Current {
			t.Errorf("GET /user/sessions = %+v, want two, this one named", list)
		}
		if a := h.browse(secret, "DELETE", "/user/sessions/"+string(two.ID), ""); a.StatusCode != 204 {
			t.Errorf("DELETE of the other session = %d %s, want 204", a.StatusCode, a.body)
		}
		if a := h.browse(other, "GET", "/user/me", ""); a.StatusCode != 401 || a.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("GET with an ended session = %d %v, want 401", a.StatusCode, a.Header)
		}
		stranger := h.do(ask{method: "DELETE", path: "/api/v1/user/sessions/" + string(one.ID), header: http.Header{
			"Cookie": {"quern_session=" + secret}, "Sec-Fetch-Site": {"cross-site"}, "Origin": {"https://attacker.example"},
		}})
		if stranger.StatusCode != 401 {
			t.Errorf("DELETE from another site = %d, want 401", stranger.StatusCode)
		}
		if a := h.browse(secret, "DELETE", "/user/sessions", ""); a.StatusCode != 204 {
			t.Errorf("DELETE /user/sessions = %d %s, want 204", a.StatusCode, a.body)
		}
		if a := h.browse(secret, "GET", "/user/me", ""); a.StatusCode != 401 {
			t.Errorf("GET after signing out everywhere = %d, want 401", a.StatusCode)
		}
	})
}
