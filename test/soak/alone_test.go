//go:build soak

package soak_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"quern/test/chaos"
)

// disk is one that can be full, slow and broken, and forgets what was not synced.
type disk struct {
	t       *testing.T
	folder  string // where it is mounted
	mu      sync.Mutex
	orders  io.WriteCloser
	answers *bufio.Scanner
}

func newDisk(t *testing.T, dir string) *disk {
	t.Helper()
	program := filepath.Join(t.TempDir(), "disk")
	if out, err := exec.Command("go", "build", "-C", "../../tools/disk", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build of tools/disk = %v\n%s", err, out)
	}
	d := &disk{t: t, folder: filepath.Join(dir, "disk")}
	cmd := exec.Command(program, "-dir", filepath.Join(dir, "below"), "-mount", d.folder)
	var words strings.Builder
	cmd.Stderr = &words
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	d.orders, d.answers = in, bufio.NewScanner(out)
	if !d.answers.Scan() || d.answers.Text() != "ready" {
		_ = cmd.Wait() // for its words
		t.Fatalf("there is no disk: %s", words.String())
	}
	t.Cleanup(func() {
		_ = in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the disk ended with %v: %s", err, words.String())
		}
	})
	return d
}

// order tells the disk what to be, and returns what it says.
func (d *disk) order(format string, args ...any) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	fmt.Fprintf(d.orders, format+"\n", args...)
	if !d.answers.Scan() {
		d.t.Errorf("the disk does not answer "+format, args...)
	}
	return d.answers.Text()
}

// TestAlone has one server on SQLite and files of a disk that is full, slow and broken at
// times, that forgets what was not synced when the power fails, too little memory at times,
// and a clock that jumps.
func TestAlone(t *testing.T) {
	dir := folder(t)
	d := newDisk(t, dir)
	clock := filepath.Join(dir, "clock")
	told := newJournal()
	tight := newMemory(t)
	f, err := chaos.NewFleet(chaos.Options{Binary: binary, Dir: dir, Servers: 1, Join: tight.members(), Environ: []string{
		"QUERN_DATA=" + filepath.Join(d.folder, "data"), "CLOCK_FILE=" + clock,
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	w := &world{fleet: f, told: told, dir: dir, memory: tight}
	load := newLoad(t, f, chaos.LoadOptions{Writers: 2, Askers: 1, Pause: *rests, RunsMayFail: true})
	working, rest := context.WithTimeout(t.Context(), *soak)
	defer rest()
	var all sync.WaitGroup
	all.Go(func() { load.Run(working) })
	random := rand.New(rand.NewPCG(*seed, 3<<32))
	for working.Err() == nil {
		if err := w.hurt(working, random, d); err != nil && working.Err() == nil {
			t.Errorf("%v", err)
			break
		}
	}
	rest()
	startMissing(t, f)
	all.Wait()
	told.report(t, load.Check(t.Context()))
}

// hurt does one thing to the only server, or to its disk or clock.
func (w *world) hurt(ctx context.Context, random *rand.Rand, d *disk) error {
	pause(ctx, 2*time.Second+time.Duration(random.Int64N(int64(4*time.Second))))
	long := time.Second + time.Duration(random.Int64N(int64(3*time.Second)))
	switch random.IntN(11) {
	case 0, 1, 2:
		w.told.blow(chaos.Blow{How: chaos.Kill})
		if err := w.fleet.Kill(0); err != nil {
			return err
		}
		return w.fleet.Start(ctx, 0)
	case 3, 4, 5:
		w.told.blow(chaos.Blow{How: "power cut"})
		over := w.fleet.Trouble(chaos.Settling)
		defer over()
		if err := w.fleet.Kill(0); err != nil {
			return err
		}
		w.told.note("the disk forgets: " + d.order("cut"))
		return w.fleet.Start(ctx, 0)
	case 6:
		w.trouble(fmt.Sprintf("the disk is full for %v", long), func() {
			d.order("full on")
			pause(ctx, long)
			d.order("full off")
		})
	case 7:
		w.told.note(fmt.Sprintf("the disk is slow for %v", long))
		d.order("slow 20ms")
		pause(ctx, long)
		d.order("slow 0s")
	case 8:
		// Reads that fail may look like damage to SQLite, which the server looks at again a minute later.
		w.longTrouble(fmt.Sprintf("3 of 100 reads and writes fail for %v", long), 70*time.Second, func() {
			d.order("broken 3")
			pause(ctx, long)
			d.order("broken 0")
		})
	case 9:
		return w.starve(ctx, long)
	default:
		wrong := time.Duration(random.Int64N(int64(4*time.Hour))) - 2*time.Hour
		w.told.note(fmt.Sprintf("the clock is %v wrong", wrong.Round(time.Second)))
		w.fleet.ClockJumps()
		return setClock(filepath.Join(w.dir, "clock"), wrong)
	}
	return nil
}

// starve leaves the only server too little memory for a while. The kernel may kill it for
// that, or a worker of it; then it is started again, as an init system would.
func (w *world) starve(ctx context.Context, long time.Duration) (err error) {
	w.trouble(fmt.Sprintf("memory is tight for %v", long), func() {
		if err = w.memory.tighten(); err != nil {
			return
		}
		pause(ctx, long)
		if err = w.memory.loosen(); err != nil || len(w.fleet.Ended()) == 0 {
			return
		}
		w.told.blow(chaos.Blow{How: "out of memory"})
		if err = w.fleet.Kill(0); err == nil {
			err = w.fleet.Start(ctx, 0)
		}
	})
	return err
}
