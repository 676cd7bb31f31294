package blobtest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// gatewayVariable names the environment variable that holds the path of a
// gateway that is already built.
const gatewayVariable = "QUERN_TEST_S3GATEWAY"

// Gateway is a real S3 service, run as a process of its own over a folder that
// lasts as long as the test. Bucket is there from the start.
type Gateway struct {
	Endpoint, Bucket, Region, AccessKey, SecretKey string

	t      testing.TB
	binary string
	dir    string
	listen string
	cmd    *exec.Cmd
}

// StartGateway starts a gateway and stops it when the test ends.
func StartGateway(t testing.TB) *Gateway {
	t.Helper()
	binary, err := gatewayBinary()
	if err != nil {
		t.Fatalf("build the S3 gateway: %v", err)
	}
	g := &Gateway{
		Bucket: "quern", Region: "us-east-1", AccessKey: "quern", SecretKey: "quern-secret",
		t: t, binary: binary, dir: t.TempDir(), listen: "127.0.0.1:0",
	}
	g.Start()
	t.Cleanup(g.Kill)
	return g
}

// Start starts the process again, under the same address, with what it held.
func (g *Gateway) Start() {
	g.t.Helper()
	g.cmd = exec.Command(g.binary, "--listen", g.listen, "--dir", g.dir, "--bucket", g.Bucket,
		"--region", g.Region, "--access-key", g.AccessKey, "--secret-key", g.SecretKey)
	// It writes every refused request to its log, which is noise here.
	log, err := os.OpenFile(filepath.Join(g.dir, "log"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		g.t.Fatalf("start the S3 gateway: %v", err)
	}
	defer log.Close()
	g.cmd.Stderr = log
	out, err := g.cmd.StdoutPipe()
	if err == nil {
		err = g.cmd.Start()
	}
	if err != nil {
		g.t.Fatalf("start the S3 gateway: %v", err)
	}
	ready := make(chan string, 1)
	go func() {
		defer close(ready)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if address, ok := strings.CutPrefix(lines.Text(), "ready "); ok {
				ready <- address
			}
		}
	}()
	select {
	case address, ok := <-ready:
		if !ok {
			text, _ := os.ReadFile(log.Name())
			g.t.Fatalf("start the S3 gateway: it ended at once: %v: %s", g.cmd.Wait(), text)
		}
		g.listen, g.Endpoint = address, "http://"+address
	case <-time.After(time.Minute):
		g.Kill()
		g.t.Fatalf("start the S3 gateway: not ready within a minute")
	}
}

// Kill ends the process at once, as kill -9 does. Killing it again is harmless.
func (g *Gateway) Kill() {
	if g.cmd == nil || g.cmd.Process == nil {
		return
	}
	if err := g.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		g.t.Errorf("kill the S3 gateway: %v", err)
	}
	g.cmd.Wait()
	g.cmd = nil
}

// gatewayBinary returns the gateway's path, building it unless the environment
// names one.
var gatewayBinary = sync.OnceValues(func() (string, error) {
	if path := os.Getenv(gatewayVariable); path != "" {
		return path, nil
	}
	_, here, _, ok := runtime.Caller(0)
	if !ok {
		return "", errors.New("the source folder is not known")
	}
	source := filepath.Join(filepath.Dir(here), "..", "..", "test", "s3gateway")
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	// Test binaries of several packages build it at a time, and one may be running
	// it: each builds its own and puts it in place in one step.
	path := filepath.Join(cache, "quern-test", "s3gateway")
	fresh := fmt.Sprintf("%s-%d", path, os.Getpid())
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	build := exec.CommandContext(ctx, "go", "build", "-o", fresh, ".")
	build.Dir = source
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, os.Rename(fresh, path)
})

// FreeAddress returns an address of this machine that nobody listens on.
func FreeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("find a free port: %v", err)
	}
	defer l.Close()
	return l.Addr().String()
}
