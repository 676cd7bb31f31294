package fs_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"quern"
	"quern/blob"
	"quern/blob/fs"
)

// apart is a disk whose objects lie on another file system than all else.
type apart struct{ fs.Disk }

func (apart) Rename(from, to string) error {
	return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.EXDEV}
}

// A file becomes an object, and is gone from its place; where that is not possible it stays as it is.
func TestFilesAreAdopted(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "made")
	there := func() bool { _, err := os.Stat(path); return err == nil }
	s, err := fs.New(fs.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("made"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Adopt(t.Context(), "a/b", path, 5); !quern.Is(err, quern.Invalid) || !there() {
		t.Errorf("Adopt(4 bytes as 5) = %v, want it invalid and the file there", err)
	}
	if err := s.Adopt(t.Context(), "../b", path, 4); err == nil || !there() {
		t.Errorf("Adopt(a wrong key) = %v, want an error and the file there", err)
	}
	if err := s.Adopt(t.Context(), "a/b", path, 4); err != nil || object(t, s, "a/b") != "made" || there() {
		t.Errorf("Adopt() = %v, want the object and no file", err)
	}
	if err := s.Adopt(t.Context(), "a/b", path, 4); !errors.Is(err, os.ErrNotExist) || object(t, s, "a/b") != "made" {
		t.Errorf("Adopt(no file) = %v, want that it is not there", err)
	}
}

func TestFilesOfOtherDisksAreNotAdopted(t *testing.T) {
	t.Parallel()
	disk := newFlakyDisk()
	s, err := fs.New(fs.Options{Dir: "/data/store", Disk: apart{disk}, Secret: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := disk.Open("/data/made", os.O_RDWR|os.O_CREATE); err != nil {
		t.Fatal(err)
	}
	if err := s.Adopt(t.Context(), "a/b", "/data/made", 0); !errors.Is(err, blob.ErrElsewhere) {
		t.Errorf("Adopt() = %v, want %v", err, blob.ErrElsewhere)
	}
	if _, err := disk.Stat("/data/made"); err != nil {
		t.Errorf("Stat(the file) = %v, want it there", err)
	}
}
