package blob_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"quern"
	"quern/blob"
	"quern/blob/fs"
)

// ranging is a store that reads parts of objects, and counts what it reads.
type ranging struct {
	blob.Store
	tag     atomic.Value                // of every object
	opens   atomic.Int64                // of parts
	bytes   atomic.Int64                // of parts
	wholes  atomic.Int64                // objects that were read whole
	gate    chan struct{}               // nil: open
	failing atomic.Pointer[quern.Error] // of parts
	cut     atomic.Bool                 // parts end early
	entered chan struct{}               // told of everyone at the gate
}

func (r *ranging) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	r.wholes.Add(1)
	return r.Store.Open(ctx, key, offset, length)
}

func (r *ranging) OpenRange(ctx context.Context, key string, span blob.Span, tag string) (io.ReadCloser, blob.Version, error) {
	r.opens.Add(1)
	r.bytes.Add(span.To - span.From)
	if r.gate != nil {
		r.entered <- struct{}{}
		select {
		case <-r.gate:
		case <-ctx.Done():
			return nil, blob.Version{}, ctx.Err()
		}
	}
	if err := r.failing.Load(); err != nil {
		return nil, blob.Version{}, err
	}
	is := r.tag.Load().(string)
	if tag != "" && tag != is {
		return nil, blob.Version{}, blob.ErrChanged
	}
	info, err := r.Store.Stat(ctx, key)
	if err != nil {
		return nil, blob.Version{}, err
	}
	long := span.To - span.From
	if r.cut.Load() {
		long--
	}
	body, err := r.Store.Open(ctx, key, span.From, long)
	return body, blob.Version{Tag: is, Size: info.Size}, err
}

// large is the size of the object "large".
const large = 4 << 20

// rangingStore has the object "large" of random bytes, which it returns.
func rangingStore(t *testing.T) (*ranging, []byte) {
	t.Helper()
	s, err := fs.New(fs.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	body := make([]byte, large)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range body {
		body[i] = byte(1 + random.IntN(255)) // none is like a hole
	}
	for key, size := range map[string]int{"large": large, "small": 1000} {
		if err := s.Put(t.Context(), key, bytes.NewReader(body[:size]), int64(size)); err != nil {
			t.Fatal(err)
		}
	}
	r := &ranging{Store: s}
	r.tag.Store("one")
	return r, body
}

// tailed is an object with a tail of so many bytes.
func tailed(key string, body []byte, tail int) blob.Tailed {
	return blob.Tailed{Key: key, Size: int64(len(body)), Tail: body[len(body)-tail:]}
}

func sparse(t *testing.T, c *blob.Cache, o blob.Tailed) *blob.SparseFile {
	t.Helper()
	f, err := c.Sparse(t.Context(), o)
	if err != nil {
		t.Fatalf("Sparse(%s) = %v, want a file", o.Key, err)
	}
	t.Cleanup(f.Release)
	return f
}

// has wants a file to hold spans of an object, and nothing elsewhere that is not its own.
func has(t *testing.T, f *blob.SparseFile, body []byte, spans ...blob.Span) {
	t.Helper()
	got, err := os.ReadFile(f.Path())
	if err != nil || len(got) != len(body) {
		t.Fatalf("the file has %d bytes, %v, want %d", len(got), err, len(body))
	}
	for _, s := range spans {
		if !bytes.Equal(got[s.From:s.To], body[s.From:s.To]) {
			t.Errorf("the file has other bytes from %d to %d", s.From, s.To)
		}
	}
	for i := range got {
		if got[i] != 0 && got[i] != body[i] {
			t.Fatalf("the file has a byte of its own at %d", i)
		}
	}
}

// Only what is asked for is fetched, once, and counted; near spans come together.
func TestSparseFetchesWhatIsAskedFor(t *testing.T) {
	t.Parallel()
	s, body := rangingStore(t)
	c := newCache(t, s, t.TempDir(), 64<<20)
	o := tailed("large", body, 100)
	if c.HasSparse("large") {
		t.Error("HasSparse(nothing fetched) = true")
	}
	f := sparse(t, c, o)
	has(t, f, body, blob.Span{From: large - 100, To: large})
	if f.ID() == "" || !c.HasSparse("large") || s.opens.Load() != 0 {
		t.Errorf("a file of a tail has id %q and cost %d requests, want an id and none", f.ID(), s.opens.Load())
	}
	spans := []blob.Span{{From: 10, To: 2000}, {From: 3000, To: 4000}, {From: 1 << 20, To: 1<<20 + 500}}
	for range 2 {
		if err := f.Fetch(t.Context(), spans); err != nil {
			t.Fatalf("Fetch() = %v, want nil", err)
		}
	}
	has(t, f, body, spans...)
	if s.opens.Load() != 2 || s.bytes.Load() != 3990+500 {
		t.Errorf("%d requests of %d bytes, want 2 of 4490", s.opens.Load(), s.bytes.Load())
	}
	if used, _ := c.Size(); used < 4490+100 || used > 16<<10 {
		t.Errorf("the cache counts %d bytes, want about those that were fetched", used)
	}
	other := sparse(t, c, blob.Tailed{Key: "large", Size: large})
	if other.ID() != f.ID() || !other.Has(spans[0]) || other.Has(blob.Span{From: 0, To: 11}) {
		t.Errorf("a second user has %s, want %s with what it has", other.ID(), f.ID())
	}
}

// An object that is wanted for the most part, or is small, is fetched whole, and is a file
// like others then, also for a later process.
func TestSparseBecomesWhole(t *testing.T) {
	t.Parallel()
	s, body := rangingStore(t)
	dir := t.TempDir()
	c := newCache(t, s, dir, 64<<20)
	for key, want := range map[string]struct {
		body []byte
		span blob.Span
	}{"large": {body, blob.Span{From: 0, To: large * 7 / 10}}, "small": {body[:1000], blob.Span{From: 5, To: 6}}} {
		f := sparse(t, c, tailed(key, want.body, 8))
		if err := f.Fetch(t.Context(), []blob.Span{want.span}); err != nil {
			t.Fatal(err)
		}
		has(t, f, want.body, blob.Span{From: 0, To: int64(len(want.body))})
		f.Release()
	}
	path := filepath.Join(dir, "*.object")
	for whole := 0; whole < 2; {
		found, _ := filepath.Glob(path)
		whole = len(found)
	}
	if used, _ := c.Size(); used != large+1000 {
		t.Errorf("the cache counts %d bytes, want %d", used, large+1000)
	}
	s.opens.Store(0)
	later := newCache(t, s, dir, 64<<20)
	for key, size := range map[string]int{"large": large, "small": 1000} {
		for _, c := range []*blob.Cache{c, later} {
			f := sparse(t, c, tailed(key, body[:size], 8))
			if f.ID() != "" || !f.Has(blob.Span{From: 0, To: int64(size)}) {
				t.Errorf("Sparse(%s) has id %q, want a whole file", key, f.ID())
			}
			has(t, f, body[:size], blob.Span{From: 0, To: int64(size)})
		}
	}
	if s.opens.Load() != 0 || s.wholes.Load() != 0 {
		t.Errorf("%d and %d requests for what is here, want none", s.opens.Load(), s.wholes.Load())
	}
}

// What a process left half filled is never trusted.
func TestSparseIsNotTakenOver(t *testing.T) {
	t.Parallel()
	s, body := rangingStore(t)
	dir := t.TempDir()
	f := sparse(t, newCache(t, s, dir, 64<<20), tailed("large", body, 100))
	if err := f.Fetch(t.Context(), []blob.Span{{From: 0, To: 10}}); err != nil {
		t.Fatal(err)
	}
	c := newCache(t, s, dir, 64<<20)
	left, err := os.ReadDir(dir)
	if used, _ := c.Size(); err != nil || len(left) != 0 || used != 0 || c.HasSparse("large") {
		t.Errorf("a later process finds %d files of %d bytes, want none", len(left), used)
	}
}

// Fetches are shared: who comes while bytes are on their way waits for them.
func TestSparseSharesFetches(t *testing.T) {
	t.Parallel()
	s, body := rangingStore(t)
	s.gate, s.entered = make(chan struct{}), make(chan struct{}, 10)
	c := newCache(t, s, t.TempDir(), 64<<20)
	var all sync.WaitGroup
	for i := range 5 {
		f := sparse(t, c, tailed("large", body, 100))
		all.Go(func() {
			if err := f.Fetch(t.Context(), []blob.Span{{From: 0, To: 500_000}}); err != nil {
				t.Errorf("Fetch() of user %d = %v, want nil", i, err)
			}
			has(t, f, body, blob.Span{From: 0, To: 500_000})
		})
	}
	<-s.entered
	close(s.gate)
	all.Wait()
	if s.opens.Load() != 1 {
		t.Errorf("%d requests, want 1", s.opens.Load())
	}
}

// Who goes away ends the fetches that nobody else waits for, and leaves nothing behind that
// others take for whole.
func TestSparseCancelled(t *testing.T) {
	t.Parallel()
	s, body := rangingStore(t)
	s.gate, s.entered = make(chan struct{}), make(chan struct{}, 10)
	c := newCache(t, s, t.TempDir(), 64<<20)
	f := sparse(t, c, tailed("large", body, 100))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- f.Fetch(ctx, []blob.Span{{From: 0, To: 500_000}}) }()
	<-s.entered
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("Fetch(cancelled) = %v, want it cancelled", err)
	}
	other := sparse(t, c, tailed("large", body, 100))
	if other.ID() == f.ID() {
		t.Error("the copy of a cancelled fetch is given to others")
	}
	close(s.gate)
	if err := other.Fetch(t.Context(), []blob.Span{{From: 0, To: 500_000}}); err != nil {
		t.Errorf("Fetch() afterwards = %v, want nil", err)
	}
	has(t, other, body, blob.Span{From: 0, To: 500_000})
	f.Release()
	if used, _ := c.Size(); used > 600_000 {
		t.Errorf("the cache counts %d bytes, want those of one copy", used)
	}
}

// Whatever goes wrong with a part is the error of those who wait for it, and the next one
// starts anew.
func TestSparseFailures(t *testing.T) {
	t.Parallel()
	s, body := rangingStore(t)
	c := newCache(t, s, t.TempDir(), 64<<20)
	span := []blob.Span{{From: 0, To: 500_000}}
	fetch := func() error {
		f := sparse(t, c, tailed("large", body, 100))
		defer f.Release()
		return f.Fetch(t.Context(), span)
	}
	s.failing.Store(blob.ErrUnreachable)
	if err := fetch(); !quern.Is(err, quern.Unreachable) {
		t.Errorf("Fetch(store away) = %v, want kind unreachable", err)
	}
	s.failing.Store(nil)
	s.cut.Store(true)
	if err := fetch(); err == nil {
		t.Error("Fetch(parts that end early) = nil, want an error")
	}
	s.cut.Store(false)
	if err := fetch(); err != nil {
		t.Errorf("Fetch() afterwards = %v, want nil", err)
	}
	span[0] = blob.Span{From: 1_000_000, To: 1_000_100}
	s.tag.Store("two")
	if err := fetch(); !errors.Is(err, blob.ErrChanged) {
		t.Errorf("Fetch(another version) = %v, want %v", err, blob.ErrChanged)
	}
	if err := fetch(); err != nil {
		t.Errorf("Fetch(the new version alone) = %v, want nil", err)
	}
	if _, err := c.Sparse(t.Context(), blob.Tailed{Key: "large", Size: 10, Tail: body[:100]}); err == nil {
		t.Error("Sparse(a tail longer than the object) = nil, want an error")
	}
	short := sparse(t, c, blob.Tailed{Key: "large", Size: large - 1, Tail: body[:100]})
	if err := short.Fetch(t.Context(), span); !errors.Is(err, blob.ErrChanged) {
		t.Errorf("Fetch(an object of another size) = %v, want %v", err, blob.ErrChanged)
	}
	if err := sparse(t, c, blob.Tailed{Key: "none", Size: 2 << 20}).Fetch(t.Context(), span); !quern.Is(err, quern.NotFound) {
		t.Errorf("Fetch(no object) = %v, want kind not found", err)
	}
}

// A store that turns out not to read parts, and an object that is distrusted, are used whole.
func TestSparseOrWhole(t *testing.T) {
	t.Parallel()
	s, body := rangingStore(t)
	c := newCache(t, s, t.TempDir(), 64<<20)
	f := sparse(t, c, tailed("large", body, 100))
	f.Distrust()
	if whole := sparse(t, c, tailed("large", body, 100)); whole.ID() != "" {
		t.Error("Sparse(distrusted) is sparse")
	}
	c = newCache(t, s, t.TempDir(), 64<<20)
	s.failing.Store(blob.ErrNoRange)
	f = sparse(t, c, tailed("large", body, 100))
	if err := f.Fetch(t.Context(), []blob.Span{{From: 0, To: 10}}); !errors.Is(err, blob.ErrNoRange) {
		t.Errorf("Fetch() = %v, want %v", err, blob.ErrNoRange)
	}
	if whole := sparse(t, c, tailed("small", body[:1000], 8)); whole.ID() != "" {
		t.Error("Sparse(of a store that reads no parts) is sparse")
	}
	if whole := sparse(t, newCache(t, s.Store, t.TempDir(), 64<<20), tailed("large", body, 100)); whole.ID() != "" {
		t.Error("Sparse(of a store that is no Ranger) is sparse")
	}
}

// Sparse files count with what they have, go when room is needed and nobody uses them, and
// are refused where there is none.
func TestSparseRoom(t *testing.T) {
	t.Parallel()
	s, body := rangingStore(t)
	c := newCache(t, s, t.TempDir(), 1<<20)
	f := sparse(t, c, tailed("large", body, 100))
	if err := f.Fetch(t.Context(), []blob.Span{{From: 0, To: 900 << 10}}); err != nil {
		t.Fatal(err)
	}
	if err := f.Fetch(t.Context(), []blob.Span{{From: 2 << 20, To: 2<<20 + 200<<10}}); !quern.Is(err, quern.Unavailable) {
		t.Errorf("Fetch(more than there is room) = %v, want kind unavailable", err)
	}
	has(t, f, body, blob.Span{From: 0, To: 900 << 10})
	f.Release()
	if err := s.Put(t.Context(), "half", strings.NewReader(strings.Repeat("h", 600<<10)), 600<<10); err != nil {
		t.Fatal(err)
	}
	_, release, err := c.File(t.Context(), "half")
	if err != nil {
		t.Fatalf("File() beside an idle sparse file = %v, want nil", err)
	}
	release()
	if _, err := os.Stat(f.Path()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the idle sparse file = %v, want it gone", err)
	}
	if used, limit := c.Size(); used > limit {
		t.Errorf("the cache counts %d bytes of %d", used, limit)
	}
}
