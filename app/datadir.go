package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"quern/config"
	"quern/store"
)

const databaseFile = "quern.db"

// mustExist fails when no server has worked in the data directory yet. A database
// server is asked when it is opened.
func mustExist(cfg *config.Config) error {
	if !mayExist(cfg) {
		return fmt.Errorf("there is no server's data in %s: name its folder with --data or QUERN_DATA", cfg.Data)
	}
	return nil
}

// mayExist reports whether there may be metadata, without asking a database server.
func mayExist(cfg *config.Config) bool {
	_, err := os.Stat(metadataFile(cfg))
	return cfg.DatabaseURL != "" || !errors.Is(err, os.ErrNotExist)
}

// openStore opens the metadata that the settings name. Commands call it beside
// a running server; the databases see to it that they do not disturb it.
func openStore(ctx context.Context, cfg *config.Config) (*store.Store, error) {
	file := metadataFile(cfg)
	if cfg.DatabaseURL == "" {
		if err := prepare(file); err != nil {
			return nil, err
		}
	}
	return store.Open(ctx, store.Options{URL: cfg.DatabaseURL, File: file})
}

// prepare makes the database's file for its owner's eyes only, before SQLite
// makes it for everyone's; the files beside it take over its mode.
func prepare(file string) error {
	if err := makeDir(filepath.Dir(file)); err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err == nil {
		err = errors.Join(f.Close(), syncDir(filepath.Dir(file)))
	}
	if err != nil {
		return fmt.Errorf("the data directory cannot be used: %w", err)
	}
	return nil
}

// makeDir makes a folder and those above it, whose names outlast a power cut then.
func makeDir(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("the data directory cannot be made: %w", err)
	}
	var above []string // the folders that get a new name
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(at); err == nil || at == filepath.Dir(at) {
			break
		}
		above = append(above, filepath.Dir(at))
	}
	err = os.MkdirAll(dir, 0o700)
	for _, folder := range above {
		if err == nil {
			err = syncDir(folder)
		}
	}
	if err != nil {
		return fmt.Errorf("the data directory cannot be made: %w", err)
	}
	return nil
}

// lock keeps a second server out of the data directory. The lock goes with the
// process, however that ends.
func lock(dir string) (unlock func() error, err error) {
	if err := makeDir(dir); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, "quern.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the data directory cannot be used: %w", err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = &inUseError{dir}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f.Close, nil
}

// inUseError says that a server, or a command that wants to be alone, has the data directory.
type inUseError struct{ dir string }

func (e *inUseError) Error() string {
	return fmt.Sprintf("another server is running in the data directory %s: stop it first, or give this one a directory of its own with --data", e.dir)
}
