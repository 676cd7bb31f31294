package tally

import (
	"quern/nlq/ground"
	"quern/tree"
)

// Alike counts the same on both sides of a comparison of groups with another: who has bid on
// more different lots than somebody is compared with the number of different lots of theirs.
func (g Rules) Alike(q *tree.Query) {
	if q.Select == nil || q.Select.Having == nil {
		return
	}
	q.Select.Having = tree.MapConds(q.Select.Having, func(c tree.Cond) tree.Cond {
		compare, ok := c.(tree.Compare)
		left, isNumber := compare.Left.(tree.Aggregate)
		right, isQuery := compare.Right.(tree.Subquery)
		if !ok || !isNumber || !isQuery || right.Query.Select == nil || len(right.Query.Select.Items) != 1 || len(right.Query.Select.Group) > 0 {
			return c
		}
		of, isColumn := left.Arg.(tree.Column)
		item := &right.Query.Select.Items[0]
		if !left.Distinct || !isColumn || !ground.IsRowCount(item.Expr) {
			return c
		}
		id, known := g.View.ColumnOf(q.Select.From, of)
		for _, source := range right.Query.Select.From {
			if table, ok := g.View.TableOf(source); ok && known && table == g.View.Columns[id].Table {
				left.Arg = tree.Column{Source: source.Ref(), Name: of.Name}
				item.Expr = left
				break
			}
		}
		return compare
	})
}
