package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"
	"time"

	"quern/backup"
	"quern/blob"
	"quern/blob/fs"
	"quern/blob/s3"
	"quern/config"
	"quern/store"
)

// firstBackupSchema is the first version of the schema with what backups need.
const firstBackupSchema = 25

// CreateBackup makes a backup beside running servers. to is a folder, s3://bucket/folder,
// or - for an archive that is written to out.
func CreateBackup(ctx context.Context, cfg *config.Config, to string, out io.Writer, lock backup.Lock, progress *backup.Progress) (
	id string, m *backup.Manifest, err error,
) {
	metadata, err := openAsIs(ctx, cfg)
	if err != nil {
		return "", nil, err
	}
	defer func() { err = errors.Join(err, metadata.Close()) }()
	have, err := metadata.Schema(ctx)
	if err != nil {
		return "", nil, err
	}
	if know := store.SchemaVersion(); have < firstBackupSchema || have > know {
		return "", nil, fmt.Errorf("the metadata are at schema version %d, this program makes backups of versions %d to %d: "+
			"use the release that the server runs", have, firstBackupSchema, know)
	}
	source, err := readObjects(cfg)
	if err != nil {
		return "", nil, err
	}
	place, closePlace, err := placeToWrite(cfg, to, out)
	if err != nil {
		return "", nil, err
	}
	id, m, err = backup.Create(ctx, backup.Creation{
		Store: metadata, Objects: source, Place: place, Lock: lock, Release: Version, Now: time.Now, Progress: progress,
	})
	return id, m, errors.Join(err, closePlace())
}

// openAsIs opens metadata that a server may be using, and leaves their schema alone.
func openAsIs(ctx context.Context, cfg *config.Config) (*store.Store, error) {
	if err := mustExist(cfg); err != nil {
		return nil, err
	}
	return store.Open(ctx, store.Options{URL: cfg.DatabaseURL, File: metadataFile(cfg), MaxConns: 4, AsIs: true})
}

// objectReader is what can be done with objects beside a server.
type objectReader interface {
	backup.Source
	List(ctx context.Context, prefix string) iter.Seq2[blob.Info, error]
}

// readObjects reads objects beside a server that may be using them.
func readObjects(cfg *config.Config) (objectReader, error) {
	if cfg.S3.Endpoint == "" {
		return fs.NewReader(objectsDir(cfg)), nil
	}
	return bucketStore(cfg)
}

// placeToWrite opens the place of a new backup. The function it returns ends it.
func placeToWrite(cfg *config.Config, to string, out io.Writer) (backup.Place, func() error, error) {
	if to == "-" {
		stream := backup.NewStream(out, time.Now)
		return stream, stream.Close, nil
	}
	nothing := func() error { return nil }
	if bucket, ok := strings.CutPrefix(to, "s3://"); ok {
		place, err := bucketPlace(cfg, bucket)
		return place, nothing, err
	}
	place, err := backup.NewFolder(to, true)
	return place, nothing, err
}

// OpenPlace opens a place to read backups from: a folder, an archive, or
// s3://bucket/folder. The function it returns closes it.
func OpenPlace(cfg *config.Config, from string) (backup.Place, func() error, error) {
	nothing := func() error { return nil }
	if bucket, ok := strings.CutPrefix(from, "s3://"); ok {
		place, err := bucketPlace(cfg, bucket)
		return place, nothing, err
	}
	if from == "-" {
		return nil, nil, errors.New("a backup is read twice, once to check it: save the archive to a file, and name that")
	}
	if info, err := os.Stat(from); err == nil && info.Mode().IsRegular() {
		archive, err := backup.OpenArchive(from)
		if err != nil {
			return nil, nil, err
		}
		return archive, archive.Close, nil
	}
	place, err := backup.NewFolder(from, false)
	return place, nothing, err
}

// bucketPlace opens bucket/folder as a place.
func bucketPlace(cfg *config.Config, path string) (backup.Place, error) {
	bucket, folder, _ := strings.Cut(path, "/")
	o := s3.Options{Bucket: bucket, Endpoint: cfg.Backup.Endpoint, Region: cfg.Backup.Region,
		AccessKeyID: cfg.Backup.AccessKeyID, SecretAccessKey: cfg.Backup.SecretAccessKey}
	if o.Endpoint == "" {
		o.Endpoint, o.Region, o.AccessKeyID, o.SecretAccessKey = cfg.S3.Endpoint, cfg.S3.Region, cfg.S3.AccessKeyID, cfg.S3.SecretAccessKey
	}
	if o.Endpoint == "" {
		return nil, errors.New("no S3 service is set: name it with --backup-s3-endpoint or QUERN_BACKUP_S3_ENDPOINT")
	}
	if bucket == cfg.S3.Bucket && o.Endpoint == cfg.S3.Endpoint && folder == "" {
		return nil, errors.New("the bucket holds the installation's own objects: name a folder in it, or better another bucket")
	}
	place, err := s3.New(o)
	if err != nil {
		return nil, err
	}
	return backup.Prefixed(place, folder), nil
}

// Restoration says what is put back, and over what.
type Restoration struct {
	ID       string // the last backup of the place where it is empty
	Unlock   backup.Unlock
	Replace  bool // what is there goes
	Progress *backup.Progress
}

// RestoreBackup puts a backup where the settings say that metadata and objects are. No
// server may run there. Nothing is touched before the backup was read and found whole.
func RestoreBackup(ctx context.Context, cfg *config.Config, place backup.Place, r Restoration) (string, *backup.Manifest, error) {
	target := restoring{cfg: cfg, replace: r.Replace}
	defer target.unlock()
	if err := target.prepare(ctx); err != nil {
		return "", nil, err
	}
	return backup.Restore(ctx, backup.Restoring{
		Place: place, Unlock: r.Unlock, ID: r.ID, Progress: r.Progress,
		Ready: func(*backup.Manifest) (blob.Store, error) { return target.objects(ctx) },
		Load: func(m *backup.Manifest, rows func(func(store.Table, [][]any) error) error) error {
			return target.load(ctx, store.Loading{
				Schema: m.Schema, Replace: r.Replace, Now: time.Now(), Alive: presentFor, Rows: rows,
			})
		},
	})
}
