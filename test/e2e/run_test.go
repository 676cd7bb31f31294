package e2e_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The command of the README, on a copy of its defaults that harms nobody's data.
func TestMakeRunPrintsAnAddressAndALogin(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("make", "--no-print-directory", "run",
		"ARGS=--listen 127.0.0.1:0 --data "+filepath.Join(t.TempDir(), "data"))
	cmd.Dir = filepath.Join("..", "..")
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "QUERN_") && !strings.HasPrefix(variable, "MAKE") && !strings.HasPrefix(variable, "MFLAGS") {
			cmd.Env = append(cmd.Env, variable)
		}
	}
	// make passes signals on to nobody, so the whole group gets them.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		_ = cmd.Wait()
	})
	var printed strings.Builder
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		printed.WriteString(lines.Text() + "\n")
		if strings.Contains(lines.Text(), "Data ") {
			break
		}
	}
	address, username, password := printedLogin(t, printed.String())
	if !strings.HasPrefix(address, "http://127.0.0.1:") || username != "ada" || len(password) != 19 {
		t.Errorf("make run printed %s, %s, %s, want an address and ada's login", address, username, password)
	}
}
