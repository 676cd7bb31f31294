package store

import (
	"cmp"
	"context"
	"slices"

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
	kept, err := tx.foundFor(ctx, found)
	if err != nil {
		return err
	}
	if err := tx.putFound(ctx, found, kept, keep); err != nil {
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

// putFound stores what was found, beside what is kept, as far as it is among the surest.
func (tx *Tx) putFound(ctx context.Context, found []Link, kept foundLinks, keep int) error {
	for _, l := range found {
		if l.Decision == quern.LinkUndecided {
			if kept.surer(l) >= keep {
				continue
			}
			kept.add(l)
		}
		if err := tx.putLink(ctx, l, `hits = links.hits`); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(kept.beyond(keep), insertAtOnce) {
		if err := tx.dropFound(ctx, some, keep); err != nil {
			return err
		}
	}
	return nil
}

// origins lists the datasets that links come from, each once, as arguments.
func origins(links []Link) (ids []any) {
	seen := map[quern.DatasetID]bool{}
	for _, l := range links {
		if !seen[l.OriginID] {
			seen[l.OriginID] = true
			ids = append(ids, l.OriginID)
		}
	}
	return ids
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

// beyond lists the datasets with a column of more than keep destinations, as arguments.
func (f foundLinks) beyond(keep int) (ids []any) {
	for o, all := range f {
		if len(all) > keep && !slices.Contains(ids, any(o.dataset)) {
			ids = append(ids, o.dataset)
		}
	}
	return ids
}

// foundFor reads what is kept of the datasets that links come from.
func (tx *Tx) foundFor(ctx context.Context, links []Link) (foundLinks, error) {
	all := foundLinks{}
	for some := range slices.Chunk(origins(links), insertAtOnce) {
		err := tx.each(ctx, `SELECT origin_id, origin_key, match, destination_id, destination_key, score FROM links
			WHERE decision = '' AND origin_id IN (`+marks(1, len(some), "$%")+`)`, some, func(scan func(...any) error) error {
			var o origin
			var d destination
			err := scan(&o.dataset, &o.key, &o.match, &d.dataset, &d.key, &d.score)
			all[o] = append(all[o], d)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// dropFound deletes the destinations beyond the keep surest of every column of some datasets.
func (tx *Tx) dropFound(ctx context.Context, datasets []any, keep int) error {
	_, err := tx.exec(ctx, `DELETE FROM links WHERE decision = '' AND (origin_id, origin_key, destination_id, destination_key) IN (
		SELECT origin_id, origin_key, destination_id, destination_key FROM (
			SELECT origin_id, origin_key, destination_id, destination_key, row_number() OVER (
				PARTITION BY origin_id, origin_key, match ORDER BY score DESC, destination_id, destination_key) AS place
			FROM links WHERE decision = '' AND origin_id IN (`+marks(2, len(datasets), "$%")+`)) AS placed
		WHERE place > $1)`, append([]any{keep}, datasets...)...)
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
