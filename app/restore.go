package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"quern/blob"
	"quern/blob/fs"
	"quern/blob/s3"
	"quern/config"
	"quern/store"
)

func metadataFile(cfg *config.Config) string { return filepath.Join(cfg.Data, databaseFile) }
func objectsDir(cfg *config.Config) string   { return filepath.Join(cfg.Data, "objects") }

// bucketStore opens the bucket of the objects.
func bucketStore(cfg *config.Config) (*s3.Store, error) {
	return s3.New(s3.Options{
		Endpoint: cfg.S3.Endpoint, PublicEndpoint: cfg.S3.PublicEndpoint, Bucket: cfg.S3.Bucket,
		Region: cfg.S3.Region, AccessKeyID: cfg.S3.AccessKeyID, SecretAccessKey: cfg.S3.SecretAccessKey,
		Lending: s3.Lending{Role: cfg.S3.STSRole, Endpoint: cfg.S3.STSEndpoint},
	})
}

// restoring is an installation that a backup is put into.
type restoring struct {
	cfg      *config.Config
	replace  bool
	unlocked func() error // nil while the data directory is not this process's
}

// prepare fails when a server runs, or when there are metadata that are not to be
// replaced. It changes nothing.
func (r *restoring) prepare(ctx context.Context) error {
	if _, err := os.Stat(r.cfg.Data); err == nil {
		if err := r.lock(); err != nil {
			return err
		}
	}
	if !mayExist(r.cfg) {
		return nil
	}
	metadata, err := openAsIs(ctx, r.cfg)
	if err != nil {
		return err
	}
	return errors.Join(r.look(ctx, metadata), metadata.Close())
}

func (r *restoring) lock() (err error) {
	if r.unlocked != nil {
		return nil
	}
	if err := makeDir(r.cfg.Data); err != nil {
		return err
	}
	r.unlocked, err = alone(r.cfg)
	return err
}

func (r *restoring) unlock() {
	if r.unlocked != nil {
		_ = r.unlocked()
	}
}

// look fails when metadata that are there are in use, or not to be replaced.
func (r *restoring) look(ctx context.Context, metadata *store.Store) error {
	if err := mustBeAlone(ctx, metadata); err != nil {
		return err
	}
	if r.replace {
		return nil
	}
	have, err := metadata.Schema(ctx)
	if err != nil || have == 0 {
		return err
	}
	inUse, err := metadata.HasUsers(ctx)
	if err == nil && inUse {
		err = errNotEmpty
	}
	return err
}

var errNotEmpty = errors.New("there are users and data already where the backup would go: " +
	"name another data directory or database, or say --replace, and they go")

// mustBeAlone fails when servers share the metadata.
func mustBeAlone(ctx context.Context, metadata *store.Store) error {
	have, err := metadata.Schema(ctx)
	if err != nil || have < firstBackupSchema {
		return err
	}
	now := time.Now()
	var servers []store.Server
	err = metadata.View(ctx, func(tx *store.Tx) error {
		servers, err = tx.Servers(ctx, now.Add(-presentFor))
		return err
	})
	if err == nil && len(servers) > 0 {
		err = &store.RunningError{Servers: servers, Alive: presentFor, Now: now}
	}
	return err
}

// objects opens where objects go.
func (r *restoring) objects(ctx context.Context) (blob.Store, error) {
	if err := r.lock(); err != nil {
		return nil, err
	}
	if r.cfg.S3.Endpoint == "" {
		return fs.New(fs.Options{Dir: objectsDir(r.cfg), PublicURL: "http://restore.invalid"})
	}
	bucket, err := bucketStore(r.cfg)
	if err != nil {
		return nil, err
	}
	return bucket, bucket.Ready(ctx)
}

// load puts the metadata in their place. A database takes them in one transaction; a
// file is made beside the present one and takes its place when it is whole.
func (r *restoring) load(ctx context.Context, l store.Loading) error {
	if r.cfg.DatabaseURL != "" {
		err := store.Load(ctx, store.Options{URL: r.cfg.DatabaseURL}, l)
		if errors.Is(err, store.ErrHasData) {
			return errNotEmpty
		}
		return err
	}
	file := metadataFile(r.cfg)
	fresh := file + ".restoring"
	if err := removeDatabase(fresh); err != nil {
		return err
	}
	if err := prepare(fresh); err != nil {
		return err
	}
	if err := store.Load(ctx, store.Options{File: fresh}, l); err != nil {
		return errors.Join(err, removeDatabase(fresh))
	}
	if err := keepAside(file, l.Now); err != nil {
		return err
	}
	if err := os.Rename(fresh, file); err != nil {
		return err
	}
	return syncDir(r.cfg.Data)
}

// besideDatabase are the ends of the names of SQLite's files, the database's own first.
var besideDatabase = []string{"", "-wal", "-shm"}

func removeDatabase(file string) error {
	for _, end := range besideDatabase {
		if err := os.Remove(file + end); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// keepAside keeps a database that is about to be replaced under another name. It stays
// under its own too, so that there is one at every moment, unless it has not been closed
// well: what SQLite has beside it must not be taken for the new one's.
func keepAside(file string, now time.Time) error {
	aside := file + ".replaced-" + now.UTC().Format("20060102T150405.000Z")
	if _, err := os.Stat(file + "-wal"); errors.Is(err, os.ErrNotExist) {
		if err := os.Link(file, aside); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	for _, end := range besideDatabase {
		if err := os.Rename(file+end, aside+end); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// syncDir makes the names in a folder last.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
