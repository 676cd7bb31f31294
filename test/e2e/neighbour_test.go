//go:build neighbours || trino

package e2e_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// startLimit is how long a neighbour may take until it answers.
const startLimit = 6 * time.Minute

// startNeighbour starts a program that is ready once an address answers, and ends it
// with the test, or when end is called.
func startNeighbour(t *testing.T, ready string, environ []string, command ...string) (end func()) {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, environ...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what a script starts ends with it
	if err := cmd.Start(); err != nil {
		t.Fatalf("%s = %v; the make target installs it", command[0], err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	end = func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); <-ended }
	t.Cleanup(end)
	tell := func(what string) {
		text, _ := os.ReadFile(log.Name())
		t.Logf("%s %s:\n%s", command[0], what, text)
	}
	t.Cleanup(func() {
		if t.Failed() {
			tell("said")
		}
	})
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(startLimit); ; {
		if res, err := http.Get(ready); err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return end
			}
		}
		select {
		case <-tick.C:
		case <-ended:
			t.Fatalf("%s ended before it was ready", command[0])
		case <-deadline:
			t.Fatalf("%s is not ready after %v", command[0], startLimit)
		}
	}
}

// namePattern finds the name of a file in the first line of a block, where a comment has it.
var namePattern = regexp.MustCompile(`^(#|--) (?P<name>\S+\.[a-z]+)\n`)

// writeFiles writes the blocks of a page that begin with the name of a file, with some
// words replaced, into a folder.
func writeFiles(t *testing.T, page, dir string, replace ...string) {
	t.Helper()
	words := strings.NewReplacer(replace...)
	for _, b := range blocksOf(t, page) {
		m := namePattern.FindStringSubmatch(b.text)
		if m == nil {
			continue
		}
		path := filepath.Join(dir, m[namePattern.SubexpIndex("name")])
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(words.Replace(b.text)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// commandsOf returns the commands of a page, those of blocks marked sh.
func commandsOf(t *testing.T, page string) (script string) {
	t.Helper()
	for _, b := range blocksOf(t, page) {
		if b.language == "sh" && b.notRun == "" {
			script += b.text
		}
	}
	if script == "" {
		t.Fatalf("%s has no commands", page)
	}
	return script
}

// runIn runs commands in a folder and returns what they print; they have to succeed.
func runIn(t *testing.T, dir, script string, environ []string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script)
	cmd.Dir, cmd.Env = dir, environ
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s = %v\n%s", script, err, out)
	}
	return string(out)
}

// wantPrinted wants what a page says to be printed, the blocks marked text, line by line.
func wantPrinted(t *testing.T, page, out string) {
	t.Helper()
	for _, b := range blocksOf(t, page) {
		if b.language != "text" {
			continue
		}
		for line := range strings.Lines(b.text) {
			if !strings.Contains(out, strings.TrimSuffix(line, "\n")) {
				t.Errorf("%s: it prints\n%s\nwant %s", page, out, line)
			}
		}
	}
}
