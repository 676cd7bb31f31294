package e2e_test

import (
	"bufio"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// freePort returns a port that nobody listens on.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// startIssuer starts a real OpenID provider that ends with the test.
func startIssuer(t *testing.T, port, audience string) {
	t.Helper()
	dir := filepath.Join("..", "oidc")
	if _, err := os.Stat(filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal("the npm packages of test/oidc are not installed: run `make deps`")
	}
	cmd := exec.Command("node", "server.mjs", port, audience)
	cmd.Dir = dir
	stdin, err := cmd.StdinPipe() // its end ends the provider
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stdin.Close()
		_ = cmd.Wait()
	})
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil || strings.TrimSpace(line) != "ready" {
		t.Fatalf("the provider printed %q, %v, want ready", line, err)
	}
}

func TestAnOutsideIssuerMayComeLater(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	issuer := "http://127.0.0.1:" + port
	h := newHome(t, "QUERN_OIDC_ISSUER="+issuer, "QUERN_OIDC_AUDIENCE=https://quern.test")
	s := h.serve()
	if r := s.call("GET", "/readyz", "", ""); r.status != 503 || !strings.Contains(r.body, "identity provider") {
		t.Errorf("GET /readyz without the issuer = %d %s, want 503 naming it", r.status, r.body)
	}
	if r := s.call("GET", "/.well-known/openid-configuration", "", ""); r.status != 404 {
		t.Errorf("GET discovery beside an outside issuer = %d, want 404", r.status)
	}

	startIssuer(t, port, "https://quern.test")
	for deadline := time.Now().Add(patience); s.call("GET", "/readyz", "", "").status != 200; {
		if time.Now().After(deadline) {
			t.Fatal("GET /readyz stays 503 although the issuer answers")
		}
	}
	if r := s.call("GET", "/api/v1/openapi.json", "", ""); !strings.Contains(r.body, `"authorizationUrl": "`+issuer+`/auth"`) {
		_, named, _ := strings.Cut(r.body, `"authorizationUrl"`)
		t.Errorf("the contract names %.80s as the place to sign in, want %s/auth", named, issuer)
	}
	res, err := http.PostForm(issuer+"/token", url.Values{
		"grant_type": {"client_credentials"}, "client_id": {"machine"}, "client_secret": {"machine-secret"}, "scope": {"data"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var tokens struct {
		Access string `json:"access_token"`
	}
	if err := json.NewDecoder(res.Body).Decode(&tokens); err != nil || tokens.Access == "" {
		t.Fatalf("the provider's token endpoint = %d, %v, want a token", res.StatusCode, err)
	}
	if r := s.call("GET", me, tokens.Access, ""); r.status != 200 || r.json(t)["username"] != "machine" {
		t.Errorf("GET %s with the issuer's token = %d %s, want 200 for machine", me, r.status, r.body)
	}
	if r := s.call("GET", me, tokens.Access+"x", ""); r.status != 401 {
		t.Errorf("GET %s with a tampered token = %d, want 401", me, r.status)
	}
	s.stop()
}
