package link

import (
	"context"

	"quern"
	"quern/store"
	"quern/tree"
)

// measure counts the values that the ends of a link have in common. What takes
// too long to count, or cannot be compared, is left as it is.
func (s *Service) measure(ctx context.Context, l *store.Link) error {
	ctx, cancel := context.WithTimeout(ctx, workTime)
	defer cancel()
	count := s.measureExact
	if l.Match == quern.GeoMatch {
		count = s.measurePlaces
	}
	err := count(ctx, l)
	switch quern.KindOf(err) {
	case quern.Timeout, quern.NotFound:
		return nil
	}
	return err
}

func (s *Service) measureExact(ctx context.Context, l *store.Link) error {
	from, err := s.catalog.Table(ctx, l.OriginID)
	if err != nil {
		return err
	}
	to, err := s.catalog.Table(ctx, l.DestinationID)
	if err != nil {
		return err
	}
	origin, originType := columnNamed(from.Dataset, l.Origin.Column)
	key, keyType := columnNamed(to.Dataset, l.Destination.Column)
	cl := comparison(originType, keyType)
	l.Hits, l.Cardinality = 0, quern.UnknownCardinality
	if origin < 0 || key < 0 || cl == "" {
		return nil
	}
	c := candidate{from: &table{id: l.OriginID}, to: &table{id: l.DestinationID}}
	if c.origin, err = s.sketchOf(ctx, from, origin, cl); err != nil {
		return err
	}
	if c.key, err = s.sketchOf(ctx, to, key, cl); err != nil {
		return err
	}
	if c.origin.Unread || c.key.Unread {
		return nil
	}
	c.compare()
	if all := c.origin.sampled(); c.evidence < min(leastEvidence, all) {
		found, err := s.count(ctx, &c)
		if err != nil {
			return err
		}
		c.contained = float64(found) / float64(all)
	}
	l.Hits, l.Cardinality = c.counts()
	return nil
}

// comparison returns how values of two types are compared; empty when they never
// are equal.
func comparison(a, b quern.Type) class {
	switch {
	case classOf(a) != "" && classOf(a) == classOf(b):
		return classOf(a)
	case a == b:
		return texts // compared as they are
	}
	return ""
}

// columnNamed finds a column of a dataset; -1 when there is none.
func columnNamed(d quern.Dataset, name string) (int, quern.Type) {
	for i, c := range d.Columns {
		if tree.SameName(c.Name, name) {
			return i, c.Type
		}
	}
	return -1, ""
}

func (s *Service) sketchOf(ctx context.Context, snap quern.Snapshot, at int, cl class) (*column, error) {
	one := []sketch{newSketch(snap.Dataset.Columns[at], at, snap.Dataset.Rows, cl)}
	err := s.fill(ctx, s.stored(snap), one)
	return &column{sketch: one[0]}, err
}

// recount measures the links at a dataset that people added.
func (s *Service) recount(ctx context.Context, id quern.DatasetID) (counted []store.Link, err error) {
	var all []store.Link
	err = s.store.View(ctx, func(tx *store.Tx) error {
		all, err = tx.LinksOf(ctx, id, mostListed)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, l := range all {
		if l.Decision != quern.LinkAdded || len(counted) == mostLookedUp {
			continue
		}
		if err := s.measure(ctx, &l); err != nil {
			return nil, err
		}
		counted = append(counted, l)
	}
	return counted, nil
}
