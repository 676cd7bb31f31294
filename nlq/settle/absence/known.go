package absence

import (
	"quern/nlq/ground"
	"quern/tree"
)

// ExcludeUnknown leaves the rows without a value out where a reading takes an end of the
// groups that they would be one of, or some of these, or lists each value once: the director with
// the most films is somebody, and what is not filled in is no garage.
func (g Rules) ExcludeUnknown(q *tree.Query) {
	s := q.Select
	if s == nil || asksForUnknown.MatchString(g.Text) {
		return
	}
	by := s.Group
	switch {
	case s.Distinct && len(s.Items) == 1:
		by = []tree.Expr{s.Items[0].Expr}
	case s.Having == nil && (q.Limit == nil || len(q.Order) == 0):
		return
	}
	for _, by := range by {
		column, ok := by.(tree.Column)
		id, known := g.View.ColumnOf(s.From, column)
		if !ok || !known || g.View.Columns[id].Rows >= g.View.Tables[g.View.Columns[id].Table].Rows || ground.Tests(s.Where, column) {
			continue
		}
		s.Where = tree.All(append(tree.Conjuncts(s.Where), tree.Not{Cond: tree.IsNull{Expr: column}})...)
	}
}
