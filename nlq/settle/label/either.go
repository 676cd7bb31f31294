package label

import (
	"slices"

	"quern/tree"
)

// Either makes a choice between two values of one column a part of the other
// conditions where a reading has them on one side each: urgent repairs in the kitchen or
// the hall over 50 are urgent and over 50 in either.
func Either(q *tree.Query) {
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		if all := tree.Conjuncts(q.Select.Where); len(all) == 2 {
			if neither, ok := neitherOf(all[0], all[1]); ok {
				q.Select.Where = neither
			}
		}
		if or, ok := q.Select.Where.(tree.Or); ok && len(or.Conds) == 2 {
			if neither, ok := neitherOf(or.Conds[0], or.Conds[1]); ok {
				q.Select.Where = neither
				return
			}
			if either, ok := eitherOf(tree.Conjuncts(or.Conds[0]), tree.Conjuncts(or.Conds[1])); ok {
				q.Select.Where = either
			}
		}
	})
}

// neitherOf returns what a reading means that has a column not the one value or the other: not
// travel or meals is neither.
func neitherOf(left, right tree.Cond) (neither tree.Cond, ok bool) {
	a, isA := left.(tree.Compare)
	b, isB := right.(tree.Compare)
	if !isA || !isB || !isValue(b) || a.Left != b.Left || a.Op != tree.NotEqual { // what is no column cannot be compared
		return nil, false
	}
	b.Op = tree.NotEqual
	return tree.All(a, b), true
}

// eitherOf returns two sides of a choice as one condition: that a column has the value of
// the one side or that of the other, and all else that either side says. ok is false where
// the sides do not differ in the value of one column, or name no other.
func eitherOf(left, right []tree.Cond) (both tree.Cond, ok bool) {
	if len(left)+len(right) < 3 {
		return nil, false
	}
	for i, one := range left {
		for j, other := range right {
			a, isA := one.(tree.Compare)
			b, isB := other.(tree.Compare)
			if !isA || !isB || !isValue(a) || !isValue(b) || a.Left != b.Left {
				continue
			}
			rest := slices.Concat(left[:i], left[i+1:], right[:j], right[j+1:])
			if slices.ContainsFunc(rest, func(c tree.Cond) bool { return testsSame(c, a.Left) }) {
				return nil, false
			}
			return tree.All(append([]tree.Cond{tree.Or{Conds: []tree.Cond{a, b}}}, rest...)...), true
		}
	}
	return nil, false
}

// isValue reports whether a condition is that a column has a value.
func isValue(c tree.Compare) bool {
	_, column := c.Left.(tree.Column)
	k, literal := c.Right.(tree.Literal)
	return column && literal && c.Op == tree.Equal && k.Kind == tree.Text
}

// testsSame reports whether a condition is about a value.
func testsSame(c tree.Cond, e tree.Expr) bool {
	compare, ok := c.(tree.Compare)
	return ok && compare.Left == e
}
