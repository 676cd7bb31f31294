//go:build upgrade

package e2e_test

import (
	"context"
	"flag"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// previous is a binary of the schema version before that is built already.
var previous = flag.String("previous", "", "a binary of the schema version before, else it is built from the history")

// beside is how long old and new servers work beside each other at each step.
const beside = 15 * time.Second

// TestRollingUpgrade replaces servers of the schema version before by those of now, one
// after the other, under clients that write down what was acknowledged. Nothing fails
// while both work on one database, and a server of the version before starts on the schema of now.
func TestRollingUpgrade(t *testing.T) {
	old := *previous
	if old == "" {
		old = filepath.Join(t.TempDir(), "quern")
		if out, err := exec.Command("../upgrade/previous", old).CombinedOutput(); err != nil {
			t.Fatalf("test/upgrade/previous = %v\n%s", err, out)
		}
	}
	f, load := newReplicas(t, old)
	working, rest := context.WithCancel(t.Context())
	worked := make(chan struct{})
	go func() {
		defer close(worked)
		load.Run(working)
	}()
	rolling, cancel := context.WithTimeout(t.Context(), 4*patience)
	defer cancel()
	var err error
	for n := range replicas {
		time.Sleep(beside)
		began := time.Now()
		if err = f.Stop(rolling, n); err == nil {
			f.Use(n, binary)
			err = f.Start(rolling, n)
		}
		if err != nil {
			break
		}
		t.Logf("server %d was upgraded in %v", n, time.Since(began).Round(time.Millisecond))
	}
	time.Sleep(beside)
	rest()
	<-worked
	if err != nil {
		t.Fatal(err)
	}
	wantKept(t, load)
	// The schema of now says that the program before works on it: one may go back.
	if err = f.Stop(rolling, 0); err == nil {
		f.Use(0, old)
		err = f.Start(rolling, 0)
	}
	if err != nil {
		t.Errorf("a server of the binary before, on the schema of now = %v, want it to serve", err)
	}
}
