package store

import (
	"context"
	"database/sql"

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

// CountLink updates what is known of the values of a link that people decided about.
func (tx *Tx) CountLink(ctx context.Context, l Link) error {
	_, err := tx.exec(ctx, `UPDATE links SET hits = $5, cardinality = $6
		WHERE origin_id = $1 AND origin_key = $2 AND destination_id = $3 AND destination_key = $4 AND decision <> ''`,
		l.OriginID, quern.NameKey(l.Origin.Column), l.DestinationID, quern.NameKey(l.Destination.Column), l.Hits, l.Cardinality)
	return err
}
