package blob_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"quern"
	"quern/blob"
	"quern/blob/blobtest"
	"quern/blob/fs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestCheckKey(t *testing.T) {
	t.Parallel()
	for _, key := range blobtest.BadKeys {
		if err := blob.CheckKey(key); !quern.Is(err, quern.Invalid) || strings.Contains(err.Error(), "\x00") {
			t.Errorf("CheckKey(%q) = %v, want kind invalid", key, err)
		}
	}
	for _, key := range []string{"a", "a/b", "a.b", "ü", strings.Repeat("k", 255)} {
		if err := blob.CheckKey(key); err != nil {
			t.Errorf("CheckKey(%q) = %v, want nil", key, err)
		}
	}
}

// FuzzCheckKey wants every key that passes to name one file below a folder.
func FuzzCheckKey(f *testing.F) {
	for _, key := range append(blobtest.BadKeys, "a", "a/b", "ünï/x y") {
		f.Add(key)
	}
	f.Fuzz(func(t *testing.T, key string) {
		if blob.CheckKey(key) != nil {
			return
		}
		path := filepath.Join("/root", filepath.FromSlash(key))
		if path != "/root/"+key || !filepath.IsLocal(key) || len(key) > blob.MaxKey || strings.ContainsAny(key, "\x00\n\r") {
			t.Errorf("CheckKey(%q) = nil, but it names %q", key, path)
		}
	})
}

func TestExactly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		size, have int
		ok         bool
	}{{0, 0, true}, {1, 1, true}, {5000, 5000, true}, {0, 1, false}, {1, 0, false}, {5000, 4999, false}, {5000, 5001, false}} {
		for name, r := range map[string]io.Reader{
			"seekable": bytes.NewReader(make([]byte, c.have)), "stream": io.MultiReader(bytes.NewReader(make([]byte, c.have))),
		} {
			body := blob.Exactly(r, int64(c.size))
			n, err := io.Copy(io.Discard, body)
			if c.ok && (err != nil || n != int64(c.size) || body.Err() != nil) {
				t.Errorf("Exactly(%s of %d, %d) = %d bytes, %v, want all", name, c.have, c.size, n, err)
			}
			if !c.ok && (!quern.Is(err, quern.Invalid) || n >= int64(c.size) && c.size > 0 || body.Err() == nil) {
				t.Errorf("Exactly(%s of %d, %d) = %d bytes, %v, want kind invalid before the end", name, c.have, c.size, n, err)
			}
		}
	}
}

// counting counts what is fetched, and can hold fetches up.
type counting struct {
	blob.Store
	opens atomic.Int64
	gate  chan struct{}
	lie   int64 // added to every size
}

func (c *counting) Stat(ctx context.Context, key string) (blob.Info, error) {
	info, err := c.Store.Stat(ctx, key)
	info.Size += c.lie
	return info, err
}

func (c *counting) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	c.opens.Add(1)
	if c.gate != nil {
		select {
		case <-c.gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return c.Store.Open(ctx, key, offset, length)
}

// objects returns a store of ten objects of 100 bytes, "0" to "9".
func objects(t *testing.T) *counting {
	t.Helper()
	s, err := fs.New(fs.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatalf("fs.New() = %v, want nil", err)
	}
	for i := range 10 {
		body := bytes.Repeat([]byte{byte('0' + i)}, 100)
		if err := s.Put(t.Context(), fmt.Sprint(i), bytes.NewReader(body), 100); err != nil {
			t.Fatalf("Put(%d) = %v, want nil", i, err)
		}
	}
	return &counting{Store: s}
}

func newCache(t *testing.T, s blob.Store, dir string, limit int64) *blob.Cache {
	t.Helper()
	c, err := blob.NewCache(s, dir, limit)
	if err != nil {
		t.Fatalf("NewCache(%d) = %v, want nil", limit, err)
	}
	return c
}

// use wants File to give the object's bytes.
func use(t *testing.T, c blob.Files, key string) func() {
	t.Helper()
	path, release, err := c.File(t.Context(), key)
	if err != nil {
		t.Fatalf("File(%q) = %v, want nil", key, err)
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != strings.Repeat(key, 100) || filepath.Dir(path) != c.Dir() {
		t.Fatalf("File(%q) = %q holding %d bytes, %v, want 100 in %s", key, path, len(got), err, c.Dir())
	}
	return release
}

func TestFilesOfFolder(t *testing.T) {
	t.Parallel()
	s := objects(t).Store.(*fs.Store)
	release := use(t, s, "3")
	release()
	release()
	if _, _, err := s.File(t.Context(), "none"); !quern.Is(err, quern.NotFound) {
		t.Errorf("File(none) = %v, want kind not found", err)
	}
}

func TestCacheEvictsTheOldest(t *testing.T) {
	t.Parallel()
	s := objects(t)
	c := newCache(t, s, t.TempDir(), 350)
	for _, key := range []string{"0", "1", "2", "0", "3"} {
		release := use(t, c, key)
		release()
		release()
	}
	fetched := s.opens.Load()
	use(t, c, "0")()
	if got := s.opens.Load(); got != fetched {
		t.Errorf("File(0) fetched again, want it kept")
	}
	use(t, c, "1")()
	if got := s.opens.Load(); got != fetched+1 {
		t.Errorf("File(1) = %d fetches, want %d, for it was the oldest", got, fetched+1)
	}
	if entries, _ := os.ReadDir(c.Dir()); len(entries) != 3 {
		t.Errorf("the folder has %d files, want 3", len(entries))
	}
}

func TestCacheKeepsWhatIsUsed(t *testing.T) {
	t.Parallel()
	c := newCache(t, objects(t), t.TempDir(), 250)
	first, second := use(t, c, "0"), use(t, c, "1")
	if _, _, err := c.File(t.Context(), "2"); !quern.Is(err, quern.Unavailable) {
		t.Errorf("File(2) beside two in use = %v, want kind unavailable", err)
	}
	use(t, c, "0")()
	second()
	use(t, c, "2")()
	use(t, c, "3")()
	use(t, c, "0")()
	first()
	small := newCache(t, objects(t), t.TempDir(), 99)
	if _, _, err := small.File(t.Context(), "0"); !quern.Is(err, quern.Unavailable) {
		t.Errorf("File(larger than the cache) = %v, want kind unavailable", err)
	}
}

func TestCacheFetchesOnce(t *testing.T) {
	t.Parallel()
	s := objects(t)
	s.gate = make(chan struct{})
	c := newCache(t, s, t.TempDir(), 1000)
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			path, release, err := c.File(t.Context(), "5")
			if err != nil {
				t.Errorf("File(5) = %v, want nil", err)
				return
			}
			defer release()
			if got, err := os.ReadFile(path); err != nil || len(got) != 100 {
				t.Errorf("File(5) holds %d bytes, %v, want 100", len(got), err)
			}
		})
	}
	close(s.gate)
	group.Wait()
	if got := s.opens.Load(); got != 1 {
		t.Errorf("20 calls of File(5) = %d fetches, want 1", got)
	}
}

func TestCacheOutlivesTheFirstCaller(t *testing.T) {
	t.Parallel()
	s := objects(t)
	s.gate = make(chan struct{})
	c := newCache(t, s, t.TempDir(), 1000)
	ctx, cancel := context.WithCancel(t.Context())
	left, got := make(chan error, 1), make(chan error, 1)
	go func() { _, _, err := c.File(ctx, "5"); left <- err }()
	for s.opens.Load() == 0 {
		runtime.Gosched()
	}
	go func() {
		_, release, err := c.File(t.Context(), "5")
		if err == nil {
			release()
		}
		got <- err
	}()
	cancel()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("File(cancelled) = %v, want context canceled", err)
	}
	close(s.gate)
	if err := <-got; err != nil {
		t.Errorf("File(beside a cancelled one) = %v, want nil", err)
	}
	use(t, c, "5")()
}

func TestCacheFailures(t *testing.T) {
	t.Parallel()
	s := objects(t)
	c := newCache(t, s, t.TempDir(), 150)
	for range 3 {
		if _, _, err := c.File(t.Context(), "none"); !quern.Is(err, quern.NotFound) {
			t.Errorf("File(none) = %v, want kind not found", err)
		}
		if _, _, err := c.File(t.Context(), "../x"); !quern.Is(err, quern.Invalid) {
			t.Errorf("File(../x) = %v, want kind invalid", err)
		}
		for _, s.lie = range []int64{1, -1} {
			if _, _, err := c.File(t.Context(), "1"); err == nil {
				t.Errorf("File(1) that is %d bytes off = nil, want an error", s.lie)
			}
		}
		s.lie = 0
	}
	use(t, c, "2")()
	if entries, _ := os.ReadDir(c.Dir()); len(entries) != 1 {
		t.Errorf("the folder has %d files after failures, want 1", len(entries))
	}
}

func TestCacheSurvivesRestart(t *testing.T) {
	t.Parallel()
	s, dir := objects(t), t.TempDir()
	c := newCache(t, s, dir, 1000)
	for _, key := range []string{"0", "1", "2"} {
		use(t, c, key)()
	}
	path, release, _ := c.File(t.Context(), "1")
	release()
	if err := os.Truncate(path, 50); err != nil {
		t.Fatalf("Truncate() = %v, want nil", err)
	}
	for _, name := range []string{"rest.fetch", "keep.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatalf("WriteFile() = %v, want nil", err)
		}
	}
	before := s.opens.Load()
	again := newCache(t, s, dir, 250)
	use(t, again, "0")()
	use(t, again, "1")()
	if got := s.opens.Load() - before; got != 1 {
		t.Errorf("after a restart = %d fetches, want 1, of the file that was cut", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "rest.fetch")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Stat(rest.fetch) = %v, want it gone", err)
	}
}

func TestCacheUnderLoad(t *testing.T) {
	t.Parallel()
	c := newCache(t, objects(t), t.TempDir(), 450)
	var group sync.WaitGroup
	for w := range 4 {
		group.Go(func() {
			for n := range 200 {
				key := fmt.Sprint((w*7 + n*3) % 10)
				path, release, err := c.File(t.Context(), key)
				if err != nil {
					t.Errorf("File(%q) = %v, want nil", key, err)
					return
				}
				if got, err := os.ReadFile(path); err != nil || string(got) != strings.Repeat(key, 100) {
					t.Errorf("File(%q) holds %d bytes, %v, want 100", key, len(got), err)
				}
				release()
			}
		})
	}
	group.Wait()
	if entries, _ := os.ReadDir(c.Dir()); len(entries) > 4 {
		t.Errorf("the folder has %d files, want at most 4", len(entries))
	}
}
