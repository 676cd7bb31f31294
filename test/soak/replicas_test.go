//go:build soak

package soak_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"quern/blob/blobtest"
	"quern/store/storetest"
	"quern/test/chaos"
)

const replicas = 3

// world is what three servers stand on.
type world struct {
	dir    string
	wire   *chaos.Wire
	bucket *chaos.Bucket
	fleet  *chaos.Fleet
	memory *memory
	told   *journal
}

// TestReplicas has three servers killed, stopped and frozen, their database cut off and
// restarted, their bucket slow and broken, and their clocks moved.
func TestReplicas(t *testing.T) {
	w := newWorld(t)
	load := newLoad(t, w.fleet, chaos.LoadOptions{Writers: 2, Askers: 2, Pause: *rests})
	working, rest := context.WithTimeout(t.Context(), *soak)
	defer rest()
	var all sync.WaitGroup
	all.Go(func() { load.Run(working) })
	all.Go(func() { w.shake(working, rand.New(rand.NewPCG(*seed, 2<<32))) })
	for round := uint64(0); working.Err() == nil; round++ {
		err := w.fleet.Strike(working, chaos.Plan(*seed+round, replicas, 10, 3*time.Second), w.told.blow)
		if err != nil && working.Err() == nil {
			t.Errorf("round %d: %v", round, err)
			rest()
		}
	}
	all.Wait()
	w.calm(t)
	w.told.report(t, load.Check(t.Context()))
	t.Logf("%d requests to S3 were made to fail", w.bucket.Failed())
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{dir: folder(t), told: newJournal()}
	g := blobtest.StartGateway(t)
	var err error
	if w.bucket, err = chaos.NewBucket(g.Endpoint); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.bucket.Close)
	database, err := url.Parse(storetest.Postgres(t).URL)
	if err != nil {
		t.Fatal(err)
	}
	if w.wire, err = chaos.NewWire(database.Host); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.wire.Close)
	database.Host = w.wire.Address()
	w.fleet, err = chaos.NewFleet(chaos.Options{
		Binary: binary, Dir: w.dir, Servers: replicas,
		Environ: []string{"QUERN_DATABASE_URL=" + database.String(), "QUERN_DRAIN_DELAY=1s",
			"QUERN_S3_ENDPOINT=" + w.bucket.URL(), "QUERN_S3_BUCKET=" + g.Bucket, "QUERN_S3_REGION=" + g.Region,
			"QUERN_S3_ACCESS_KEY_ID=" + g.AccessKey, "QUERN_S3_SECRET_ACCESS_KEY=" + g.SecretKey},
		Each: func(n int) []string { return []string{"CLOCK_FILE=" + w.clock(n)} },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.fleet.Close)
	for n := range replicas {
		if err := setClock(w.clock(n), time.Duration(n-1)*3*time.Minute); err != nil { // so that no two of them agree
			t.Fatal(err)
		}
	}
	return w
}

func (w *world) clock(n int) string { return filepath.Join(w.dir, fmt.Sprintf("clock-%d", n)) }

// setClock makes the clock of servers that read the file so wrong.
func setClock(file string, wrong time.Duration) error {
	if err := os.WriteFile(file+".new", []byte(wrong.String()), 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// shake lets what the servers stand on fail, one thing after the other, until ctx ends.
func (w *world) shake(ctx context.Context, random *rand.Rand) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(8*time.Second + time.Duration(random.Int64N(int64(8*time.Second)))):
		}
		long := time.Second + time.Duration(random.Int64N(int64(4*time.Second)))
		switch random.IntN(6) {
		case 0:
			w.trouble(fmt.Sprintf("the database is cut off for %v", long), func() {
				w.wire.Cut(true)
				pause(ctx, long)
				w.wire.Cut(false)
			})
		case 1:
			mode := []string{"fast", "immediate"}[random.IntN(2)]
			w.trouble("the database restarts, "+mode, func() { restartPostgres(mode) })
		case 2:
			w.trouble(fmt.Sprintf("30 of 100 requests to S3 fail for %v", long), func() {
				w.bucket.Be(30, 0)
				pause(ctx, long)
				w.bucket.Be(0, 0)
			})
		case 3:
			w.told.note("S3 is slow")
			w.bucket.Be(0, 300*time.Millisecond)
			pause(ctx, long)
			w.bucket.Be(0, 0)
		default:
			n, wrong := random.IntN(replicas), time.Duration(random.Int64N(int64(10*time.Hour)))-5*time.Hour
			w.told.note(fmt.Sprintf("the clock of server %d is %v wrong", n, wrong.Round(time.Second)))
			if err := setClock(w.clock(n), wrong); err != nil {
				panic(err)
			}
		}
	}
}

// trouble does something that excuses failures.
func (w *world) trouble(what string, do func()) { w.longTrouble(what, chaos.Settling, do) }

// longTrouble is one that is felt for longer.
func (w *world) longTrouble(what string, felt time.Duration, do func()) {
	w.told.note(what)
	over := w.fleet.Trouble(felt)
	defer over()
	do()
}

// calm mends everything.
func (w *world) calm(t *testing.T) {
	t.Helper()
	w.wire.Cut(false)
	w.bucket.Be(0, 0)
	startMissing(t, w.fleet)
}

func pause(ctx context.Context, long time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(long):
	}
}

func restartPostgres(mode string) {
	program := os.Getenv("QUERN_TEST_POSTGRES_RESTART")
	if out, err := exec.Command(program, mode).CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%s %s = %v: %s", program, mode, err, out))
	}
}
