//go:build soak

package soak_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quern/test/chaos"
)

var (
	soak  = flag.Duration("soak", time.Minute, "how long each scene lasts")
	seed  = flag.Uint64("seed", rand.Uint64N(1_000_000), "the seed of clients and faults")
	rests = flag.Duration("pause", 150*time.Millisecond, "how long a client rests between two requests, on average")
	keep  = flag.String("keep", "", "a folder for the servers' logs and data, which stay; empty: they go")
	made  = flag.String("binary", "", "the program, built with -tags clockfile; empty: it is built")
)

// binary is the program under test, whose clock is moved by a file.
var binary string

func TestMain(m *testing.M) {
	flag.Parse()
	dir, err := os.MkdirTemp("", "quern-soak-*")
	if err != nil {
		panic(err)
	}
	if binary = *made; binary == "" {
		binary = filepath.Join(dir, "quern")
		build := exec.Command("go", "build", "-trimpath", "-tags", "clockfile", "-o", binary, "quern/cmd/quern")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go build = %v\n%s", err, out)
			os.Exit(1)
		}
	}
	fmt.Printf("soak: %v a scene, SEED=%d\n", *soak, *seed)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// folder is where a scene keeps its servers.
func folder(t *testing.T) string {
	t.Helper()
	if *keep == "" {
		return t.TempDir()
	}
	dir := filepath.Join(*keep, t.Name())
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// newLoad makes two users and their clients of a fleet, whose servers it starts.
func newLoad(t *testing.T, f *chaos.Fleet, o chaos.LoadOptions) *chaos.Load {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	tokens := map[string]string{}
	for _, name := range []string{"ada", "bob"} {
		for _, args := range [][]string{{"user", "add", name, "--generate"}, {"token", "create", "--user", name}} {
			out, err := f.Command(ctx, args...)
			if err != nil {
				t.Fatal(err)
			}
			tokens[name] = strings.TrimSpace(out)
		}
	}
	startMissing(t, f)
	o.Seed, o.Owner, o.Token, o.Reader, o.Reading = *seed, "ada", tokens["ada"], "bob", tokens["bob"]
	load, err := chaos.NewLoad(ctx, f, o)
	if err != nil {
		t.Fatal(err)
	}
	return load
}

// startMissing starts the servers that do not run.
func startMissing(t *testing.T, f *chaos.Fleet) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	if err := f.StartMissing(ctx); err != nil {
		t.Fatal(err)
	}
}

// journal is what was done, for the report.
type journal struct {
	mu    sync.Mutex
	began time.Time
	lines []string
	count map[string]int
}

func newJournal() *journal { return &journal{began: time.Now(), count: map[string]int{}} }

func (j *journal) note(what string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	line := fmt.Sprintf("%8v %s", time.Since(j.began).Round(100*time.Millisecond), what)
	j.lines = append(j.lines, line)
	fmt.Println(line)
}

func (j *journal) blow(b chaos.Blow) {
	j.mu.Lock()
	j.count[string(b.How)]++
	j.mu.Unlock()
	j.note(fmt.Sprintf("server %d: %s, back after %v", b.Server, b.How, b.Away.Round(time.Millisecond)))
}

// report prints what a scene came to, and fails the test for faults.
func (j *journal) report(t *testing.T, r chaos.Report) {
	t.Helper()
	t.Logf("%v; %v", r, j.count)
	if len(r.Faults) > 0 {
		t.Errorf("to repeat it: make soak SOAK=%v SEED=%d\n%s", *soak, *seed, r.Told())
	}
}
