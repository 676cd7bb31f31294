package e2e_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestTheReadmesFirstStepsWork runs the commands of README's "First steps" as
// they stand there, against a fresh server.
func TestTheReadmesFirstStepsWork(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	script := firstSteps(t)
	script = strings.ReplaceAll(script, "http://127.0.0.1:8080", s.url)
	script = strings.ReplaceAll(script, "bin/quern", binary)
	// The id to revoke is one that the reader picks from the list above it.
	script = strings.ReplaceAll(script, "revoke ID", `revoke "$(`+binary+` token list | awk '$3 == "reports" { print $1 }')"`)
	cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script)
	cmd.Env = append(h.environ, "QUERN_SERVER="+s.url)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("the first steps end with %v:\n%s", err, out)
	}
	for _, want := range []string{
		`{"data":[{"kind":"container ship","calls":22,"fee":4857},{"kind":"bulk carrier","calls":21,"fee":3451},`,
		"grain  grams  milled\nrye    1250   \noats   80.5   2030-01-31\n", `{"indexed":2}`, `"columnNames":["dish","minutes","grains","baked"]`, "dish,minutes,grains,baked\n", `"username":"bob"`,
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the first steps print no %s:\n%s", want, out)
		}
	}
	if strings.Contains(string(out), "error_code") {
		t.Errorf("a first step fails:\n%s", out)
	}
}

// firstSteps gives the shell commands of that section.
func firstSteps(t *testing.T) string {
	t.Helper()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "\n## First steps\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var commands strings.Builder
	for rest := section; ; {
		_, block, found := strings.Cut(rest, "```sh\n")
		if !found {
			return commands.String()
		}
		block, rest, _ = strings.Cut(block, "```")
		commands.WriteString(block)
	}
}
