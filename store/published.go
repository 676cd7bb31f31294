package store

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"quern"
)

// Published is a version of a dataset whose metadata were written for other engines.
type Published struct {
	ID          string
	Dataset     quern.DatasetID
	Bucket      string // where its metadata say that objects are
	Version     int64
	SchemaID    int64
	Fields      []quern.Field
	Manifests   string   // the key of the object that lists the files
	Metadata    string   // the key of the object that describes the table
	Objects     []string // the keys of all objects that were written for it; Published leaves them out
	Rows        int64
	Files       int64
	Bytes       int64
	CommittedAt time.Time // when the version was made
	Until       time.Time // when its objects go; zero while all of them are the dataset's
	Held        bool      // it is served in the place of a later version
}

// InsertPublished keeps a version that was written for other engines.
func (tx *Tx) InsertPublished(ctx context.Context, p Published) error {
	fields, err := encode(p.Fields)
	if err != nil {
		return err
	}
	objects, err := encode(p.Objects)
	if err != nil {
		return err
	}
	_, err = tx.exec(ctx, `INSERT INTO published (id, dataset_id, bucket, version, schema_id, fields, manifests, metadata, objects,
		row_count, file_count, bytes, committed_at, until) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		p.ID, p.Dataset, p.Bucket, p.Version, p.SchemaID, fields, p.Manifests, p.Metadata, objects,
		p.Rows, p.Files, p.Bytes, micros(p.CommittedAt), micros(p.Until))
	return err
}

const publishedColumns = `id, dataset_id, bucket, version, schema_id, fields, manifests, metadata, row_count, file_count, bytes,
	committed_at, until, held`

// Published lists the latest versions of a dataset that are kept for other engines,
// oldest first.
func (tx *Tx) Published(ctx context.Context, id quern.DatasetID, limit int) ([]Published, error) {
	all, err := tx.published(ctx, `SELECT `+publishedColumns+`, NULL FROM published WHERE dataset_id = $1
		ORDER BY version DESC, id DESC LIMIT $2`, id, limit)
	slices.Reverse(all)
	return all, err
}

// AllPublished lists every version kept of a dataset, with its objects.
func (tx *Tx) AllPublished(ctx context.Context, id quern.DatasetID) ([]Published, error) {
	return tx.published(ctx, `SELECT `+publishedColumns+`, objects FROM published WHERE dataset_id = $1 ORDER BY id`, id)
}

// IsPublished reports whether a version of a dataset is kept for other engines, in one of
// two buckets, all of whose objects are the dataset's.
func (tx *Tx) IsPublished(ctx context.Context, id quern.DatasetID, version int64, bucket, orBucket string) (ok bool, err error) {
	err = tx.row(ctx, `SELECT EXISTS (SELECT 1 FROM published WHERE dataset_id = $1 AND version = $2 AND bucket IN ($3, $4) AND until IS NULL)`,
		id, version, bucket, orBucket)(&ok)
	return ok, err
}

// SpentPublished lists versions whose time has come.
func (tx *Tx) SpentPublished(ctx context.Context, now time.Time, limit int) ([]Published, error) {
	return tx.published(ctx, `SELECT `+publishedColumns+`, objects FROM published WHERE until <= $1 AND held = 0 ORDER BY until LIMIT $2`,
		micros(now), limit)
}

func (tx *Tx) published(ctx context.Context, query string, args ...any) ([]Published, error) {
	var all []Published
	var last sql.NullString // the columns of the version before, which are mostly the same
	err := tx.each(ctx, query, args, func(scan func(...any) error) error {
		var p Published
		var fields, objects sql.NullString
		var committed, until sql.NullInt64
		var held int
		if err := scan(&p.ID, &p.Dataset, &p.Bucket, &p.Version, &p.SchemaID, &fields, &p.Manifests, &p.Metadata,
			&p.Rows, &p.Files, &p.Bytes, &committed, &until, &held, &objects); err != nil {
			return err
		}
		p.CommittedAt, p.Until, p.Held = instant(committed), instant(until), held == 1
		if n := len(all); n > 0 && fields == last {
			p.Fields = all[n-1].Fields
		} else if err := decode(fields, &p.Fields); err != nil {
			return err
		}
		err := decode(objects, &p.Objects)
		all, last = append(all, p), fields
		return err
	})
	return all, err
}

// endPublished notes when the first object of the versions kept of a dataset goes.
func (tx *Tx) endPublished(ctx context.Context, id quern.DatasetID, at time.Time) error {
	_, err := tx.exec(ctx, `UPDATE published SET until = $2 WHERE dataset_id = $1 AND until IS NULL`, id, micros(at))
	return err
}

// EndPublished notes when the objects of one version go.
func (tx *Tx) EndPublished(ctx context.Context, id string, at time.Time) error {
	_, err := tx.exec(ctx, `UPDATE published SET until = $2 WHERE id = $1 AND (until IS NULL OR until > $2)`, id, micros(at))
	return err
}

// HoldPublished keeps the objects of one version of a dataset, and of no other, until
// a later one is held; the empty id holds none.
func (tx *Tx) HoldPublished(ctx context.Context, dataset quern.DatasetID, id string) error {
	_, err := tx.exec(ctx, `UPDATE published SET held = CASE WHEN id = $2 THEN 1 ELSE 0 END
		WHERE dataset_id = $1 AND held <> CASE WHEN id = $2 THEN 1 ELSE 0 END`, dataset, id)
	return err
}

// DeletePublished forgets a version; its objects become garbage now.
func (tx *Tx) DeletePublished(ctx context.Context, p Published, now time.Time) error {
	for _, key := range p.Objects {
		if _, err := tx.exec(ctx, `INSERT INTO garbage (object_key, delete_after) VALUES ($1, $2)
			ON CONFLICT (object_key) DO NOTHING`, key, micros(now)); err != nil {
			return err
		}
	}
	_, err := tx.exec(ctx, `DELETE FROM published WHERE id = $1`, p.ID)
	return err
}

// KnownFields returns every column that a dataset was known to have.
func (tx *Tx) KnownFields(ctx context.Context, id quern.DatasetID) (fields []quern.Field, err error) {
	var text sql.NullString
	if err := tx.row(ctx, `SELECT fields FROM datasets WHERE id = $1`, id)(&text); err != nil {
		return nil, err
	}
	err = decode(text, &fields)
	return fields, err
}

// UpdateFields stores every column that a dataset has or had.
func (tx *Tx) UpdateFields(ctx context.Context, id quern.DatasetID, fields []quern.Field) error {
	text, err := encode(fields)
	if err != nil {
		return err
	}
	_, err = tx.exec(ctx, `UPDATE datasets SET fields = $2 WHERE id = $1`, id, text)
	return err
}

// OpenDataset notes that another engine asked for a dataset.
func (tx *Tx) OpenDataset(ctx context.Context, id quern.DatasetID) error {
	_, err := tx.exec(ctx, `UPDATE datasets SET opened = 1 WHERE id = $1 AND opened = 0`, id)
	return err
}

// UnpublishedDatasets lists datasets that other engines asked for and whose version is
// not written for them, in the order of their ids after one.
func (tx *Tx) UnpublishedDatasets(ctx context.Context, after quern.DatasetID, limit int) ([]quern.DatasetID, error) {
	return tx.datasetIDs(ctx, `SELECT id FROM datasets WHERE opened = 1 AND row_count > 0 AND id > $1 AND NOT EXISTS (
		SELECT 1 FROM published WHERE dataset_id = datasets.id AND published.version = datasets.version AND until IS NULL)
		ORDER BY id LIMIT $2`, after, limit)
}

// Secret returns the secret of a name that all servers share, which is value where
// there was none yet.
func (tx *Tx) Secret(ctx context.Context, name, value string) (shared string, err error) {
	if _, err := tx.exec(ctx, `INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, name, value); err != nil {
		return "", err
	}
	err = tx.row(ctx, `SELECT value FROM secrets WHERE name = $1`, name)(&shared)
	return shared, err
}
