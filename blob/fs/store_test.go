package fs_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quern"
	"quern/blob"
	store "quern/blob/fs"
)

func open(t *testing.T, dir string) *store.Store {
	t.Helper()
	s, err := store.New(store.Options{Dir: dir, PublicURL: "http://host"})
	if err != nil {
		t.Fatalf("New(%s) = %v, want nil", dir, err)
	}
	return s
}

// tree lists the files and folders below dir.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && path != dir {
			all = append(all, strings.TrimPrefix(path, dir+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatalf("WalkDir(%s) = %v, want nil", dir, err)
	}
	return all
}

func TestKeyContinuesAnother(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir())
	for _, key := range []string{"file", "folder/file"} {
		if err := s.Put(t.Context(), key, strings.NewReader("x"), 1); err != nil {
			t.Fatalf("Put(%q) = %v, want nil", key, err)
		}
	}
	for _, key := range []string{"file/more", "file/more/yet", "folder"} {
		if err := s.Put(t.Context(), key, strings.NewReader("x"), 1); !quern.Is(err, quern.Conflict) {
			t.Errorf("Put(%q) = %v, want kind conflict", key, err)
		}
	}
}

// TestNothingLeft wants no file or folder to stay behind what is over.
func TestNothingLeft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	empty := tree(t, dir)
	if err := s.Put(t.Context(), "a/b/c", strings.NewReader("x"), 1); err != nil {
		t.Fatalf("Put() = %v, want nil", err)
	}
	if err := s.Put(t.Context(), "a/b/d", strings.NewReader("x"), 2); err == nil {
		t.Fatalf("Put(short) = nil, want an error")
	}
	if err := s.Delete(t.Context(), "a/b/c"); err != nil {
		t.Fatalf("Delete() = %v, want nil", err)
	}
	id, err := s.Begin(t.Context(), "up")
	if err != nil {
		t.Fatalf("Begin() = %v, want nil", err)
	}
	for _, body := range []string{"1", "2", "3"} {
		if err := sendPart(t.Context(), s, blob.Slot{Key: "up", UploadID: id, Number: 1, Size: 1}, body); err != nil {
			t.Fatalf("send part = %v, want nil", err)
		}
	}
	if err := s.Abort(t.Context(), "up", id); err != nil {
		t.Fatalf("Abort() = %v, want nil", err)
	}
	if got := tree(t, dir); !slices.Equal(got, empty) {
		t.Errorf("the folder holds %q, want %q", got, empty)
	}
	for _, name := range []string{"secret", "objects"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("Stat(%s) = %v, %v, want it closed to others", name, info.Mode(), err)
		}
	}
}

func TestDoneIsForgotten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	id, err := s.Begin(t.Context(), "up")
	if err != nil {
		t.Fatalf("Begin() = %v, want nil", err)
	}
	if err := sendPart(t.Context(), s, blob.Slot{Key: "up", UploadID: id, Number: 1, Size: 1}, "x"); err != nil {
		t.Fatalf("send part = %v, want nil", err)
	}
	parts := []blob.Part{{Number: 1, ETag: digest("x")}}
	if err := s.Complete(t.Context(), "up", id, parts); err != nil {
		t.Fatalf("Complete() = %v, want nil", err)
	}
	for _, c := range []struct {
		age  time.Duration
		kept int
	}{{6 * 24 * time.Hour, 1}, {8 * 24 * time.Hour, 0}} {
		later := func() time.Time { return time.Now().Add(c.age) }
		if _, err := store.New(store.Options{Dir: dir, Now: later}); err != nil {
			t.Fatalf("New() = %v, want nil", err)
		}
		if got := tree(t, filepath.Join(dir, "done")); len(got) != c.kept {
			t.Errorf("after %v, done holds %q, want %d", c.age, got, c.kept)
		}
	}
}

// TestFoldersComeAndGo has objects that share folders come and go, so that the
// folders do too.
func TestFoldersComeAndGo(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir())
	var group sync.WaitGroup
	for w := range 8 {
		group.Go(func() {
			key := fmt.Sprintf("come/and/go/%d", w)
			for range 50 {
				if err := s.Put(t.Context(), key, strings.NewReader(key), int64(len(key))); err != nil {
					t.Errorf("Put(%q) = %v, want nil", key, err)
				}
				if got := object(t, s, key); got != key {
					t.Errorf("Open(%q) = %q, want the key", key, got)
				}
				if err := s.Delete(t.Context(), key); err != nil {
					t.Errorf("Delete(%q) = %v, want nil", key, err)
				}
			}
		})
	}
	group.Wait()
	if got := tree(t, s.Dir()); len(got) > 0 {
		t.Errorf("the folder holds %q, want nothing", got)
	}
}

// TestTenThousandParts has as many parts as an upload can have.
func TestTenThousandParts(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir())
	id, err := s.Begin(t.Context(), "up")
	if err != nil {
		t.Fatalf("Begin() = %v, want nil", err)
	}
	parts := make([]blob.Part, blob.MaxParts)
	var whole bytes.Buffer
	work := make(chan int)
	var group sync.WaitGroup
	for range 32 {
		group.Go(func() {
			for i := range work {
				slot := blob.Slot{Key: "up", UploadID: id, Number: i + 1, Offset: int64(i * 6), Size: 6}
				if err := sendPart(t.Context(), s, slot, fmt.Sprintf("%05d;", i)); err != nil {
					t.Errorf("send part %d = %v, want nil", i+1, err)
				}
			}
		})
	}
	for i := range parts {
		body := fmt.Sprintf("%05d;", i)
		parts[i] = blob.Part{Number: i + 1, ETag: digest(body)}
		whole.WriteString(body)
		work <- i
	}
	close(work)
	group.Wait()
	// A fresh process reads the journal.
	if err := open(t, filepath.Dir(s.Dir())).Complete(t.Context(), "up", id, parts); err != nil {
		t.Fatalf("Complete() = %v, want nil", err)
	}
	if got := object(t, s, "up"); got != whole.String() {
		t.Errorf("object = %d bytes, want %d", len(got), whole.Len())
	}
}
