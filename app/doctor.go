package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"quern/config"
	"quern/doctor"
)

// ownFiles are the files of a data directory that only its owner may read.
var ownFiles = []string{"quern.db", "quern.db-wal", "quern.db-shm", "quern.lock", "quern.toml", "objects", "objects/secret"}

// objectPrefixes are what the keys of an installation's objects begin with.
var objectPrefixes = []string{"answers/", "tables/", "uploads/"}

// Checkup says how thoroughly an installation is looked over.
type Checkup struct {
	Checksums bool // every object is read
	Fix       bool // what can be mended safely is; no server may run
	Progress  func(check string)
}

// Examine looks over the installation that the settings name.
func Examine(ctx context.Context, cfg *config.Config, c Checkup) (found []doctor.Finding, err error) {
	if c.Fix {
		unlock, err := alone(cfg)
		if err != nil {
			return nil, err
		}
		defer func() { _ = unlock() }()
	}
	metadata, err := openAsIs(ctx, cfg)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, metadata.Close()) }()
	if c.Fix {
		if err := mustBeAlone(ctx, metadata); err != nil {
			return nil, err
		}
	}
	objects, err := readObjects(cfg)
	if err != nil {
		return nil, err
	}
	return doctor.Examine(ctx, doctor.Options{
		Store: metadata, Objects: objects, Dir: cfg.Data, Files: ownFiles, Local: cfg.DatabaseURL == "" || cfg.S3.Endpoint == "",
		Free: freeSpace, Now: time.Now, Prefixes: objectPrefixes, Grace: cfg.Upkeep.ObjectGrace,
		Checksums: c.Checksums, Fix: c.Fix, Progress: c.Progress,
	})
}

// alone takes the data directory, if there is one, so that no server starts in it.
func alone(cfg *config.Config) (unlock func() error, err error) {
	if _, err := os.Stat(cfg.Data); errors.Is(err, os.ErrNotExist) {
		return func() error { return nil }, nil
	}
	unlock, err = lock(cfg.Data)
	if _, inUse := errors.AsType[*inUseError](err); inUse {
		return nil, fmt.Errorf("a server is running in the data directory %s: stop it first", cfg.Data)
	}
	return unlock, err
}
