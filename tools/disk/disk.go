package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"
)

// disk remembers what was changed and not synced.
type disk struct {
	files string // what is on it
	kept  string // what was removed and may come back

	mu      sync.Mutex
	full    bool
	slow    time.Duration
	broken  int
	changes []change            // in the order in which they were made
	dirty   map[uint64]*os.File // the files that were written to, by inode
	number  int
}

// change is one that was not synced. Contents are synced with their file, names with
// their folder.
type change struct {
	inode  uint64 // of a file's content; 0 for a name
	folder string
	name   string // the path that was made
	made   bool   // the name is new
	undo   func()
	forget func() // after it was synced
}

// suffer lets a call wait, and fail, as the disk does.
func (d *disk) suffer(writes bool) syscall.Errno {
	d.mu.Lock()
	slow, full, broken := d.slow, d.full, d.broken
	d.mu.Unlock()
	if slow > 0 {
		time.Sleep(slow)
	}
	switch {
	case writes && full:
		return syscall.ENOSPC
	case rand.IntN(100) < broken:
		return syscall.EIO
	}
	return 0
}

func (d *disk) add(c change) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.changes = append(d.changes, c)
}

// writing remembers what a write, or a truncation, at off replaces.
func (d *disk) writing(path string, off, length int64) {
	var st syscall.Stat_t
	if syscall.Lstat(path, &st) != nil {
		return // nobody can find it again, before a cut or after
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.dirty[st.Ino]
	if f == nil {
		var err error
		if f, err = os.OpenFile(path, os.O_RDWR, 0); err != nil {
			return
		}
		d.dirty[st.Ino] = f
	}
	size := st.Size
	old := make([]byte, max(0, min(off+length, size)-off))
	n, err := f.ReadAt(old, off)
	if err != nil && err != io.EOF {
		return
	}
	old = old[:n]
	d.changes = append(d.changes, change{inode: st.Ino, undo: func() {
		_, _ = f.WriteAt(old, off)
		_ = f.Truncate(size)
	}})
}

// synced forgets the changes that fits is true of.
func (d *disk) synced(fits func(change) bool) {
	d.changes = slices.DeleteFunc(d.changes, func(c change) bool {
		if !fits(c) {
			return false
		}
		if c.forget != nil {
			c.forget()
		}
		return true
	})
}

// syncFile makes a file's content stay.
func (d *disk) syncFile(inode uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clean(inode)
}

func (d *disk) clean(inode uint64) {
	d.synced(func(c change) bool { return c.inode == inode && inode != 0 })
	if f := d.dirty[inode]; f != nil {
		f.Close()
		delete(d.dirty, inode)
	}
}

// syncFolder makes the names in a folder stay.
func (d *disk) syncFolder(folder string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.synced(func(c change) bool { return c.folder == folder })
}

// made remembers a name that was not there.
func (d *disk) made(path string) {
	d.add(change{folder: filepath.Dir(path), name: path, made: true, undo: func() { _ = os.RemoveAll(path) }})
}

// keep holds on to a file that is about to lose a name. It returns how it gets that
// name back, and how it is let go.
func (d *disk) keep(path string) (back, forget func()) {
	d.mu.Lock()
	d.number++
	kept := filepath.Join(d.kept, fmt.Sprint(d.number))
	d.mu.Unlock()
	if os.Link(path, kept) != nil {
		return func() {}, func() {}
	}
	return func() { _ = os.Rename(kept, path) }, func() { _ = os.Remove(kept) }
}

// removing remembers a name that is about to go. A file that was made since the last
// sync never was.
func (d *disk) removing(path string) (fresh bool) {
	var st syscall.Stat_t
	if syscall.Lstat(path, &st) != nil {
		return false
	}
	d.mu.Lock()
	at := slices.IndexFunc(d.changes, func(c change) bool { return c.made && c.name == path })
	if at >= 0 {
		d.changes = slices.Delete(d.changes, at, at+1)
		if st.Nlink == 1 {
			d.clean(st.Ino)
		}
	}
	d.mu.Unlock()
	if at >= 0 {
		return true
	}
	back, forget := d.keep(path)
	d.add(change{folder: filepath.Dir(path), undo: back, forget: forget})
	return false
}

// removeFolder takes an empty folder away, which a cut brings back. One that was made
// since the last sync never was.
func (d *disk) removeFolder(path string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.number++
	kept := filepath.Join(d.kept, fmt.Sprint(d.number))
	if err := os.Rename(path, kept); err != nil {
		return err
	}
	if at := slices.IndexFunc(d.changes, func(c change) bool { return c.made && c.name == path }); at >= 0 {
		d.changes = slices.Delete(d.changes, at, at+1)
		return nil
	}
	d.changes = append(d.changes, change{folder: filepath.Dir(path), undo: func() { _ = os.Rename(kept, path) }})
	return nil
}

// moving remembers a name that is about to change.
func (d *disk) moving(from, to string) {
	back, forget := func() {}, func() {}
	if _, err := os.Lstat(to); err == nil {
		back, forget = d.keep(to)
	}
	d.add(change{folder: filepath.Dir(to), forget: forget, undo: func() {
		_ = os.Rename(to, from)
		back()
	}})
}

// undo takes back what was not synced, the last change first, and returns how much that
// was. Nobody has a file open.
func (d *disk) undo() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := len(d.changes)
	for _, c := range slices.Backward(d.changes) {
		c.undo()
	}
	d.changes = nil
	for inode, f := range d.dirty {
		f.Close()
		delete(d.dirty, inode)
	}
	if kept, err := os.ReadDir(d.kept); err == nil {
		for _, e := range kept {
			_ = os.RemoveAll(filepath.Join(d.kept, e.Name()))
		}
	}
	return n
}
