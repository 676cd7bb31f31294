package absurd

import (
	"slices"
	"strings"

	"quern/nlq/ground"
	"quern/nlq/settle/absence"
	"quern/tree"
)

// Contradicts reports whether no row can be what a reading asks for: one column that has
// two values at once, is more than itself, or is missing and yet has a value.
func Contradicts(q *tree.Query) (never bool) {
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		said := map[tree.Column]string{}
		all := tree.Conjuncts(q.Select.Where)
		for i, c := range all {
			if column, ok := ground.NullColumn(c); ok {
				never = never || slices.ContainsFunc(slices.Delete(slices.Clone(all), i, i+1), func(c tree.Cond) bool { return testsValue(c, column) })
			}
			compare, ok := c.(tree.Compare)
			column, isColumn := compare.Left.(tree.Column)
			if !ok || !isColumn {
				continue
			}
			never = never || compare.Right == tree.Expr(column)
			k, isLiteral := compare.Right.(tree.Literal)
			if !isLiteral || compare.Op != tree.Equal {
				continue
			}
			before, twice := said[column]
			never = never || twice && before != k.Text
			said[column] = k.Text
		}
	})
	return never
}

// testsValue reports whether a condition holds only where a column has a value.
func testsValue(c tree.Cond, column tree.Column) bool {
	e := tree.Expr(column)
	switch c := c.(type) {
	case tree.Compare:
		return c.Left == e
	case tree.Between:
		return c.Expr == e
	case tree.Period:
		return c.Expr == e
	}
	return false
}

// LeavesNothing reports whether a reading leaves out of rows all that there are, or holds them to
// what they all have.
func LeavesNothing(q *tree.Query) (nothing bool) {
	tree.EachQuery(q, func(q *tree.Query) {
		nothing = nothing || absence.IsOfItself(q.Set)
		if q.Select == nil {
			return
		}
		for _, c := range tree.Conjuncts(q.Select.Where) {
			not, _ := c.(tree.Not)
			in, isIn := not.Cond.(tree.In)
			column, isColumn := in.Expr.(tree.Column)
			if isIn && isColumn && in.Query != nil {
				one := &tree.Query{Select: &tree.Select{Items: []tree.Item{{Expr: column}}, From: q.Select.From}}
				nothing = nothing || absence.IsOfItself(&tree.Set{Op: tree.Except, Left: one, Right: in.Query})
			}
		}
	})
	return nothing
}

// MatchesNothing reports whether a query looks for a text in values of a column none of
// which has it.
func (g Rules) MatchesNothing(q *tree.Query) bool {
	if q.Select == nil {
		return false
	}
	return slices.ContainsFunc(tree.Conjuncts(q.Select.Where), func(c tree.Cond) bool {
		match, ok := c.(tree.Match)
		if !ok {
			return false
		}
		column, ok := match.Expr.(tree.Column)
		id, known := g.View.ColumnOf(q.Select.From, column)
		if !ok || !known || g.View.Columns[id].Values == nil || !g.View.Columns[id].Values.Complete() || match.Op == tree.Like {
			return false
		}
		sought := strings.ToLower(match.Text)
		return !slices.ContainsFunc(g.View.Columns[id].Values.All(), func(v string) bool {
			return strings.Contains(strings.ToLower(v), sought)
		})
	})
}
