package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"quern/blob"
)

// Folder is a place in a folder of this machine. Several backups may write to it at the
// same time.
type Folder struct{ dir string }

// NewFolder makes a place in a folder, which is made when create says so and must be
// there otherwise.
func NewFolder(dir string, create bool) (*Folder, error) {
	if create {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("the folder cannot be made: %w", err)
		}
	}
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no folder or archive %s", dir)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s is not a folder", dir)
	}
	return &Folder{dir}, nil
}

func (f *Folder) path(key string) string { return filepath.Join(f.dir, filepath.FromSlash(key)) }

// Put implements Place. The file is whole and on the disk when it returns, or not there.
func (f *Folder) Put(ctx context.Context, key string, r io.Reader, size int64) (err error) {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key)); err != nil {
		return err
	}
	path := f.path(key)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), ".part-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(file.Name())
		}
	}()
	_, err = io.Copy(file, blob.Exactly(within{ctx, r}, size))
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), path); err != nil {
		return err
	}
	return f.sync(filepath.Dir(path))
}

// sync makes the names in a folder last, and those of the folders above it.
func (f *Folder) sync(dir string) error {
	for {
		d, err := os.Open(dir)
		if err != nil {
			return err
		}
		if err := errors.Join(d.Sync(), d.Close()); err != nil {
			return err
		}
		if len(dir) <= len(filepath.Clean(f.dir)) {
			return nil
		}
		dir = filepath.Dir(dir)
	}
}

// Open implements Place.
func (f *Folder) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key)); err != nil {
		return nil, err
	}
	file, err := os.Open(f.path(key))
	if err != nil {
		return nil, absent(err)
	}
	return ranged(ctx, file, file, offset, length), nil
}

// Stat implements Place.
func (f *Folder) Stat(ctx context.Context, key string) (blob.Info, error) {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key)); err != nil {
		return blob.Info{}, err
	}
	info, err := os.Stat(f.path(key))
	if err != nil {
		return blob.Info{}, absent(err)
	}
	return blob.Info{Key: key, Size: info.Size(), Modified: info.ModTime()}, nil
}

// List implements Place for prefixes that end in a slash.
func (f *Folder) List(ctx context.Context, prefix string) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		err := filepath.WalkDir(f.path(prefix), func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case ctx.Err() != nil:
				return ctx.Err()
			case entry.IsDir() || strings.HasPrefix(entry.Name(), "."):
				return nil
			}
			info, err := entry.Info()
			if err != nil {
				return err
			}
			key, err := filepath.Rel(f.dir, path)
			if err != nil {
				return err
			}
			if !yield(blob.Info{Key: filepath.ToSlash(key), Size: info.Size(), Modified: info.ModTime()}, nil) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			yield(blob.Info{}, err)
		}
	}
}

func absent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return blob.ErrNoObject.Because(err)
	}
	return err
}

// within is a reader that fails once its context has ended.
type within struct {
	ctx context.Context
	r   io.Reader
}

func (w within) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.r.Read(p)
}

// ranged reads a part of a file; a negative length reads to the end.
func ranged(ctx context.Context, file io.ReaderAt, closer io.Closer, offset, length int64) io.ReadCloser {
	const all = 1 << 62
	if length < 0 {
		length = all - offset
	}
	return struct {
		io.Reader
		io.Closer
	}{within{ctx, io.NewSectionReader(file, offset, length)}, closer}
}

// Prefixed is a place in a part of another: every key stands behind the prefix.
func Prefixed(place Place, prefix string) Place {
	if prefix == "" {
		return place
	}
	return prefixed{place, strings.TrimSuffix(prefix, "/") + "/"}
}

type prefixed struct {
	place  Place
	prefix string
}

func (p prefixed) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	return p.place.Put(ctx, p.prefix+key, r, size)
}

func (p prefixed) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	return p.place.Open(ctx, p.prefix+key, offset, length)
}

func (p prefixed) Stat(ctx context.Context, key string) (blob.Info, error) {
	return p.place.Stat(ctx, p.prefix+key)
}

func (p prefixed) List(ctx context.Context, prefix string) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		for info, err := range p.place.List(ctx, p.prefix+prefix) {
			info.Key = strings.TrimPrefix(info.Key, p.prefix)
			if !yield(info, err) {
				return
			}
		}
	}
}
