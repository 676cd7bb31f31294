package link

import (
	"cmp"
	"context"
	"fmt"

	"quern"
	"quern/catalog"
	"quern/store"
	"quern/tree"
)

// Pair names the two ends of a link as callers write them, and how they are
// compared; exactly where that is empty.
type Pair struct {
	Origin, Destination string
	Match               quern.LinkMatch
	Distance            float64 // in kilometres, of GeoMatch; 0 for the default
}

// Decided lists the links at a dataset the principal may read about which people
// decided so.
func (s *Service) Decided(
	ctx context.Context, p quern.Principal, path quern.DatasetPath, decision quern.LinkDecision,
) ([]quern.Link, error) {
	all, err := s.all(ctx, p, path)
	var some []quern.Link
	for _, l := range all {
		if l.Decision == decision {
			some = append(some, l)
		}
	}
	return some, err
}

// Add decides that there is a link, and reports whether there was none. It
// takes the right to write the origin and to read the destination.
func (s *Service) Add(ctx context.Context, p quern.Principal, pair Pair) (l quern.Link, created bool, err error) {
	decided, err := s.ends(ctx, p, pair, "")
	if err != nil {
		return l, false, err
	}
	if err := s.measure(ctx, &decided); err != nil {
		return l, false, err
	}
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		created, err = s.decide(ctx, tx, &decided, quern.LinkAdded)
		return err
	})
	return decided.Link, created, err
}

// Change adds and removes links at a dataset, all of them or none, and lists
// those in effect afterwards. Every link has the dataset at one of its ends, and
// takes the rights that Add does.
func (s *Service) Change(ctx context.Context, p quern.Principal, path quern.DatasetPath, add, remove []Pair) ([]quern.Link, error) {
	d, err := s.catalog.Dataset(ctx, p, path, catalog.Write)
	if err != nil {
		return nil, err
	}
	changes, err := s.changes(ctx, p, d, add, remove)
	if err != nil {
		return nil, err
	}
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		for i := range changes {
			if _, err := s.decide(ctx, tx, &changes[i].Link, changes[i].decision); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.Links(ctx, p, path)
}

type change struct {
	store.Link
	decision quern.LinkDecision
}

// changes finds the links that are to be added and removed at a dataset.
func (s *Service) changes(ctx context.Context, p quern.Principal, d quern.Dataset, add, remove []Pair) (all []change, err error) {
	for _, list := range []struct {
		name     string
		pairs    []Pair
		decision quern.LinkDecision
	}{{"add", add, quern.LinkAdded}, {"remove", remove, quern.LinkRemoved}} {
		for i, pair := range list.pairs {
			field := fmt.Sprintf("%s[%d]", list.name, i)
			l, err := s.ends(ctx, p, pair, field)
			if err == nil && l.OriginID != d.ID && l.DestinationID != d.ID {
				err = invalid("foreign", field+": neither end is a column of "+d.Name)
			}
			if err == nil && list.decision == quern.LinkAdded {
				err = s.measure(ctx, &l)
			}
			if err != nil {
				return nil, err
			}
			all = append(all, change{l, list.decision})
		}
	}
	return all, nil
}

// decide stores a decision and reports whether the link was not in effect
// before. A link that is removed keeps what is known of it.
func (s *Service) decide(ctx context.Context, tx *store.Tx, l *store.Link, decision quern.LinkDecision) (created bool, err error) {
	before, err := tx.Link(ctx, *l)
	switch {
	case quern.Is(err, quern.NotFound):
		created = true
	case err != nil:
		return false, err
	case decision == quern.LinkRemoved:
		l.Hits, l.Score, l.Cardinality, l.Match, l.Distance = before.Hits, before.Score, before.Cardinality, before.Match, before.Distance
	default:
		created = before.Decision == quern.LinkRemoved || before.Match != l.Match
	}
	l.Decision, l.DecidedAt = decision, s.now()
	if decision == quern.LinkAdded {
		l.Score = 1
	}
	return created, tx.DecideLink(ctx, *l)
}

// ends finds the two columns of a pair that the principal may link.
func (s *Service) ends(ctx context.Context, p quern.Principal, pair Pair, field string) (store.Link, error) {
	if field != "" {
		field += "."
	}
	l := store.Link{Link: quern.Link{Match: pair.Match, Cardinality: quern.UnknownCardinality, Score: 1}}
	if l.Match == "" {
		l.Match = quern.ExactMatch
	}
	if l.Match == quern.GeoMatch {
		l.Distance = cmp.Or(pair.Distance, DefaultDistance)
	}
	from, origin, err := s.end(ctx, p, pair.Origin, field+"origin", catalog.Write)
	if err != nil {
		return l, err
	}
	to, destination, err := s.end(ctx, p, pair.Destination, field+"destination", catalog.Read)
	if err != nil {
		return l, err
	}
	l.Origin, l.OriginID, l.Destination, l.DestinationID = origin, from.ID, destination, to.ID
	if from.ID == to.ID && tree.SameName(origin.Column, destination.Column) {
		return l, invalid("same", field+"destination: is the origin itself")
	}
	return l, nil
}

// end finds the column that a resource names and the principal may do the
// action with.
func (s *Service) end(
	ctx context.Context, p quern.Principal, resource, field string, a catalog.Action,
) (quern.Dataset, quern.ColumnPath, error) {
	readings := quern.ColumnPaths(resource)
	if len(readings) == 0 {
		return quern.Dataset{}, quern.ColumnPath{}, invalid("form", field+": must be ri.user.namespace.dataset.column")
	}
	var first error
	for _, c := range readings {
		d, err := s.catalog.Dataset(ctx, p, c.DatasetPath, a)
		if err == nil {
			for _, column := range d.Columns {
				if tree.SameName(column.Name, c.Column) {
					return d, quern.ColumnPath{DatasetPath: d.Path(), Column: column.Name}, nil
				}
			}
			err = invalid("column", field+": there is no such column")
		}
		if first == nil || quern.Is(first, quern.NotFound) {
			first = err
		}
	}
	return quern.Dataset{}, quern.ColumnPath{}, first
}

func invalid(code, message string) error {
	return quern.E(quern.Invalid, quern.CodeInvalid, "the request fails validation").With(quern.SubError{Code: code, Message: message})
}
