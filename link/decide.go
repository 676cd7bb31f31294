package link

import (
	"context"
	"fmt"

	"quern"
	"quern/catalog"
	"quern/store"
	"quern/tree"
)

// Pair names the two ends of a link as callers write them.
type Pair struct{ Origin, Destination string }

// Ontology is the links at a dataset and what people decided about them.
type Ontology struct {
	Links   []quern.Link // in effect
	Added   []quern.Link
	Removed []quern.Link
}

// Ontology gives the links and decisions at a dataset the principal may read.
func (s *Service) Ontology(ctx context.Context, p quern.Principal, path quern.DatasetPath) (Ontology, error) {
	all, err := s.all(ctx, p, path)
	o := Ontology{Links: inEffect(all)}
	for _, l := range all {
		switch l.Decision {
		case quern.LinkAdded:
			o.Added = append(o.Added, l)
		case quern.LinkRemoved:
			o.Removed = append(o.Removed, l)
		}
	}
	return o, err
}

// Add decides that there is a link, and reports whether there was none. It
// takes the right to write the origin and to read the destination.
func (s *Service) Add(ctx context.Context, p quern.Principal, pair Pair) (l quern.Link, created bool, err error) {
	decided, err := s.ends(ctx, p, pair, "")
	if err != nil {
		return l, false, err
	}
	created, err = s.decide(ctx, &decided, quern.LinkAdded)
	return decided.Link, created, err
}

// Change adds and removes links at a dataset, all of them or none. Every link
// has the dataset at one of its ends, and takes the rights that Add does.
func (s *Service) Change(ctx context.Context, p quern.Principal, path quern.DatasetPath, add, remove []Pair) (Ontology, error) {
	d, err := s.catalog.Dataset(ctx, p, path, catalog.Write)
	if err != nil {
		return Ontology{}, err
	}
	var changes []change
	for _, list := range []struct {
		name     string
		pairs    []Pair
		decision quern.LinkDecision
	}{{"add", add, quern.LinkAdded}, {"remove", remove, quern.LinkRemoved}} {
		for i, pair := range list.pairs {
			field := fmt.Sprintf("%s[%d]", list.name, i)
			l, err := s.ends(ctx, p, pair, field)
			if err != nil {
				return Ontology{}, err
			}
			if l.OriginID != d.ID && l.DestinationID != d.ID {
				return Ontology{}, invalid("foreign", field+": neither end is a column of "+d.Name)
			}
			changes = append(changes, change{l, list.decision})
		}
	}
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		for i := range changes {
			if _, err := s.decideIn(ctx, tx, &changes[i].Link, changes[i].decision); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Ontology{}, err
	}
	return s.Ontology(ctx, p, path)
}

type change struct {
	store.Link
	decision quern.LinkDecision
}

func (s *Service) decide(ctx context.Context, l *store.Link, decision quern.LinkDecision) (created bool, err error) {
	err = s.store.Update(ctx, func(tx *store.Tx) error {
		created, err = s.decideIn(ctx, tx, l, decision)
		return err
	})
	return created, err
}

// decideIn stores a decision, keeping what discovery counted, and reports
// whether the link was not in effect before.
func (s *Service) decideIn(ctx context.Context, tx *store.Tx, l *store.Link, decision quern.LinkDecision) (created bool, err error) {
	before, err := tx.Link(ctx, *l)
	switch {
	case quern.Is(err, quern.NotFound):
		created = true
	case err != nil:
		return false, err
	default:
		l.Hits, l.Score, l.Cardinality = before.Hits, before.Score, before.Cardinality
		created = before.Decision == quern.LinkRemoved
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
	l := store.Link{Link: quern.Link{Match: quern.ExactMatch, Cardinality: quern.UnknownCardinality, Score: 1}}
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
func (s *Service) end(ctx context.Context, p quern.Principal, resource, field string, a catalog.Action) (quern.Dataset, quern.ColumnPath, error) {
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
