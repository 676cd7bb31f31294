package store

import (
	"cmp"
	"context"

	"quern"
)

// ReplaceFoundLinks puts what discovery found at a dataset in the place of what
// it had found before. Decisions stay. Of what was found for a column, at whichever
// dataset, the keep surest destinations stay, so that datasets that are all alike do
// not have a link for every two of them. A dataset of which a column is left without any
// is looked at again.
func (tx *Tx) ReplaceFoundLinks(ctx context.Context, id quern.DatasetID, found []Link, keep int) error {
	alone, err := tx.onlyTo(ctx, id)
	if err != nil {
		return err
	}
	if _, err := tx.exec(ctx, `DELETE FROM links WHERE (origin_id = $1 OR destination_id = $1) AND decision = ''`, id); err != nil {
		return err
	}
	kept := foundLinks{}
	if len(found) > 0 {
		if kept, err = tx.foundBeside(ctx, id); err != nil {
			return err
		}
	}
	if err := tx.putFound(ctx, id, found, kept, keep); err != nil {
		return err
	}
	for _, o := range alone {
		if len(kept[o]) == 0 {
			if err := tx.sketchAgain(ctx, o.dataset); err != nil {
				return err
			}
		}
	}
	return nil
}

// putFound stores what was found at a dataset, beside what is kept, as far as it is among
// the surest.
func (tx *Tx) putFound(ctx context.Context, id quern.DatasetID, found []Link, kept foundLinks, keep int) error {
	full := false
	for _, l := range found {
		if l.Decision == quern.LinkUndecided {
			if kept.surer(l) >= keep {
				continue
			}
			kept.add(l)
			full = full || len(kept[originOf(l)]) > keep
		}
		if err := tx.putLink(ctx, l, `hits = links.hits`); err != nil {
			return err
		}
	}
	if !full {
		return nil
	}
	return tx.dropFound(ctx, id, keep)
}

// origin is a column that links of one kind were found for.
type origin struct {
	dataset quern.DatasetID
	key     string
	match   quern.LinkMatch
}

func originOf(l Link) origin { return origin{l.OriginID, quern.NameKey(l.Origin.Column), l.Match} }

// destination is where a found link leads.
type destination struct {
	dataset quern.DatasetID
	key     string
	score   float64
}

// foundLinks are the found links of some datasets.
type foundLinks map[origin][]destination

func (f foundLinks) add(l Link) {
	at := originOf(l)
	f[at] = append(f[at], destinationOf(l))
}

func destinationOf(l Link) destination {
	return destination{l.DestinationID, quern.NameKey(l.Destination.Column), l.Score}
}

// surer counts the links of the same column that win over one.
func (f foundLinks) surer(l Link) (n int) {
	d := destinationOf(l)
	for _, o := range f[originOf(l)] {
		if cmp.Or(cmp.Compare(d.score, o.score), cmp.Compare(o.dataset, d.dataset), cmp.Compare(o.key, d.key)) < 0 {
			n++
		}
	}
	return n
}

// inItsNamespace are the datasets beside one, and itself.
const inItsNamespace = `(SELECT id FROM datasets WHERE namespace_id = (SELECT namespace_id FROM datasets WHERE id = $1))`

// foundBeside reads what was found for the datasets of a dataset's namespace.
func (tx *Tx) foundBeside(ctx context.Context, id quern.DatasetID) (foundLinks, error) {
	all := foundLinks{}
	err := tx.each(ctx, `SELECT origin_id, origin_key, match, destination_id, destination_key, score FROM links
		WHERE decision = '' AND origin_id IN `+inItsNamespace, []any{id}, func(scan func(...any) error) error {
		var o origin
		var d destination
		err := scan(&o.dataset, &o.key, &o.match, &d.dataset, &d.key, &d.score)
		all[o] = append(all[o], d)
		return err
	})
	return all, err
}

// dropFound deletes the destinations beyond the keep surest of every column of a dataset's
// namespace.
func (tx *Tx) dropFound(ctx context.Context, id quern.DatasetID, keep int) error {
	_, err := tx.exec(ctx, `DELETE FROM links WHERE decision = '' AND (origin_id, origin_key, destination_id, destination_key) IN (
		SELECT origin_id, origin_key, destination_id, destination_key FROM (
			SELECT origin_id, origin_key, destination_id, destination_key, row_number() OVER (
				PARTITION BY origin_id, origin_key, match ORDER BY score DESC, destination_id, destination_key) AS place
			FROM links WHERE decision = '' AND origin_id IN `+inItsNamespace+`) AS placed
		WHERE place > $2)`, id, keep)
	return err
}

// onlyTo lists the columns of other datasets whose found links all lead to one dataset.
func (tx *Tx) onlyTo(ctx context.Context, id quern.DatasetID) (all []origin, err error) {
	err = tx.each(ctx, `SELECT DISTINCT l.origin_id, l.origin_key, l.match FROM links l
		WHERE l.destination_id = $1 AND l.origin_id <> $1 AND l.decision = '' AND NOT EXISTS (SELECT 1 FROM links b
			WHERE b.origin_id = l.origin_id AND b.origin_key = l.origin_key AND b.match = l.match AND b.decision = '' AND b.destination_id <> $1)`,
		[]any{id}, func(scan func(...any) error) error {
			var o origin
			err := scan(&o.dataset, &o.key, &o.match)
			all = append(all, o)
			return err
		})
	return all, err
}

// sketchAgain has the links of a dataset looked for again: a column of it has lost its
// destinations, in whose place one may come that was not among the surest.
func (tx *Tx) sketchAgain(ctx context.Context, id quern.DatasetID) error {
	_, err := tx.exec(ctx, `UPDATE link_sketches SET version = -1 WHERE dataset_id = $1 AND version > 0`, id)
	return err
}
