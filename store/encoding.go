package store

import (
	"context"
	"time"

	"quern"
)

// Encodings is what an encoder of certain weights made of the names of a dataset and
// its columns, at one version of its data.
type Encodings struct {
	Version int64
	Weights string
	Names   []byte
}

// Encodings returns what is stored for a dataset, or NotFound.
func (tx *Tx) Encodings(ctx context.Context, id quern.DatasetID) (e Encodings, err error) {
	err = tx.row(ctx, `SELECT version, weights, names FROM name_encodings WHERE dataset_id = $1`, id)(&e.Version, &e.Weights, &e.Names)
	return e, err
}

// PutEncodings stores what was made of a dataset's names. An older version does not
// replace a newer one of the same weights.
func (tx *Tx) PutEncodings(ctx context.Context, id quern.DatasetID, e Encodings) error {
	_, err := tx.exec(ctx, `INSERT INTO name_encodings (dataset_id, version, weights, names) VALUES ($1, $2, $3, $4)
		ON CONFLICT (dataset_id) DO UPDATE SET version = excluded.version, weights = excluded.weights, names = excluded.names
		WHERE name_encodings.version <= excluded.version OR name_encodings.weights <> excluded.weights`,
		id, e.Version, e.Weights, e.Names)
	return err
}

// UnencodedDatasets lists datasets whose data changed since a time and whose names
// were not encoded with certain weights at their version, with id and version; those
// that changed first come first.
func (tx *Tx) UnencodedDatasets(ctx context.Context, weights string, since time.Time, limit int) ([]quern.Dataset, error) {
	var all []quern.Dataset
	err := tx.each(ctx, `SELECT d.id, d.version FROM datasets d LEFT JOIN name_encodings e ON e.dataset_id = d.id
		WHERE d.data_changed_at >= $1 AND (e.dataset_id IS NULL OR e.version < d.version OR e.weights <> $2)
		ORDER BY d.data_changed_at, d.id LIMIT $3`, []any{micros(since), weights, limit}, func(scan func(...any) error) error {
		var d quern.Dataset
		err := scan(&d.ID, &d.Version)
		all = append(all, d)
		return err
	})
	return all, err
}
