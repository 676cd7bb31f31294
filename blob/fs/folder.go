package fs

import (
	"errors"
	iofs "io/fs"
	"path/filepath"
	"sync"
	"syscall"

	"quern"
)

// maxDurable bounds the folders that are remembered as durable; beyond it they
// are forgotten and synced once more when next used.
const maxDurable = 4096

var errConflict = quern.E(quern.Conflict, quern.CodeConflict, "the object key continues another key, or is continued by one")

// folders makes and removes the folders of a tree. A folder that another writer
// has just made may not last yet, so only folders that this process has synced
// into their parents count as there.
type folders struct {
	disk Disk
	top  string // never removed; durable before the first ensure

	mu      sync.Mutex
	durable map[string]struct{}
}

// ensure makes dir and all its parents up to the top, and makes them last.
func (f *folders) ensure(dir string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.ensureLocked(dir)
}

func (f *folders) ensureLocked(dir string) error {
	if dir == f.top {
		return nil
	}
	if _, ok := f.durable[dir]; ok {
		return nil
	}
	parent := filepath.Dir(dir)
	if err := f.ensureLocked(parent); err != nil {
		return err
	}
	if err := f.disk.Mkdir(dir); err != nil {
		info, statErr := f.disk.Stat(dir)
		switch {
		case errors.Is(err, syscall.ENOTDIR), statErr == nil && !info.IsDir():
			return errConflict.Because(err)
		case !errors.Is(err, iofs.ErrExist):
			return err
		}
	}
	if err := f.disk.SyncDir(parent); err != nil {
		return err
	}
	if len(f.durable) >= maxDurable {
		clear(f.durable)
	}
	f.durable[dir] = struct{}{}
	return nil
}

// forget makes the next ensure look at dir again.
func (f *folders) forget(dir string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for ; dir != f.top && len(dir) > len(f.top); dir = filepath.Dir(dir) {
		delete(f.durable, dir)
	}
}

// prune removes dir and its parents as far up as they are empty.
func (f *folders) prune(dir string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for ; dir != f.top; dir = filepath.Dir(dir) {
		delete(f.durable, dir)
		if err := f.disk.Remove(dir); err != nil && !errors.Is(err, iofs.ErrNotExist) {
			return
		}
	}
}

// sync makes the names in dir last; where dir itself has gone, that it has.
func (f *folders) sync(dir string) error {
	for {
		err := f.disk.SyncDir(dir)
		missing := errors.Is(err, iofs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
		if dir == f.top || !missing {
			return err
		}
		dir = filepath.Dir(dir)
	}
}

// makeRoot makes dir and the parents it lacks, and makes them last. Those that
// are there may be what a killed process made and did not sync, so they are
// synced too, except where this user may not.
func makeRoot(disk Disk, dir string) error {
	parent := filepath.Dir(dir)
	if parent == dir {
		return nil
	}
	if err := makeRoot(disk, parent); err != nil {
		return err
	}
	info, err := disk.Stat(dir)
	there := err == nil && info.IsDir()
	if !there {
		if err := disk.Mkdir(dir); err != nil {
			return err
		}
	}
	if err := disk.SyncDir(parent); err != nil && !(there && errors.Is(err, iofs.ErrPermission)) {
		return err
	}
	return nil
}
