package e2e_test

import (
	"encoding/json"
	"strings"
	"testing"
)

const me = "/api/v1/user/me"

func TestTokensFromTheCommandLine(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, h *home) {
		h.must("correct horse battery", "user", "add", "ada")
		s := h.serve()
		token := h.must("", "token", "create", "--user", "ada", "--name", "nightly")
		if strings.Count(token, ".") != 2 || strings.ContainsAny(token, " \n") {
			t.Fatalf("token create printed %q, want a token and nothing else", token)
		}
		if r := s.call("GET", me, token, ""); r.status != 200 || r.json(t)["username"] != "ada" {
			t.Fatalf("GET %s = %d %s, want 200 for ada", me, r.status, r.body)
		}
		s.kill()
		s = h.serve()
		if r := s.call("GET", me, token, ""); r.status != 200 {
			t.Errorf("GET %s after a kill and a restart = %d %s, want 200", me, r.status, r.body)
		}

		h.must("", "user", "disable", "ada")
		if r := s.call("GET", me, token, ""); r.status != 401 {
			t.Errorf("GET %s of a disabled user = %d, want 401", me, r.status)
		}
		h.must("", "user", "enable", "ada")
		if r := s.call("GET", me, token, ""); r.status != 200 {
			t.Errorf("GET %s of an enabled user = %d, want 200", me, r.status)
		}

		var tokens []struct{ ID, Name, Username string }
		if err := json.Unmarshal([]byte(h.must("", "token", "list", "--json")), &tokens); err != nil || len(tokens) != 1 || tokens[0].Name != "nightly" {
			t.Fatalf("token list --json = %v, %v, want the one named nightly", tokens, err)
		}
		h.must("", "token", "revoke", tokens[0].ID)
		r := s.call("GET", me, token, "")
		if r.status != 401 || r.json(t)["error_code"] != "UNAUTHORIZED" || !strings.HasPrefix(r.header.Get("WWW-Authenticate"), "Bearer") {
			t.Errorf("GET %s with a revoked token = %d %s %v, want 401 with a challenge", me, r.status, r.body, r.header)
		}
		if again := h.run("", "token", "revoke", tokens[0].ID); again.code != 1 || !strings.Contains(again.err, "no token in force") {
			t.Errorf("revoking twice = %+v, want code 1 and a reason", again)
		}
		s.stop()
	})
}

func TestHonestAnswersWithoutAToken(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve()
	for _, tt := range []struct {
		method, path, token string
		status              int
		code                string
	}{
		{"GET", me, "", 401, "UNAUTHORIZED"},
		{"GET", me, "garbage", 401, "UNAUTHORIZED"},
		{"GET", "/api/v1/nothing", "", 404, "ROUTE_NOT_FOUND"},
		{"DELETE", me, "", 405, "METHOD_NOT_ALLOWED"},
		{"GET", "/nowhere", "", 404, "ROUTE_NOT_FOUND"},
	} {
		r := s.call(tt.method, tt.path, tt.token, "")
		if r.status != tt.status || r.json(t)["error_code"] != tt.code {
			t.Errorf("%s %s = %d %s, want %d %s", tt.method, tt.path, r.status, r.body, tt.status, tt.code)
		}
	}
	for _, path := range []string{"/healthz", "/readyz", "/api/v1/openapi.json"} {
		if r := s.call("GET", path, "", ""); r.status != 200 || len(r.json(t)) == 0 {
			t.Errorf("GET %s = %d, want 200 and JSON", path, r.status)
		}
	}
	if r := s.call("GET", "/metrics", "", ""); r.status != 200 || !strings.Contains(r.body, `quern_build_info{goversion=`) {
		t.Errorf("GET /metrics = %d, want 200 and metrics", r.status)
	}
}
