//go:build neighbours

package e2e_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The official Python client of A2A asks both agents real questions, over both bindings.
func TestNeighbourA2A(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	s := h.serve("--first-user", "ada")
	s.printed("Data ")
	cmd := exec.CommandContext(t.Context(), absolute(t, "../neighbours/a2a/.venv/bin/python"), absolute(t, "../neighbours/a2a/client.py"))
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "PYTHONDONTWRITEBYTECODE=1",
		"QUERN_SERVER=" + s.url, "QUERN_TOKEN=" + h.must("", "token", "create", "--user", "ada"),
	}
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Count(string(out), "ok ") != 4 {
		t.Errorf("the client = %v\n%s", err, out)
	}
}
