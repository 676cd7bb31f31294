//go:build neighbours

package e2e_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quern/blob/blobtest"
)

const keycloakAudience = "https://quern.test"

// startKeycloak starts a Keycloak whose realm knows the server at quern.
func startKeycloak(t *testing.T, address, quern string) {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "keycloak")
	if out, err := exec.CommandContext(t.Context(), "cp", "-r", absolute(t, "../neighbours/keycloak/server"), folder).CombinedOutput(); err != nil {
		t.Fatalf("a copy of Keycloak = %v %s; `make e2e-neighbours` installs it", err, out)
	}
	realm, err := os.ReadFile("../neighbours/keycloak/realm.json")
	if err == nil {
		err = os.MkdirAll(filepath.Join(folder, "data", "import"), 0o700)
	}
	if err == nil {
		realm = []byte(strings.ReplaceAll(string(realm), "QUERN/", quern+"/"))
		err = os.WriteFile(filepath.Join(folder, "data", "import", "quern.json"), realm, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := strings.Cut(address, ":")
	startNeighbour(t, "http://"+address+"/realms/quern/.well-known/openid-configuration",
		[]string{"JAVA_OPTS_KC_HEAP=-Xms128m -Xmx512m", "KC_HEALTH_ENABLED=false"},
		filepath.Join(folder, "bin", "kc.sh"), "start-dev", "--import-realm", "--http-host", "127.0.0.1", "--http-port", port)
}

// keycloakToken asks Keycloak for an access token.
func keycloakToken(t *testing.T, issuer string, form url.Values) string {
	t.Helper()
	res, err := http.PostForm(issuer+"/protocol/openid-connect/token", form)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var tokens struct {
		Access string `json:"access_token"`
	}
	if err := json.NewDecoder(res.Body).Decode(&tokens); err != nil || tokens.Access == "" {
		t.Fatalf("Keycloak's token for %v = %d, %v, want one", form["client_id"], res.StatusCode, err)
	}
	return tokens.Access
}

// People and programs that Keycloak knows use the server: at the command line, with a
// client's credentials, and in the console. Tokens for another service open nothing.
//
//nolint:paralleltest // such servers stand beside the binary one at a time
func TestNeighbourKeycloak(t *testing.T) {
	address := blobtest.FreeAddress(t)
	issuer := "http://" + address + "/realms/quern"
	h := newHome(t, "QUERN_OIDC_ISSUER="+issuer, "QUERN_OIDC_AUDIENCE="+keycloakAudience, "QUERN_OIDC_CLIENT_ID=quern-console",
		"QUERN_OIDC_CLIENT_SECRET=a secret of the console", "QUERN_OIDC_CLI_CLIENT_ID=quern-cli")
	s := h.serve()
	startKeycloak(t, address, s.url)

	program := keycloakToken(t, issuer, url.Values{
		"grant_type": {"client_credentials"}, "client_id": {"nightly-import"}, "client_secret": {"a secret of the import"},
	})
	if r := s.call("GET", me, program, ""); r.status != 200 || r.json(t)["username"] != "service-account-nightly-import" {
		t.Errorf("GET %s with a client's token = %d %s, want its service account", me, r.status, r.body)
	}
	foreign := keycloakToken(t, issuer, url.Values{
		"grant_type": {"password"}, "client_id": {"another-service"}, "username": {"grace"}, "password": {"a password of grace"},
	})
	for what, token := range map[string]string{"a token for another service": foreign, "a tampered token": program[:len(program)-4] + "AAAA"} {
		if r := s.call("GET", me, token, ""); r.status != 401 {
			t.Errorf("GET %s with %s = %d, want 401", me, what, r.status)
		}
	}
	t.Run("the command line", func(t *testing.T) { logsInWithKeycloak(t, h, s) })
	t.Run("the console", func(t *testing.T) {
		config, err := json.Marshal(map[string]string{
			"base": s.url, "issuer": "http://" + address, "name": "grace", "password": "a password of grace",
			"namespace": "fleet", "question": "How many boats are there?", "answer": "2",
		})
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "node", "provider.mjs", string(config))
		cmd.Dir = "../console"
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("signing in to the console = %v\n%s", err, out)
		}
	})
}

// logsInWithKeycloak signs in at the command line, stores rows, renews what Keycloak gave,
// and signs out.
func logsInWithKeycloak(t *testing.T, h *home, s *server) {
	desk, b := h.away(), newFormBrowser(t)
	login := desk.beside("login", s.url)
	told := b.submit(b.open(b.Get(login.address())), "username", "grace", "password", "a password of grace")
	if !strings.Contains(told.body, "You are signed in at the command line") {
		t.Fatalf("the browser is told %s, want that it worked", told.body)
	}
	if code := login.end(); code != 0 || !strings.Contains(login.said(), "signed in to "+s.url+" as grace") {
		t.Fatalf("quern login = %d %s, want grace signed in", code, login.said())
	}
	boats := filepath.Join(t.TempDir(), "boats.csv")
	if err := os.WriteFile(boats, []byte("boat,flag\nArgo,Greece\nSkidbladnir,Norway\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	desk.must("", "upload", "--to", "fleet/boats", boats)
	for range 2 { // Keycloak takes each refresh token once
		desk.expire()
		if got := desk.must("", "ask", "-n", "fleet", "How many boats are there?"); !strings.Contains(got, "2") {
			t.Errorf("quern ask with an old token = %q, want it renewed and answered", got)
		}
	}
	desk.must("", "logout")
	if r := desk.run("", "whoami", "--server", s.url); r.code != 2 || !strings.Contains(r.err, "there is no token") {
		t.Errorf("quern whoami after signing out = %+v, want no token", r)
	}
}
