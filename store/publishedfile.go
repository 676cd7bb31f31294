package store

import (
	"context"
	"database/sql"
	"time"

	"quern"
)

// PublishedFile is a file of a version that was written for other engines, kept with the
// version and not as an object.
type PublishedFile struct {
	Key    string
	Size   int64
	MadeAt time.Time
	Body   []byte // left out of lists
}

// InsertPublishedFile keeps a file of a version.
func (tx *Tx) InsertPublishedFile(ctx context.Context, version string, f PublishedFile) error {
	_, err := tx.exec(ctx, `INSERT INTO published_files (file_key, published_id, made_at, body) VALUES ($1, $2, $3, $4)`,
		f.Key, version, micros(f.MadeAt), f.Body)
	return err
}

// PublishedFile returns a file that is kept. It fails with NotFound.
func (tx *Tx) PublishedFile(ctx context.Context, key string) (f PublishedFile, err error) {
	var at sql.NullInt64
	err = tx.row(ctx, `SELECT file_key, made_at, body FROM published_files WHERE file_key = $1`, key)(&f.Key, &at, &f.Body)
	f.Size, f.MadeAt = int64(len(f.Body)), instant(at)
	return f, err
}

// PublishedFiles lists the files that are kept of a dataset's versions, in no order.
func (tx *Tx) PublishedFiles(ctx context.Context, id quern.DatasetID) (all []PublishedFile, err error) {
	err = tx.each(ctx, `SELECT f.file_key, f.made_at, length(f.body) FROM published p JOIN published_files f ON f.published_id = p.id
		WHERE p.dataset_id = $1`, []any{id}, func(scan func(...any) error) error {
		var f PublishedFile
		var at sql.NullInt64
		if err := scan(&f.Key, &at, &f.Size); err != nil {
			return err
		}
		f.MadeAt = instant(at)
		all = append(all, f)
		return nil
	})
	return all, err
}
