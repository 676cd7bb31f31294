package authtest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Audience is what the access tokens of the real provider are for.
const Audience = "https://quern.example/api"

// The client that browsers sign in with at the real provider.
const (
	ClientID     = "console"
	ClientSecret = "console-secret"
)

// FreePort returns a port that was free a moment ago.
func FreePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// StartProvider runs a real OpenID provider with new keys until stop is called or the
// test ends. site is where its client for browsers is reached.
func StartProvider(t testing.TB, port int, site string) (stop func()) {
	t.Helper()
	dir := filepath.Join("..", "test", "oidc")
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "oidc-provider")); err != nil {
		t.Fatal("the npm packages of test/oidc are not installed: run `make deps`, or `npm ci` in test/oidc")
	}
	cmd := exec.Command("node", "server.mjs", fmt.Sprint(port), Audience, site)
	cmd.Dir = dir
	var log strings.Builder
	cmd.Stderr = &log
	in, err := cmd.StdinPipe()
	Must(t, err)
	out, err := cmd.StdoutPipe()
	Must(t, err)
	if err := cmd.Start(); err != nil {
		t.Fatalf("node = %v, want it installed", err)
	}
	stopped := false
	stop = func() {
		if !stopped {
			stopped = true
			_ = in.Close()
			_ = cmd.Wait()
		}
	}
	t.Cleanup(stop)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if lines.Text() == "ready" {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return stop
		}
	}
	stop()
	t.Fatalf("the provider did not start:\n%s", log.String())
	return nil
}
