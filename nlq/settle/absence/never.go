package absence

import (
	"slices"

	"quern/nlq/schema"
	"quern/tree"
)

// Never goes on to what happens with rows where a reading asks which are not among
// rows that have no time, and the text names others that have one and belong to those:
// customers who were never visited are those with no visit to any of their chimneys, not
// those without a chimney.
func (g Rules) Never(q *tree.Query) {
	if q.Select == nil {
		return
	}
	for _, c := range tree.Conjuncts(q.Select.Where) {
		not, isNot := c.(tree.Not)
		in, isIn := not.Cond.(tree.In)
		if !isNot || !isIn || in.Query == nil || in.Query.Select == nil || len(in.Query.Select.From) != 1 {
			continue
		}
		inner := in.Query.Select
		table, ok := g.View.TableOf(inner.From[0])
		if !ok || g.HasTimes(table) || g.SaysTable(table) {
			continue
		}
		if join, ok := g.happening(inner.From[0], table); ok {
			inner.From = append(slices.Clone(inner.From), join)
		}
	}
}

// happening returns the one dataset with times that the text names and whose rows belong to
// those of a table, joined to it.
func (g Rules) happening(source tree.Source, table int) (join tree.Source, ok bool) {
	for _, l := range g.View.Links {
		from, to := g.View.Columns[l.From], g.View.Columns[l.To]
		if to.Table != table || from.Table == table || !to.Key() || !g.HasTimes(from.Table) || !g.SaysTable(from.Table) {
			continue
		}
		if ok {
			return join, false
		}
		path := g.View.Tables[from.Table].Path
		join, ok = tree.Source{Dataset: path, On: []tree.Pair{{
			Left:  tree.Column{Source: source.Ref(), Name: to.Name},
			Right: tree.Column{Source: path.Dataset, Name: from.Name},
		}}}, true
	}
	return join, ok
}

// HasTimes reports whether a table has a column of times.
func (g Rules) HasTimes(table int) bool {
	return slices.ContainsFunc(g.View.Columns, func(c schema.Column) bool { return c.Table == table && c.Type.Temporal() })
}
