//go:build neighbours

package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The Python client does what every client does on Python 3.13 too, in a root of Debian 13.
func TestNeighbourPython313(t *testing.T) {
	t.Parallel()
	s := newScenarioServer(t)
	root := absolute(t, "../neighbours/.debian13/root")
	inside, err := os.MkdirTemp(filepath.Join(root, "tmp"), "clients-") //nolint:usetesting // it has to lie inside the root
	if err != nil {
		t.Fatalf("the root of Debian 13 = %v; `make e2e-neighbours` makes it", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(inside) })
	for _, part := range []string{"scenarios", "python/src", "python/tests"} {
		if err := os.CopyFS(filepath.Join(inside, part), os.DirFS("../../clients/"+part)); err != nil {
			t.Fatal(err)
		}
	}
	at := "/tmp/" + filepath.Base(inside) + "/python"
	command := []string{
		"chroot", root, "env", "-i", "PATH=/usr/bin:/bin", "HOME=/tmp", "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH=/packages:" + at + "/src",
		"QUERN_SERVER=" + s.url, "QUERN_CUTTING=" + s.cutting, "QUERN_TOKEN=" + s.ada, "QUERN_BOB=" + s.bob, "python3",
	}
	if os.Geteuid() != 0 {
		command = append([]string{"sudo"}, command...)
	}
	for _, c := range []struct{ arg, says string }{
		{"--version", "Python 3.13."}, {at + "/tests/display.py", "ok the display"},
		{at + "/tests/doctests.py", " 0 failures"}, {at + "/tests/scenarios.py", "\n0 failures"},
	} {
		out, err := exec.CommandContext(t.Context(), command[0], append(command[1:], c.arg)...).CombinedOutput()
		if err != nil || !strings.Contains(string(out), c.says) {
			t.Errorf("python3 %s = %v\n%s", c.arg, err, out)
		}
	}
}
