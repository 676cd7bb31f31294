package label

import (
	"slices"

	"quern/nlq/schema"
	"quern/tree"
)

// DropUnused leaves out a dataset that rows of a query refer to, and that neither it nor the text says
// anything of: it would only take the rows away that do not belong to any of it.
func (g Rules) DropUnused(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.From) < 2 {
		return
	}
	for at := len(s.From) - 1; at > 0; at-- {
		source := s.From[at]
		table, known := g.View.TableOf(source)
		if known && !g.SaysTable(table) && !uses(q, source.Ref()) && g.isReferred(s.From, at) {
			s.From = slices.Delete(slices.Clone(s.From), at, at+1)
			q.Order = slices.DeleteFunc(slices.Clone(q.Order), func(o tree.Order) bool {
				c, isColumn := o.Expr.(tree.Column)
				return isColumn && c.Source == source.Ref()
			})
		}
	}
}

// uses reports whether a query's own select, or its order, has to do with a source, or shows all.
func uses(q *tree.Query, ref string) bool {
	found := false
	asked := *q
	asked.Order = q.Order[:min(1, len(q.Order))] // those after it only part ties
	tree.EachColumn(&asked, func(c tree.Column) { found = found || c.Source == ref })
	for _, i := range q.Select.Items {
		star, isStar := i.Expr.(tree.Star)
		found = found || isStar && (star.Source == "" || star.Source == ref)
	}
	return found
}

// isReferred reports whether a source is joined as what those before it refer to, and none after it is
// joined to it.
func (g Rules) isReferred(from []tree.Source, at int) bool {
	own := from[at]
	if len(own.On) != 1 || own.Outer {
		return false
	}
	key, refers := own.On[0].Right, own.On[0].Left
	if key.Source != own.Ref() {
		key, refers = refers, key
	}
	id, known := g.View.ColumnOf(from, key)
	by, knownToo := g.View.ColumnOf(from, refers)
	leadsThere := slices.ContainsFunc(g.View.Links, func(l schema.Link) bool { return l.From == by && l.To == id })
	return known && knownToo && leadsThere && !slices.ContainsFunc(from[at+1:], func(s tree.Source) bool {
		return slices.ContainsFunc(s.On, func(p tree.Pair) bool { return p.Left.Source == own.Ref() || p.Right.Source == own.Ref() })
	})
}
