package blobtest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/blob"
)

var concurrentChecks = []check{
	{"WritersAndReaders", writersAndReaders},
	{"PutAndDelete", putAndDelete},
	{"PartsInParallel", partsInParallel},
	{"SamePartInParallel", samePart},
	{"CompleteTwice", completeTwice},
	{"AbortAndComplete", abortAndComplete},
}

// writersAndReaders has readers look for a mix of two objects: every object is
// one byte repeated, as often as the byte says.
func writersAndReaders(t *testing.T, h Harness) {
	version := func(b byte) []byte { return bytes.Repeat([]byte{b}, 10_000+1000*int(b)) }
	mustPut(t, h.Store, "mixed", version(0))
	var writers, readers sync.WaitGroup
	stop := make(chan struct{})
	for w := range 4 {
		writers.Go(func() {
			for n := range 25 {
				body := version(byte(25*w + n))
				if err := h.Store.Put(t.Context(), "mixed", bytes.NewReader(body), int64(len(body))); err != nil {
					t.Errorf("Put(mixed) = %v, want nil", err)
				}
			}
		})
	}
	for range 4 {
		readers.Go(func() {
			for {
				got, err := readAll(t.Context(), h.Store, "mixed", 0, -1)
				if err != nil || !bytes.Equal(got, version(got[0])) {
					t.Errorf("Open(mixed) = %d bytes, %v, want one version, whole", len(got), err)
					return
				}
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	writers.Wait()
	close(stop)
	readers.Wait()
}

// putAndDelete has objects come and go beside one that stays.
func putAndDelete(t *testing.T, h Harness) {
	mustPut(t, h.Store, "come/and/go/stays", []byte("stays"))
	var group sync.WaitGroup
	for w := range 4 {
		group.Go(func() {
			key := fmt.Sprintf("come/and/go/%d", w)
			for range 25 {
				if err := h.Store.Put(t.Context(), key, bytes.NewReader([]byte(key)), int64(len(key))); err != nil {
					t.Errorf("Put(%q) = %v, want nil", key, err)
				}
				if got, err := readAll(t.Context(), h.Store, key, 0, -1); err != nil || string(got) != key {
					t.Errorf("Open(%q) = %q, %v, want the key", key, got, err)
				}
				if err := h.Store.Delete(t.Context(), key); err != nil {
					t.Errorf("Delete(%q) = %v, want nil", key, err)
				}
			}
		})
	}
	group.Wait()
	if got := keys(t, h.Store, ""); len(got) != 1 {
		t.Errorf("List() = %q, want the one that stays", got)
	}
}

// sendAll sends parts, counted from 0, in the order given, several at a time.
func (x *transfer) sendAll(order []int, width int) {
	x.t.Helper()
	work := make(chan int)
	var group sync.WaitGroup
	for range width {
		group.Go(func() {
			for n := range work {
				body := x.parts[n]
				u, err := x.h.Store.PresignPart(x.t.Context(), x.slot(n+1), time.Minute)
				if err != nil {
					x.t.Errorf("PresignPart(%d) = %v, want nil", n+1, err)
					continue
				}
				a := request(x.t.Context(), http.MethodPut, u, bytes.NewReader(body), int64(len(body)))
				if a.err != nil || a.status != http.StatusOK || blob.CleanETag(a.etag) != tag(body) {
					x.t.Errorf("PUT part %d = %+v, want 200 with ETag %q", n+1, a, tag(body))
				}
			}
		})
	}
	for _, n := range order {
		work <- n
	}
	close(work)
	group.Wait()
}

func partsInParallel(t *testing.T, h Harness) {
	x := begin(t, h, "parallel", 6)
	x.sendAll(rand.New(rand.NewPCG(3, 4)).Perm(6), 4)
	x.mustComplete()
}

// samePart has several clients send the same part; the one that is listed
// afterwards is the one that counts.
func samePart(t *testing.T, h Harness) {
	x := begin(t, h, "same", 2)
	x.send(2)
	versions := map[string][]byte{}
	var group sync.WaitGroup
	for v := range 6 {
		body := random(uint64(60+v), int64(len(x.parts[0])))
		versions[tag(body)] = body
		u := x.url(1)
		group.Go(func() {
			a := request(t.Context(), http.MethodPut, u, bytes.NewReader(body), int64(len(body)))
			if a.err != nil || a.status != http.StatusOK || blob.CleanETag(a.etag) != tag(body) {
				t.Errorf("PUT part 1 = %+v, want 200 with ETag %q", a, tag(body))
			}
		})
	}
	group.Wait()
	x.parts[0] = versions[x.arrived()[0].ETag]
	if x.parts[0] == nil {
		t.Fatalf("Parts() = %+v, want one of those that were sent", x.arrived())
	}
	x.mustComplete()
}

func completeTwice(t *testing.T, h Harness) {
	for round := range 5 {
		x := begin(t, h, fmt.Sprintf("twice/%d", round), 2)
		x.send(1)
		x.send(2)
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				if err := x.complete(); err != nil {
					t.Errorf("Complete(at the same time) = %v, want nil", err)
				} else if got, err := readAll(t.Context(), h.Store, x.key, 0, -1); err != nil || !bytes.Equal(got, x.whole()) {
					t.Errorf("Open(%q) after Complete = %d bytes, %v, want %d", x.key, len(got), err, len(x.whole()))
				}
			})
		}
		group.Wait()
	}
}

func abortAndComplete(t *testing.T, h Harness) {
	for round := range 10 {
		x := begin(t, h, fmt.Sprintf("race/%d", round), 2)
		x.send(1)
		x.send(2)
		var completeErr, abortErr error
		var group sync.WaitGroup
		group.Go(func() { completeErr = x.complete() })
		group.Go(func() { abortErr = h.Store.Abort(t.Context(), x.key, x.id) })
		group.Wait()
		if abortErr != nil {
			t.Errorf("Abort(at the same time) = %v, want nil", abortErr)
		}
		if completeErr == nil {
			wantObject(t, h.Store, x.key, x.whole())
		} else {
			wantKind(t, "Complete(aborted)", completeErr, quern.NotFound)
			wantNoObject(t, h.Store, x.key)
		}
		if x.open() {
			t.Errorf("Uploads() has %q after Abort and Complete, want it gone", x.key)
		}
	}
}
