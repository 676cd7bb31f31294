package e2e_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// held are the checks that Schemathesis makes of every answer.
const held = "not_a_server_error,status_code_conformance,content_type_conformance," +
	"response_headers_conformance,response_schema_conformance"

// TestTheServedContractHolds has Schemathesis make requests of the contract that
// the binary serves, good and bad ones, for everybody who may come: none is
// answered with a server error or with what the contract does not say.
func TestTheServedContractHolds(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	tokens := map[string]string{"no token": ""}
	for who, name := range map[string]string{"user": "ada", "stranger": "eve"} {
		h.must("", "user", "add", name, "--generate")
		tokens[who] = h.must("", "token", "create", "--user", name)
	}
	s := h.serve()
	things := s.harbour(tokens["user"])
	// The user comes last, being the only one who can change anything, and with
	// the thousands of requests that try each bound of each member.
	for _, c := range []struct{ who, phases string }{
		{"no token", "examples,fuzzing"},
		{"stranger", "examples,fuzzing"},
		{"user", "examples,coverage,fuzzing"},
	} {
		t.Run(c.who, func(t *testing.T) { s.schemathesis(t, tokens[c.who], c.phases, things) })
	}
}

// schemathesis has Schemathesis call the server in some of its phases, with a token
// unless that is empty.
func (s *server) schemathesis(t *testing.T, token, phases string, environ []string) {
	t.Helper()
	program := absolute(t, "../schemathesis/.venv/bin/schemathesis")
	if _, err := os.Stat(program); err != nil {
		t.Fatal("the Python packages of test/schemathesis are not installed: run `make deps`, or `scripts/venv test/schemathesis`")
	}
	args := []string{
		"--config-file", absolute(t, "../schemathesis/schemathesis.toml"), "run", s.url + "/api/v1/openapi.json",
		"--checks", held, "--phases", phases, "--max-examples", "5", "--seed", "1",
		"--continue-on-failure", "--no-shrink", "--request-timeout", "30", "--generation-database", "none",
		"--warnings", "off", "--no-color",
	}
	if token != "" {
		args = append(args, "--header", "Authorization: Bearer "+token)
	}
	var out bytes.Buffer
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = t.TempDir(), &out, &out
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + cmd.Dir, "PYTHONDONTWRITEBYTECODE=1", "NO_COLOR=1",
		"HOOKS=" + absolute(t, "../schemathesis/streams.py"),
	}, environ...)
	err := cmd.Run()
	if _, summary, found := strings.Cut(out.String(), " SUMMARY "); err == nil && found {
		t.Log(summary)
		return
	}
	t.Errorf("schemathesis = %v\n%s", err, out.String())
}

// absolute returns a path that holds in every directory.
func absolute(t *testing.T, path string) string {
	t.Helper()
	whole, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

// harbour makes what the requests of Schemathesis are about, and returns the
// variables that name it.
func (s *server) harbour(token string) (environ []string) {
	t := s.home.t
	t.Helper()
	for _, set := range []string{"harbour/arrivals", "harbour/loans", "spare/loans"} {
		s.want(201, token, "/ingest/new/"+set, "")
		s.want(200, token, "/ingest/"+set, `{"data":[{"ship":"Ariadne","draught":7.25},{"ship":"Thetis","draught":null}]}`)
	}
	for _, prefix := range []string{"", "SPARE_", "LAST_"} {
		stream := s.want(200, token, "/query/ask", `{"username":"self","namespace":"harbour","query":"How many arrivals are there?"}`).body
		var run struct{ RunID, ConversationID string }
		_, data, _ := strings.Cut(stream, "data: ")
		if err := json.NewDecoder(strings.NewReader(data)).Decode(&run); err != nil || run.RunID == "" {
			t.Fatalf("the stream of a question begins %.200q, %v, want its run", stream, err)
		}
		prepared := s.want(200, token, "/file-upload/prepare", `{"filesToUpload":[{"filename":"arrivals.csv","size":9}]}`)
		var session struct {
			SessionID string
			Files     []struct{ FileID string }
		}
		if err := json.Unmarshal([]byte(prepared.body), &session); err != nil || len(session.Files) != 1 {
			t.Fatalf("a prepared upload = %s, %v, want one file", prepared.body, err)
		}
		environ = append(environ, prefix+"RUN="+run.RunID, prefix+"CONVERSATION="+run.ConversationID,
			prefix+"SESSION="+session.SessionID, prefix+"FILE="+session.Files[0].FileID)
	}
	return append(environ, "INGESTION="+s.ingested(token))
}

// ingested uploads a file with a row that cannot be read into a dataset and
// returns the id of its ingestion.
func (s *server) ingested(token string) string {
	t := s.home.t
	t.Helper()
	path := filepath.Join(t.TempDir(), "arrivals.csv")
	if err := os.WriteFile(path, []byte("ship,draught\nAriadne,7.25\nThetis,5,6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.home.must("", "upload", "--server", s.url, "--token", token, "--to", "harbour/shelf", "--on-error", "quarantine", path)
	attempts := s.call("GET", "/api/v1/data/self/harbour/shelf/ingest/attempts", token, "")
	var list struct {
		Data []struct{ ID string }
	}
	if err := json.Unmarshal([]byte(attempts.body), &list); err != nil || len(list.Data) != 1 || list.Data[0].ID == "" {
		t.Fatalf("ingestions = %s, %v, want one", attempts.body, err)
	}
	return list.Data[0].ID
}

// want posts a body and returns the answer, which has to have a status.
func (s *server) want(status int, token, path, body string) reply {
	s.home.t.Helper()
	r := s.call("POST", "/api/v1"+path, token, body)
	if r.status != status {
		s.home.t.Fatalf("POST %s = %d %s, want %d", path, r.status, r.body, status)
	}
	return r
}
