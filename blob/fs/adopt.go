package fs

import (
	"context"
	"errors"
	"os"
	"syscall"

	"quern"
	"quern/blob"
)

var _ blob.Adopter = (*Store)(nil)

// Adopt implements blob.Adopter.
func (s *Store) Adopt(ctx context.Context, key, path string, size int64) error {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key)); err != nil {
		return err
	}
	if err := s.makeLast(path, size); err != nil {
		return err
	}
	err := s.install(path, key)
	if errors.Is(err, syscall.EXDEV) {
		return blob.ErrElsewhere
	}
	return err
}

// makeLast makes the content of a file last that must have so many bytes.
func (s *Store) makeLast(path string, size int64) error {
	f, err := s.disk.Open(path, os.O_RDWR)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Size() != size {
		err = quern.E(quern.Invalid, quern.CodeInvalid, "the file has %d bytes instead of %d", info.Size(), size)
	}
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}
