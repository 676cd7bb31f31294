package fs

import (
	"context"
	"errors"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"quern/blob"
)

// PutAll implements blob.Batcher: the files are written and synced beside each other
// and beside before, and each folder is synced once.
func (s *Store) PutAll(ctx context.Context, objects []blob.Object, before func() error) error {
	temps := make([]string, len(objects))
	allowed := make(chan error, 1)
	go func() { allowed <- before() }()
	written := s.writeTemps(ctx, objects, temps)
	err := <-allowed
	if err == nil {
		err = written
	}
	if err == nil {
		err = s.installAll(temps, objects)
	}
	if err != nil {
		for _, tmp := range temps {
			if tmp != "" {
				s.disk.Remove(tmp)
			}
		}
	}
	return err
}

// writeTemps makes temporary files of objects, whose content lasts, and sets their paths.
func (s *Store) writeTemps(ctx context.Context, objects []blob.Object, temps []string) error {
	for _, o := range objects {
		if err := errors.Join(ctx.Err(), blob.CheckKey(o.Key)); err != nil {
			return err
		}
	}
	writes, ctx := errgroup.WithContext(ctx)
	writes.SetLimit(blob.ParallelPuts)
	for i, o := range objects {
		writes.Go(func() (err error) {
			temps[i], err = s.writeTemp(func(f File) error {
				_, err := f.Write(o.Body)
				return errors.Join(ctx.Err(), err)
			})
			return err
		})
	}
	return writes.Wait()
}

// installAll moves files to their places, for good.
func (s *Store) installAll(temps []string, objects []blob.Object) error {
	folders := map[string]bool{}
	for i, o := range objects {
		if err := s.move(temps[i], o.Key); err != nil {
			return err
		}
		temps[i] = ""
		folders[filepath.Dir(s.path(o.Key))] = true
	}
	for dir := range folders {
		if err := s.folders.sync(dir); err != nil {
			return err
		}
	}
	return nil
}
