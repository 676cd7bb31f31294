package store

import (
	"context"
	"database/sql"
	"time"

	"quern"
)

// Link is a link with the ids of the datasets at its ends.
type Link struct {
	quern.Link
	OriginID, DestinationID       quern.DatasetID
	OriginOwner, DestinationOwner quern.UserID
}

const linkSelect = `SELECT l.origin_id, ou.username, og.name, od.name, l.origin_column,
	l.destination_id, du.username, dg.name, dd.name, l.destination_column,
	l.match, l.distance, l.hits, l.score, l.cardinality, l.decision, l.decided_at, og.owner_id, dg.owner_id
	FROM links l
	JOIN datasets od ON od.id = l.origin_id JOIN namespaces og ON og.id = od.namespace_id JOIN users ou ON ou.id = og.owner_id
	JOIN datasets dd ON dd.id = l.destination_id JOIN namespaces dg ON dg.id = dd.namespace_id JOIN users du ON du.id = dg.owner_id`

// linkInEffect leaves out destinations found for a column that has a surer one of
// the same kind.
const linkInEffect = ` AND (l.decision <> '' OR NOT EXISTS (SELECT 1 FROM links b
	WHERE b.origin_id = l.origin_id AND b.origin_key = l.origin_key AND b.decision = '' AND b.match = l.match
	AND (b.score > l.score OR b.score = l.score AND (b.destination_id, b.destination_key) < (l.destination_id, l.destination_key))))`

const linkOrder = ` ORDER BY l.score DESC, ou.username, og.name_key, od.name_key, l.origin_key, du.username, dg.name_key, dd.name_key,
	l.destination_key LIMIT `

func (tx *Tx) links(ctx context.Context, query string, args ...any) ([]Link, error) {
	var all []Link
	err := tx.each(ctx, query, args, func(scan func(...any) error) error {
		var l Link
		var decided sql.NullInt64
		o, d := &l.Origin, &l.Destination
		err := scan(&l.OriginID, &o.Owner, &o.Namespace, &o.Dataset, &o.Column, &l.DestinationID, &d.Owner, &d.Namespace, &d.Dataset, &d.Column,
			&l.Match, &l.Distance, &l.Hits, &l.Score, &l.Cardinality, &l.Decision, &decided, &l.OriginOwner, &l.DestinationOwner)
		l.DecidedAt = instant(decided)
		all = append(all, l)
		return err
	})
	return all, err
}

// LinksOf lists the links at either end of a dataset, those that people removed
// included, surest first.
func (tx *Tx) LinksOf(ctx context.Context, id quern.DatasetID, limit int) ([]Link, error) {
	return tx.links(ctx, linkSelect+` WHERE (l.origin_id = $1 OR l.destination_id = $1)`+linkInEffect+linkOrder+`$2`, id, limit)
}

// LinksOfOwner lists the links in effect at either end of a user's datasets,
// surest first.
func (tx *Tx) LinksOfOwner(ctx context.Context, username string, limit int) ([]Link, error) {
	return tx.links(ctx, linkSelect+` WHERE (ou.username = $1 OR du.username = $1) AND l.decision <> 'removed'`+linkInEffect+linkOrder+`$2`,
		username, limit)
}

// LinksWithin lists the links in effect between the datasets of one namespace,
// surest first.
func (tx *Tx) LinksWithin(ctx context.Context, id quern.NamespaceID, limit int) ([]Link, error) {
	return tx.links(ctx, linkSelect+` WHERE od.namespace_id = $1 AND dd.namespace_id = $1
		AND l.decision <> 'removed'`+linkInEffect+linkOrder+`$2`, id, limit)
}

// Link returns one link, or NotFound.
func (tx *Tx) Link(ctx context.Context, l Link) (Link, error) {
	all, err := tx.links(ctx, linkSelect+` WHERE l.origin_id = $1 AND l.origin_key = $2 AND l.destination_id = $3 AND l.destination_key = $4`,
		l.OriginID, quern.NameKey(l.Origin.Column), l.DestinationID, quern.NameKey(l.Destination.Column))
	if err == nil && len(all) == 0 {
		err = notFound(sql.ErrNoRows)
	}
	if err != nil {
		return Link{}, err
	}
	return all[0], nil
}

const linkInsert = `INSERT INTO links (origin_id, origin_key, origin_column, destination_id, destination_key, destination_column,
	match, distance, hits, score, cardinality, decision, decided_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
	ON CONFLICT (origin_id, origin_key, destination_id, destination_key) DO UPDATE SET `

func (tx *Tx) putLink(ctx context.Context, l Link, onConflict string) error {
	_, err := tx.exec(ctx, linkInsert+onConflict,
		l.OriginID, quern.NameKey(l.Origin.Column), l.Origin.Column, l.DestinationID, quern.NameKey(l.Destination.Column), l.Destination.Column,
		l.Match, l.Distance, l.Hits, l.Score, l.Cardinality, l.Decision, micros(l.DecidedAt))
	return err
}

// DecideLink stores a decision, over what discovery or people said before.
func (tx *Tx) DecideLink(ctx context.Context, l Link) error {
	return tx.putLink(ctx, l, `decision = excluded.decision, decided_at = excluded.decided_at,
		match = excluded.match, distance = excluded.distance, hits = excluded.hits, score = excluded.score, cardinality = excluded.cardinality`)
}

// ReplaceFoundLinks puts what discovery found at a dataset in the place of what
// it had found before. Decisions stay.
func (tx *Tx) ReplaceFoundLinks(ctx context.Context, id quern.DatasetID, found []Link) error {
	if _, err := tx.exec(ctx, `DELETE FROM links WHERE (origin_id = $1 OR destination_id = $1) AND decision = ''`, id); err != nil {
		return err
	}
	for _, l := range found {
		if err := tx.putLink(ctx, l, `hits = links.hits`); err != nil {
			return err
		}
	}
	return nil
}

// CountLink updates what is known of the values of a link that people decided about.
func (tx *Tx) CountLink(ctx context.Context, l Link) error {
	_, err := tx.exec(ctx, `UPDATE links SET hits = $5, cardinality = $6
		WHERE origin_id = $1 AND origin_key = $2 AND destination_id = $3 AND destination_key = $4 AND decision <> ''`,
		l.OriginID, quern.NameKey(l.Origin.Column), l.DestinationID, quern.NameKey(l.Destination.Column), l.Hits, l.Cardinality)
	return err
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
	Now, Since time.Time // Since as the end of a lease that began then
	Limit      int
}

const newSketches = `SELECT d.id FROM datasets d LEFT JOIN link_sketches s ON s.dataset_id = d.id
	WHERE d.row_count > 0 AND d.row_count <= $2
	AND (s.dataset_id IS NULL OR s.version <> d.version AND (s.version = 0 OR s.columns = '[]')
		AND (s.leased_until <= $3 OR s.leased_until > $4)) AND d.namespace_id `

// NewSketches lists the new datasets of a namespace.
func (tx *Tx) NewSketches(ctx context.Context, id quern.NamespaceID, n NewData) ([]quern.DatasetID, error) {
	return tx.datasetIDs(ctx, newSketches+`= $1 ORDER BY d.id LIMIT $5`, id, n.Rows, micros(n.Now), micros(n.Since), n.Limit)
}

// NewSketchesOfOwner lists the new datasets of all namespaces of a user.
func (tx *Tx) NewSketchesOfOwner(ctx context.Context, username string, n NewData) ([]quern.DatasetID, error) {
	return tx.datasetIDs(ctx, newSketches+`IN (SELECT n.id FROM namespaces n JOIN users u ON u.id = n.owner_id WHERE u.username = $1)
		ORDER BY d.id LIMIT $5`, username, n.Rows, micros(n.Now), micros(n.Since), n.Limit)
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
