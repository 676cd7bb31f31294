package tree

import (
	"slices"

	"quern"
)

// via resolves a Linked condition that names columns of the dataset one comes
// from. One column is left to be moved along; several become an Exists, for rows
// that are equal in all of them.
func (r *resolver) via(s *Select, link Linked, start quern.DatasetPath) Linked {
	if to := s.From[0].Dataset; to.Dataset != "" {
		t, ok := r.schema.Table(to)
		if !ok {
			r.fail(unknown("dataset", to.Dataset, r.schema.datasets()))
			return link
		}
		s.From[0].Dataset = t.Path
	}
	hops := make([]hop, len(link.Via))
	for i, column := range link.Via {
		h, ok := r.connected(start, s.From[0].Dataset, column)
		if !ok && len(link.Via) == 1 {
			return r.onward(s, link)
		}
		if !ok {
			r.fail(r.unconnected(start, s.From[0].Dataset, column))
			return link
		}
		hops[i], s.From[0].Dataset = h, h.to.Dataset
	}
	if len(hops) > 1 {
		r.exists(s, link, hops)
	}
	return link
}

// connected returns the surest link that a column of one dataset is an end of
// and that leads to another dataset, to any when that is not named.
func (r *resolver) connected(start, to quern.DatasetPath, column string) (best hop, ok bool) {
	score := -1.0
	for _, l := range r.links {
		for _, h := range []hop{{l.Origin, l.Destination}, {l.Destination, l.Origin}} {
			leads := to.Dataset == "" || SamePath(h.to.Dataset, to)
			if leads && l.Score > score && SamePath(h.from.Dataset, start) && SameName(h.from.Column, column) {
				best, score, ok = h, l.Score, true
			}
		}
	}
	return best, ok
}

func (r *resolver) unconnected(start, to quern.DatasetPath, column string) *Problem {
	t, _ := r.schema.Table(start)
	if _, ok := t.Column(column); !ok {
		return unknownColumn(t, column)
	}
	if to.Dataset == "" {
		return problem(column, "no link leads on from column %q", column)
	}
	return problem(column, "no link leads from column %q of %q to %q", column, start.Dataset, to.Dataset)
}

// onward takes a column that is none of the dataset one comes from for one of the
// dataset that was found: the rows move there first, and on along its link.
func (r *resolver) onward(s *Select, link Linked) Linked {
	column, found := link.Via[0], s.From[0].Dataset
	if found.Dataset == "" {
		return Linked{Query: link.Query, Column: column}
	}
	t, _ := r.schema.Table(found)
	if _, ok := t.Column(column); !ok {
		r.fail(r.unconnected(link.Query.Select.From[0].Dataset, found, column))
		return link
	}
	inner := rowsOf(found)
	inner.Select.Where = Linked{Query: link.Query, Within: link.Within}
	r.query(inner, true)
	return Linked{Query: inner, Column: column}
}

// exists replaces a Linked condition, the first of a select's, with a query for
// a row that is equal in all columns.
func (r *resolver) exists(s *Select, link Linked, hops []hop) {
	inner, from := link.Query, link.Query.Select.From[0].Ref()
	s.From[0].Alias = ""
	switch {
	case inner.Limit != nil:
		r.fail(problem(link.Via[0], "following several columns comes before limit"))
		return
	case SameName(from, s.From[0].Ref()):
		r.fail(problem(link.Via[0], "several columns lead to another dataset only"))
		return
	}
	conds := slices.Clone(Conjuncts(inner.Select.Where))
	for _, h := range hops {
		conds = append(conds, Compare{Equal, Column{from, h.from.Column}, Column{s.From[0].Ref(), h.to.Column}})
	}
	inner.Select.Where, inner.Order = All(conds...), nil
	outer := append([]Cond{Exists{inner}}, Conjuncts(s.Where)[1:]...)
	s.Where = All(outer...)
}
