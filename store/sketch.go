package store

import (
	"context"
	"database/sql"
	"time"

	"quern"
)

// Sketched is a dataset as its links are looked for: how it is called and compared, and
// by what its sketch is told from another.
type Sketched struct {
	ID         quern.DatasetID
	Name       string
	Version    int64
	Rows       int64
	Options    *quern.LinkOptions
	SketchOf   int64 // the version that was sketched; less than 1: it is due
	SketchedAt time.Time
}

// SketchedIn lists the datasets of a namespace, drafts included.
func (tx *Tx) SketchedIn(ctx context.Context, id quern.NamespaceID, limit int) (all []Sketched, err error) {
	err = tx.each(ctx, `SELECT d.id, d.name, d.version, d.row_count, d.link_options, coalesce(s.version, 0), s.sketched_at
		FROM datasets d LEFT JOIN link_sketches s ON s.dataset_id = d.id WHERE d.namespace_id = $1 ORDER BY d.id LIMIT $2`,
		[]any{id, limit}, func(scan func(...any) error) error {
			var d Sketched
			var options sql.NullString
			var at sql.NullInt64
			if err := scan(&d.ID, &d.Name, &d.Version, &d.Rows, &options, &d.SketchOf, &at); err != nil {
				return err
			}
			d.SketchedAt = instant(at)
			err := decode(options, &d.Options)
			all = append(all, d)
			return err
		})
	return all, err
}

// StaleSketches lists datasets whose sketch is not of their version and that no
// server works on: those left alone since settled, and those whose sketch is
// from before late. Longest unchanged first.
func (tx *Tx) StaleSketches(ctx context.Context, now, settled, late time.Time, limit int) ([]quern.DatasetID, error) {
	return tx.datasetIDs(ctx, `SELECT d.id FROM datasets d LEFT JOIN link_sketches s ON s.dataset_id = d.id
		WHERE (s.dataset_id IS NULL OR s.version <> d.version AND s.leased_until <= $1)
		AND (d.data_changed_at <= $2 OR coalesce(s.sketched_at, d.created_at) <= $3)
		ORDER BY d.data_changed_at, d.id LIMIT $4`, micros(now), micros(settled), micros(late), limit)
}

// NewData says which datasets are new to links: they have rows, but no more than
// Rows, and were never sketched while they had any. One that a server took before
// Since and still works on is left out: it fails, or takes long.
type NewData struct {
	Rows       int64
	Now, Since time.Time         // Since as the end of a lease that began then
	Of         []quern.DatasetID // nil: all of them
	Limit      int
}

const newSketches = `SELECT d.id FROM datasets d LEFT JOIN link_sketches s ON s.dataset_id = d.id
	WHERE d.row_count > 0 AND d.row_count <= $2
	AND (s.dataset_id IS NULL OR s.version <> d.version AND (s.version = 0 OR s.columns = '[]')
		AND (s.leased_until <= $3 OR s.leased_until > $4)) AND d.namespace_id `

// NewSketches lists the new datasets of a namespace.
func (tx *Tx) NewSketches(ctx context.Context, id quern.NamespaceID, n NewData) ([]quern.DatasetID, error) {
	return tx.newSketches(ctx, `= $1`, id, n)
}

// NewSketchesOfOwner lists the new datasets of all namespaces of a user.
func (tx *Tx) NewSketchesOfOwner(ctx context.Context, username string, n NewData) ([]quern.DatasetID, error) {
	return tx.newSketches(ctx, `IN (SELECT n.id FROM namespaces n JOIN users u ON u.id = n.owner_id WHERE u.username = $1)`, username, n)
}

// newSketches lists the new datasets of namespaces, which in says with $1 for whose.
func (tx *Tx) newSketches(ctx context.Context, in string, whose any, n NewData) ([]quern.DatasetID, error) {
	args := []any{whose, n.Rows, micros(n.Now), micros(n.Since), n.Limit}
	if n.Of != nil {
		in += ` AND d.id IN (` + marks(len(args)+1, len(n.Of), "$%") + `)`
		for _, id := range n.Of {
			args = append(args, id)
		}
	}
	return tx.datasetIDs(ctx, newSketches+in+` ORDER BY d.id LIMIT $5`, args...)
}

// FreeSketch ends the lease of a dataset's sketch.
func (tx *Tx) FreeSketch(ctx context.Context, id quern.DatasetID) error {
	_, err := tx.exec(ctx, `UPDATE link_sketches SET leased_until = 0 WHERE dataset_id = $1`, id)
	return err
}

// LeaseSketch takes a dataset's sketch to work on, and reports whether no other
// server has it.
func (tx *Tx) LeaseSketch(ctx context.Context, id quern.DatasetID, now, until time.Time) (bool, error) {
	n, err := tx.exec(ctx, `INSERT INTO link_sketches (dataset_id, version, columns, leased_until) VALUES ($1, 0, '[]', $2)
		ON CONFLICT (dataset_id) DO UPDATE SET leased_until = excluded.leased_until WHERE link_sketches.leased_until <= $3`,
		id, micros(until), micros(now))
	return n == 1, err
}

// PutSketch stores a dataset's sketch, of a version, and ends its lease. An
// older version never replaces a newer one.
func (tx *Tx) PutSketch(ctx context.Context, id quern.DatasetID, version int64, columns any, now time.Time) error {
	text, err := encode(columns)
	if err != nil {
		return err
	}
	if !text.Valid {
		text.String, text.Valid = "[]", true
	}
	_, err = tx.exec(ctx, `INSERT INTO link_sketches (dataset_id, version, columns, sketched_at, leased_until) VALUES ($1, $2, $3, $4, 0)
		ON CONFLICT (dataset_id) DO UPDATE SET version = excluded.version, columns = excluded.columns,
		sketched_at = excluded.sketched_at, leased_until = 0 WHERE link_sketches.version <= excluded.version`,
		id, version, text, micros(now))
	return err
}

// Sketch reads what PutSketch stored into columns, and its version; 0 when
// there is none.
func (tx *Tx) Sketch(ctx context.Context, id quern.DatasetID, columns any) (version int64, err error) {
	var text sql.NullString
	err = tx.row(ctx, `SELECT version, columns FROM link_sketches WHERE dataset_id = $1`, id)(&version, &text)
	if quern.Is(err, quern.NotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return version, decode(text, columns)
}
