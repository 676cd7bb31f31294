package embedded

import (
	"slices"

	"quern/tree"
)

// rivals returns those of all readings that are one, or another answer. Who finds the same rows and
// only calls them otherwise, by a number or by all that is known of them, gives the same answer.
func (g *grounding) rivals(one *candidate, all []*candidate) []*candidate {
	return slices.DeleteFunc(slices.Clone(all), func(other *candidate) bool { return other != one && g.isVariant(one, other) })
}

// isVariant reports whether two readings differ in nothing but what they call their rows by.
func (g *grounding) isVariant(one, other *candidate) bool {
	a, known := g.uncalled(one.query)
	b, alsoKnown := g.uncalled(other.query)
	return known && alsoKnown && a == b
}

// uncalled returns a query without what its rows are called by, as a text; ok is false for one that
// has nothing of the kind.
func (g *grounding) uncalled(q *tree.Query) (text string, ok bool) {
	if q.Select == nil {
		return "", false
	}
	q = tree.Clone(q)
	s := q.Select
	items := len(s.Items)
	s.Items = slices.DeleteFunc(s.Items, func(i tree.Item) bool { return g.calls(s.From, i.Expr) })
	if len(s.Items) == items {
		return "", false
	}
	s.Items = append(s.Items, tree.Item{Expr: tree.Star{}})
	text, err := tree.Print(q)
	return text, err == nil
}

// calls reports whether an expression is what rows are called by: their key, their names, or all
// that is known of them.
func (g *grounding) calls(from []tree.Source, e tree.Expr) bool {
	switch e := e.(type) {
	case tree.Star:
		return true
	case tree.Column:
		id, ok := g.View.ColumnOf(from, e)
		return ok && (g.View.Columns[id].Key() || slices.Contains(g.View.LabelsOf(g.View.Columns[id].Table), id))
	}
	return false
}
