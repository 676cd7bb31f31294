package fs

import (
	"context"
	"io"
	"iter"
	"path/filepath"

	"quern/blob"
)

// Reader reads the objects of a folder that another process may be using. It changes
// nothing.
type Reader struct{ store *Store }

// NewReader reads the objects that a Store keeps in dir. A folder that is not there
// holds none.
func NewReader(dir string) *Reader {
	return &Reader{&Store{disk: osDisk{}, objects: filepath.Join(dir, "objects")}}
}

// Open is Store's.
func (r *Reader) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	return r.store.Open(ctx, key, offset, length)
}

// Stat is Store's.
func (r *Reader) Stat(ctx context.Context, key string) (blob.Info, error) {
	return r.store.Stat(ctx, key)
}

// List is Store's.
func (r *Reader) List(ctx context.Context, prefix string) iter.Seq2[blob.Info, error] {
	return r.store.List(ctx, prefix)
}
