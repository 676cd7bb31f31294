package e2e_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The official clients of the Model Context Protocol use the binary as assistants do:
// Python in both generations of the protocol, JavaScript, the inspector's command line, over HTTP and
// over standard input and output, with a token and by signing in.
func TestTheClientsOfMCPAgainstTheBinary(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	_, _, password := printedLogin(t, s.printed("Data "))
	token := strings.TrimSpace(h.must("", "token", "create", "--user", "ada"))
	environ := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "PYTHONDONTWRITEBYTECODE=1",
		"QUERN_SERVER=" + s.url, "QUERN_TOKEN=" + token, "QUERN=" + binary, "QUERN_TEST_PASSWORD=" + password,
	}
	python, err := filepath.Abs("../mcp/.venv/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	config, err := json.Marshal(map[string]string{"server": s.url, "token": token, "quern": binary})
	if err != nil {
		t.Fatal(err)
	}
	inspect := []string{"node", "node_modules/@modelcontextprotocol/inspector-cli/build/cli.js", "--cli"}
	for _, c := range []struct {
		name    string
		command []string
		says    string
	}{
		{"the Python client", []string{python, "client.py"}, "\n0 failures"},
		{"the Python client that signs in", []string{python, "signin.py"}, "ok signed in"},
		{"the JavaScript client", []string{"node", "client.mjs", string(config)}, "ok refused"},
		{"the inspector", append(inspect, binary, "mcp", "--method", "tools/call", "--tool-name", "list_datasets"), `"ada/harbour/ships"`},
	} {
		cmd := exec.CommandContext(t.Context(), c.command[0], c.command[1:]...)
		cmd.Dir, cmd.Env = "../mcp", environ
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), c.says) {
			t.Errorf("%s = %v\n%s", c.name, err, out)
		}
		t.Log(string(out))
	}
}
