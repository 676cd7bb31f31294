package backup

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"quern/blob"
)

// Stream is a place that is written as an archive in tar's form, and holds one backup.
type Stream struct {
	mu   sync.Mutex
	tar  *tar.Writer
	now  func() time.Time
	have map[string]int64
}

// NewStream makes a place that is written to w. Close ends the archive.
func NewStream(w io.Writer, now func() time.Time) *Stream {
	return &Stream{tar: tar.NewWriter(w), now: now, have: map[string]int64{}}
}

// Close ends the archive.
func (s *Stream) Close() error { return s.tar.Close() }

// Put implements Place. After a failure the archive is not to be used.
func (s *Stream) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := errors.Join(ctx.Err(), blob.CheckKey(key)); err != nil {
		return err
	}
	header := &tar.Header{Name: key, Typeflag: tar.TypeReg, Mode: 0o600, Size: size, ModTime: s.now(), Format: tar.FormatPAX}
	header.ModTime = header.ModTime.Truncate(time.Second)
	if err := s.tar.WriteHeader(header); err != nil {
		return err
	}
	if _, err := io.Copy(s.tar, blob.Exactly(within{ctx, r}, size)); err != nil {
		return err
	}
	s.have[key] = size
	return nil
}

// Open implements Place: what was written cannot be read back.
func (s *Stream) Open(context.Context, string, int64, int64) (io.ReadCloser, error) {
	return nil, blob.ErrNoObject
}

// Stat implements Place.
func (s *Stream) Stat(_ context.Context, key string) (blob.Info, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	size, ok := s.have[key]
	if !ok {
		return blob.Info{}, blob.ErrNoObject
	}
	return blob.Info{Key: key, Size: size}, nil
}

// List implements Place.
func (s *Stream) List(context.Context, string) iter.Seq2[blob.Info, error] {
	return func(func(blob.Info, error) bool) {}
}

// Archive is a place that is read from an archive.
type Archive struct {
	file  *os.File
	files map[string]span
}

type span struct{ offset, size int64 }

// OpenArchive opens an archive in a file. Close closes it.
func OpenArchive(path string) (*Archive, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the archive cannot be opened: %w", err)
	}
	a := &Archive{file: file, files: map[string]span{}}
	if err := a.index(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return a, nil
}

func (a *Archive) index() error {
	info, err := a.file.Stat()
	if err != nil {
		return err
	}
	entries := tar.NewReader(a.file)
	for {
		entry, err := entries.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return damaged("the archive cannot be read: %v", err)
		}
		offset, err := a.file.Seek(0, io.SeekCurrent)
		if err != nil {
			return err
		}
		if entry.Typeflag != tar.TypeReg || blob.CheckKey(entry.Name) != nil {
			return damaged("the archive has an entry %q, which no backup has", entry.Name)
		}
		if offset+entry.Size > info.Size() {
			return damaged("the archive is cut off in %s", entry.Name)
		}
		a.files[entry.Name] = span{offset, entry.Size}
	}
}

// Close closes the archive.
func (a *Archive) Close() error { return a.file.Close() }

// Put implements Place: archives are written once.
func (a *Archive) Put(context.Context, string, io.Reader, int64) error {
	return errors.New("an archive holds one backup and takes no other")
}

// Open implements Place.
func (a *Archive) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	at, ok := a.files[key]
	if !ok {
		return nil, blob.ErrNoObject
	}
	return ranged(ctx, io.NewSectionReader(a.file, at.offset, at.size), io.NopCloser(nil), offset, length), nil
}

// Stat implements Place.
func (a *Archive) Stat(_ context.Context, key string) (blob.Info, error) {
	at, ok := a.files[key]
	if !ok {
		return blob.Info{}, blob.ErrNoObject
	}
	return blob.Info{Key: key, Size: at.size}, nil
}

// List implements Place.
func (a *Archive) List(_ context.Context, prefix string) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		var keys []string
		for key := range a.files {
			if strings.HasPrefix(key, prefix) {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		for _, key := range keys {
			if !yield(blob.Info{Key: key, Size: a.files[key].size}, nil) {
				return
			}
		}
	}
}
