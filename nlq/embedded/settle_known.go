package embedded

import "quern/tree"

// excludeUnknown leaves the rows without a value out where a reading takes an end of the
// groups that they would be one of, or some of these, or lists each value once: the director with
// the most films is somebody, and what is not filled in is no garage.
func (g *grounding) excludeUnknown(q *tree.Query) {
	s := q.Select
	if s == nil || asksForUnknown.MatchString(g.text) {
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
		id, known := g.view.ColumnOf(s.From, column)
		if !ok || !known || g.view.Columns[id].Rows >= g.view.Tables[g.view.Columns[id].Table].Rows || tests(s.Where, column) {
			continue
		}
		s.Where = tree.All(append(tree.Conjuncts(s.Where), tree.Not{Cond: tree.IsNull{Expr: column}})...)
	}
}

// tests reports whether a condition that all rows fulfil is on a column.
func tests(where tree.Cond, column tree.Column) bool {
	return usesColumn(&tree.Query{Select: &tree.Select{Where: where}}, column)
}

// usesColumn reports whether a query's own select, or its order, has to do with a column.
func usesColumn(q *tree.Query, column tree.Column) (uses bool) {
	tree.EachColumn(q, func(c tree.Column) { uses = uses || c == column })
	return uses
}
