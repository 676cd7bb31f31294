package link

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"quern"
	"quern/catalog"
	"quern/store"
)

const (
	// lease is how long a server may take for one dataset.
	lease = 5 * time.Minute
	// late is how old a sketch of a dataset that never settles may become.
	late = 5 * time.Minute
	// workTime bounds the work for one dataset.
	workTime = 2 * time.Minute
	// mostLookedUp bounds the candidates that are looked up in the data itself
	// because sketches did not decide.
	mostLookedUp = 100
	// mostKept is how many destinations of a column are kept. The surest is in
	// effect; the others wait for it to go.
	mostKept = 3
	// atOnce is how many datasets one look at the store returns.
	atOnce = 50
)

// Run looks for links of changed data until ctx ends. Every replica may run it:
// a dataset is one server's at a time.
func (s *Service) Run(ctx context.Context) {
	tick := time.NewTicker(s.settle)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := s.Upkeep(ctx); err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "looking for links failed", "error", err)
		}
	}
}

// Upkeep looks for links of the datasets whose data have changed and settled.
// One that fails is tried again when its lease has run out.
func (s *Service) Upkeep(ctx context.Context) error {
	var ids []quern.DatasetID
	err := s.store.View(ctx, func(tx *store.Tx) (err error) {
		now := s.now()
		ids, err = tx.StaleSketches(ctx, now, now.Add(-s.settle), now.Add(-late), atOnce)
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		if _, err := s.rebuildLeased(ctx, id); err != nil {
			if ctx.Err() != nil {
				return err
			}
			s.log.WarnContext(ctx, "looking for a dataset's links failed", "dataset", id, "error", err)
		}
	}
	return nil
}

// rebuildLeased rebuilds one dataset's links unless another server does; mine
// reports that it was not another's.
func (s *Service) rebuildLeased(ctx context.Context, id quern.DatasetID) (mine bool, err error) {
	err = s.store.Update(ctx, func(tx *store.Tx) (err error) {
		mine, err = tx.LeaseSketch(ctx, id, s.now(), s.now().Add(lease))
		return err
	})
	if err == nil && mine {
		err = s.rebuild(ctx, id, Search{})
	}
	if kind := quern.KindOf(err); kind == quern.NotFound || kind == quern.Conflict {
		return mine, nil // deleted in the meantime
	}
	return mine, err
}

// rebuild sketches a dataset and replaces the links found at it. Of two new datasets that are
// looked at together neither may see the other's sketch: who finds another beside its own once
// that is stored looks again.
func (s *Service) rebuild(ctx context.Context, id quern.DatasetID, search Search) error {
	ctx, cancel := context.WithTimeout(ctx, workTime)
	defer cancel()
	snap, err := s.catalog.Table(ctx, id)
	if err != nil {
		return err
	}
	seen, err := s.rebuildOnce(ctx, snap, search)
	if err != nil {
		return err
	}
	beside, err := s.beside(ctx, snap.Dataset)
	if err != nil || !anyNew(seen, beside) {
		return err
	}
	_, err = s.rebuildOnce(ctx, snap, search)
	return err
}

// anyNew reports whether a dataset has a sketch that had none.
func anyNew(before, now []store.Sketched) bool {
	return slices.ContainsFunc(now, func(d store.Sketched) bool {
		i := slices.IndexFunc(before, func(o store.Sketched) bool { return o.ID == d.ID })
		return d.SketchOf > 0 && (i < 0 || before[i].SketchOf == 0)
	})
}

// rebuildOnce does so with the sketches that there are, and returns the datasets beside it as they
// were then.
func (s *Service) rebuildOnce(ctx context.Context, snap quern.Snapshot, search Search) ([]store.Sketched, error) {
	id := snap.Dataset.ID
	searched, err := s.search(ctx, snap, search, mostKept)
	if err != nil {
		return nil, err
	}
	counted, err := s.recount(ctx, id)
	if err != nil {
		return nil, err
	}
	return searched.beside, s.store.Update(ctx, func(tx *store.Tx) error {
		if search.Options != nil {
			if err := tx.UpdateLinkOptions(ctx, id, search.Options); err != nil {
				return err
			}
		}
		if err := tx.ReplaceFoundLinks(ctx, id, s.markCurated(searched.found, searched.options), mostKept); err != nil {
			return err
		}
		for _, l := range counted {
			if err := tx.CountLink(ctx, l); err != nil {
				return err
			}
		}
		if search.Rows != nil {
			return nil // the dataset's own columns are still to be sketched
		}
		return tx.PutSketch(ctx, id, snap.Dataset.Version, searched.columns, s.now())
	})
}

// discover compares a dataset with those beside it, one at a time.
func (s *Service) discover(ctx context.Context, d quern.Dataset, own *table, beside []store.Sketched, keep int) ([]store.Link, error) {
	all := candidates(own, own)
	for part := range slices.Chunk(beside, readAtOnce) {
		others, err := s.tables(ctx, d, part)
		if err != nil {
			return nil, err
		}
		for _, other := range others {
			all = append(all, candidates(own, other)...)
		}
		all = likeliest(all)
	}
	if err := s.lookUp(ctx, all); err != nil {
		return nil, err
	}
	for i := range all {
		all[i].rate()
	}
	var found []store.Link
	for _, c := range choose(all, keep) {
		found = append(found, store.Link{Link: c.link(), OriginID: c.from.id, DestinationID: c.to.id,
			OriginOwner: d.Namespace.OwnerID, DestinationOwner: d.Namespace.OwnerID})
	}
	return found, nil
}

// lookUp decides candidates whose sketches did not: the origin's sample is
// looked for in all of the destination's values.
func (s *Service) lookUp(ctx context.Context, all []candidate) error {
	var open []*candidate
	for i := range all {
		if all[i].sampled {
			open = append(open, &all[i])
		}
	}
	slices.SortStableFunc(open, func(a, b *candidate) int { return cmp.Compare(b.likeness, a.likeness) })
	for i, c := range open {
		if i >= mostLookedUp {
			c.contained = 0
			continue
		}
		found, err := s.count(ctx, c)
		switch {
		case quern.Is(err, quern.NotFound), quern.Is(err, quern.Timeout), quern.Is(err, quern.Invalid):
			c.contained = 0
		case err != nil:
			return err
		default:
			c.evidence = c.origin.sampled()
			c.contained = float64(found) / float64(c.evidence)
		}
	}
	return nil
}

// count returns how many of the origin's sampled values the destination has.
func (s *Service) count(ctx context.Context, c *candidate) (found int64, err error) {
	snap, err := s.catalog.Table(ctx, c.to.id)
	if err != nil {
		return 0, err
	}
	table, release, err := catalog.OpenTable(ctx, s.files, snap.Dataset, snap.Segments)
	if err != nil {
		return 0, err
	}
	defer release()
	hashes := c.origin.hashes()
	list := make([]string, len(hashes))
	for i, h := range hashes {
		list[i] = fmt.Sprint(h)
	}
	sql := fmt.Sprintf("SELECT count(DISTINCT h) FROM (SELECT %s AS h FROM t) WHERE h IN (%s)",
		hashSQL(c.key.Name, c.key.Class), strings.Join(list, ", "))
	err = s.each(ctx, table, sql, func(row []any) { found, _ = row[0].(int64) })
	return found, err
}

// freshen sketches the datasets beside one that have no sketch of their version,
// for as long as may be waited.
func (s *Service) freshen(ctx context.Context, d quern.Dataset) error {
	ctx, cancel := context.WithTimeout(ctx, workTime)
	defer cancel()
	beside, err := s.beside(ctx, d)
	if err != nil {
		return err
	}
	for _, other := range beside {
		if other.SketchOf == other.Version {
			continue
		}
		if err := s.resketch(ctx, other.ID); err != nil && !quern.Is(err, quern.NotFound) && !quern.Is(err, quern.Conflict) {
			return err
		}
	}
	return nil
}

// resketch sketches a dataset if it has changed since it last was. Links are
// left to its own turn, which a version of 0 keeps due.
func (s *Service) resketch(ctx context.Context, id quern.DatasetID) error {
	snap, err := s.catalog.Table(ctx, id)
	if err != nil {
		return err
	}
	var version int64
	err = s.store.View(ctx, func(tx *store.Tx) error {
		var kept []sketch
		version, err = tx.Sketch(ctx, id, &kept)
		return err
	})
	if err != nil || version == snap.Dataset.Version {
		return err
	}
	columns, err := s.sketches(ctx, s.stored(snap))
	if err != nil {
		return err
	}
	return s.store.Update(ctx, func(tx *store.Tx) error { return tx.PutSketch(ctx, id, version, columns, s.now()) })
}
