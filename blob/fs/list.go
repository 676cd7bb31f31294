package fs

import (
	"context"
	"errors"
	iofs "io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"quern/blob"
)

// List implements blob.Store. It holds the names of one folder for each level
// of the tree at a time.
func (s *Store) List(ctx context.Context, prefix string) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		w := walk{ctx: ctx, disk: s.disk, prefix: prefix, yield: yield}
		w.folder(s.objects, "")
	}
}

type walk struct {
	ctx    context.Context
	disk   Disk
	prefix string
	yield  func(blob.Info, error) bool
}

// folder yields the objects below dir, whose keys start with base, and reports
// whether to go on.
func (w *walk) folder(dir, base string) bool {
	entries, err := w.disk.ReadDir(dir)
	if errors.Is(err, iofs.ErrNotExist) {
		return true
	}
	if err := errors.Join(w.ctx.Err(), err); err != nil {
		w.yield(blob.Info{}, err)
		return false
	}
	// Keys are ordered byte by byte, so a folder counts as its name and a slash.
	slices.SortFunc(entries, func(a, b iofs.DirEntry) int { return strings.Compare(sortName(a), sortName(b)) })
	for _, e := range entries {
		key := base + sortName(e)
		path := filepath.Join(dir, e.Name())
		onTheWay := strings.HasPrefix(key, w.prefix) || strings.HasPrefix(w.prefix, key)
		switch {
		case e.IsDir() && onTheWay:
			if !w.folder(path, key) {
				return false
			}
		case !e.IsDir() && strings.HasPrefix(key, w.prefix):
			if !w.file(path, key) {
				return false
			}
		}
	}
	return true
}

func (w *walk) file(path, key string) bool {
	info, err := w.disk.Stat(path)
	if errors.Is(err, iofs.ErrNotExist) {
		return true
	}
	if err := errors.Join(w.ctx.Err(), err); err != nil {
		w.yield(blob.Info{}, err)
		return false
	}
	return w.yield(blob.Info{Key: key, Size: info.Size(), Modified: info.ModTime()}, nil)
}

func sortName(e iofs.DirEntry) string {
	if e.IsDir() {
		return e.Name() + "/"
	}
	return e.Name()
}
