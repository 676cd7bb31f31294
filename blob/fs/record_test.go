package fs_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"quern/blob"
	"quern/blob/fs"
)

// atOnce is how many parts the tests below send at a time.
const atOnce = 6

// partBody is what the tests below send as a part.
func partBody(number int) string { return strings.Repeat(string(rune('a'+number)), 8) }

func partSlot(id string, number int) blob.Slot {
	return blob.Slot{Key: "k", UploadID: id, Number: number, Offset: int64(8 * (number - 1)), Size: 8}
}

// sendAtOnce sends parts beside each other and returns those that were acknowledged.
func sendAtOnce(ctx context.Context, s *fs.Store, id string) map[int]bool {
	var mu sync.Mutex
	acknowledged := map[int]bool{}
	var all sync.WaitGroup
	for n := 1; n <= atOnce; n++ {
		all.Go(func() {
			if sendPart(ctx, s, partSlot(id, n), partBody(n)) == nil {
				mu.Lock()
				acknowledged[n] = true
				mu.Unlock()
			}
		})
	}
	all.Wait()
	return acknowledged
}

// TestPartsAtOnceOutlastACut cuts the power while parts arrive beside each other, before every
// single operation in turn: what was acknowledged is there, and the rest can be sent.
func TestPartsAtOnceOutlastACut(t *testing.T) {
	t.Parallel()
	for cut := 0; ; cut++ {
		disk := newFlakyDisk()
		o := fs.Options{Dir: "/data/store", Disk: disk, Secret: make([]byte, 32)}
		s, err := fs.New(o)
		if err != nil {
			t.Fatalf("New() = %v, want nil", err)
		}
		id, err := s.Begin(t.Context(), "k")
		if err != nil {
			t.Fatalf("Begin(k) = %v, want nil", err)
		}
		disk.cutAfter(cut)
		acknowledged := sendAtOnce(t.Context(), s, id)
		disk.restart(float64(cut%4)/4, rand.New(rand.NewPCG(uint64(cut), 1)))
		if s, err = fs.New(o); err != nil {
			t.Fatalf("New() after the cut = %v, want nil", err)
		}
		if lookAtParts(t, s, id, acknowledged); t.Failed() {
			t.Fatalf("with the power cut after %d operations", cut)
		}
		if len(acknowledged) == atOnce {
			return
		}
	}
}

// lookAtParts wants the acknowledged parts to be there, sends the others, and wants the whole.
func lookAtParts(t *testing.T, s *fs.Store, id string, acknowledged map[int]bool) {
	t.Helper()
	found := map[int]string{}
	for p, err := range s.Parts(t.Context(), "k", id) {
		if err != nil {
			t.Fatalf("Parts(k) = %v, want nil", err)
		}
		found[p.Number] = p.ETag
	}
	var named []blob.Part
	want := ""
	for n := 1; n <= atOnce; n++ {
		tag := digest(partBody(n))
		if acknowledged[n] && found[n] != tag {
			t.Errorf("part %d = %q, want %q, as acknowledged", n, found[n], tag)
		}
		if found[n] == "" {
			if err := sendPart(t.Context(), s, partSlot(id, n), partBody(n)); err != nil {
				t.Errorf("send part %d after the cut = %v, want nil", n, err)
			}
		}
		named = append(named, blob.Part{Number: n, ETag: tag})
		want += partBody(n)
	}
	err := s.Complete(t.Context(), "k", id, named)
	if got := object(t, s, "k"); err != nil || got != want {
		t.Errorf("Complete(k) = %v, object %q, want %q", err, got, want)
	}
}

// slowJournals is a disk whose journals are synced only when held lets them be.
type slowJournals struct {
	*flakyDisk
	syncs atomic.Int32
	held  func(sync int32)
}

func (d *slowJournals) Open(name string, flag int) (fs.File, error) {
	f, err := d.flakyDisk.Open(name, flag)
	if err != nil || filepath.Base(name) != "journal" {
		return f, err
	}
	return &slowJournal{f, d}, nil
}

type slowJournal struct {
	fs.File
	disk *slowJournals
}

func (f *slowJournal) Sync() error {
	if n := f.disk.syncs.Add(1); f.disk.held != nil {
		f.disk.held(n)
	}
	return f.File.Sync()
}

// TestPartsAreRecordedTogether wants the parts that arrive while the journal is being synced to
// share the next sync, whether it succeeds or not.
func TestPartsAreRecordedTogether(t *testing.T) {
	t.Parallel()
	for _, failing := range []bool{false, true} {
		t.Run(fmt.Sprintf("failing=%v", failing), func(t *testing.T) {
			t.Parallel()
			disk := &slowJournals{flakyDisk: newFlakyDisk()}
			s, err := fs.New(fs.Options{Dir: "/data/store", Disk: disk, Secret: make([]byte, 32)})
			if err != nil {
				t.Fatalf("New() = %v, want nil", err)
			}
			id, err := s.Begin(t.Context(), "k")
			if err != nil {
				t.Fatalf("Begin(k) = %v, want nil", err)
			}
			before := disk.syncs.Load()
			disk.held = func(sync int32) {
				for sync == before+1 && s.Arrivals(id) < atOnce-1 {
					runtime.Gosched()
				}
				if failing && sync == before+2 {
					disk.failAt(disk.operations() + 1)
				}
			}
			acknowledged := sendAtOnce(t.Context(), s, id)
			syncs, want := disk.syncs.Load()-before, atOnce
			if failing {
				want = 1
			}
			if syncs != 2 || len(acknowledged) != want {
				t.Errorf("%d parts at once = %d syncs of the journal, %d acknowledged, want 2 syncs and %d", atOnce, syncs, len(acknowledged), want)
			}
			lookAtParts(t, s, id, acknowledged)
		})
	}
}
