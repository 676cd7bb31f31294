package e2e_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The Python client of the interface, as it is published, does with the binary
// what it says: every public method, synchronous and asynchronous, and the
// examples of its README.
func TestThePythonClientAgainstTheBinary(t *testing.T) {
	t.Parallel()
	python, err := filepath.Abs("../datalinks/.venv/bin/python")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(python); err != nil {
		t.Fatal("the Python packages of test/datalinks are not installed: run `make deps`, or `scripts/venv test/datalinks`")
	}
	eachDatabase(t, func(t *testing.T, h *home) {
		for _, user := range []string{"ada", "bob"} {
			h.must("", "user", "add", user, "--generate")
		}
		token := strings.TrimSpace(h.must("", "token", "create", "--user", "ada"))
		s := h.serve()
		var out bytes.Buffer
		cmd := exec.CommandContext(t.Context(), python, "suite.py")
		cmd.Dir, cmd.Stdout, cmd.Stderr = "../datalinks", &out, &out
		cmd.Env = []string{
			"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "PYTHONDONTWRITEBYTECODE=1",
			"DL_HOST=" + s.checkedURL() + "/api/v1", "DL_API_KEY=" + token, "QUERN_OTHER=bob",
		}
		err := cmd.Run()
		if err != nil || !strings.Contains(out.String(), "\n0 failures") {
			t.Errorf("the Python client = %v\n%s", err, out.String())
		}
		t.Log(out.String())
	})
}
