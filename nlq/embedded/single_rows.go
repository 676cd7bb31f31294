package embedded

import "quern/tree"

// countsSingleRows reports whether a reading shows, sorts or chooses groups by how many rows
// they have where each has one, the rows of one dataset by its key, or where there are no
// groups. Nobody asks for that.
func (g *grounding) countsSingleRows(q *tree.Query) bool {
	s := q.Select
	if s == nil || len(s.From) != 1 {
		return false
	}
	counts := len(q.Order) > 0 && isCount(q.Order[0].Expr)
	if len(s.Group) == 0 {
		return counts && q.Limit != nil
	}
	for _, c := range tree.Conjuncts(s.Having) {
		compare, ok := c.(tree.Compare)
		counts = counts || ok && isCount(compare.Left)
	}
	for _, i := range s.Items {
		counts = counts || isRowCount(i.Expr)
	}
	if !counts {
		return false
	}
	for _, by := range s.Group {
		if c, ok := by.(tree.Column); ok && g.view.IsKey(s.From, c) {
			return true
		}
	}
	return false
}
