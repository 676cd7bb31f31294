package follow

import (
	"math/big"
	"reflect"
	"slices"

	"quern/tree"
)

// negate returns the condition that leaves rows out. Rows of which nothing is
// known stay: where the column has missing values, these are let in.
func (t target) negate(c tree.Cond) tree.Cond {
	if not, ok := c.(tree.Not); ok {
		return not.Cond
	}
	var but tree.Cond = tree.Not{Cond: c}
	if compare, ok := c.(tree.Compare); ok && compare.Op == tree.Equal {
		but = tree.Compare{Op: tree.NotEqual, Left: compare.Left, Right: compare.Right}
	}
	column, ok := condSubject(c).(tree.Column)
	if i, known := t.view.ColumnOf(t.query.Select.From, column); ok && known && t.view.HasNull(i) {
		return tree.Or{Conds: []tree.Cond{but, tree.IsNull{Expr: column}}}
	}
	return but
}

// condSubject returns the value that a condition is about; nil when there are
// several.
func condSubject(c tree.Cond) tree.Expr {
	switch c := c.(type) {
	case tree.Compare:
		return c.Left
	case tree.Period:
		return c.Expr
	case tree.Between:
		return c.Expr
	case tree.In:
		return c.Expr
	case tree.Match:
		return c.Expr
	case tree.IsNull:
		return c.Expr
	case tree.Not:
		return condSubject(c.Cond)
	case tree.Or:
		first := condSubject(c.Conds[0])
		for _, other := range c.Conds[1:] {
			if !reflect.DeepEqual(first, condSubject(other)) {
				return nil
			}
		}
		return first
	}
	return nil
}

// constrains reports whether one of some conditions is about a column.
func constrains(where tree.Cond, column tree.Column) bool {
	return slices.ContainsFunc(tree.Conjuncts(where), func(c tree.Cond) bool { return condSubject(c) == tree.Expr(column) })
}

// constrains reports whether a condition of the query, or of a share in it, is
// about a column.
func (t target) constrains(column tree.Column) bool {
	for _, i := range t.query.Select.Items {
		if share, ok := i.Expr.(tree.Share); ok && constrains(share.Where, column) {
			return true
		}
	}
	return constrains(t.query.Select.Where, column)
}

// addConds returns conditions with more behind them, none of them twice.
func addConds(where tree.Cond, more ...tree.Cond) tree.Cond {
	all := slices.Clone(tree.Conjuncts(where))
	for _, c := range more {
		if !slices.ContainsFunc(all, func(o tree.Cond) bool { return reflect.DeepEqual(o, c) }) {
			all = append(all, c)
		}
	}
	return tree.All(all...)
}

// replaceCond returns conditions with a new one in the place of those about the
// same value, or behind them. A bound of the other side stays.
func replaceCond(where, c tree.Cond) tree.Cond {
	var kept []tree.Cond
	for _, o := range tree.Conjuncts(where) {
		if !replaces(c, o) || boundBothSides(o, c) {
			kept = append(kept, o)
		}
	}
	return addConds(tree.All(kept...), c)
}

// replaces reports whether a new condition takes the place of another: both are about
// the same value, or about the same time.
func replaces(c, o tree.Cond) bool {
	if condSubject(o) == nil {
		return false
	}
	if reflect.DeepEqual(condSubject(o), condSubject(c)) {
		return true
	}
	part, isPart := condSubject(o).(tree.Call)
	_, isPeriod := c.(tree.Period)
	calendar := isPart && (part.Func == "month" || part.Func == "year" || part.Func == "quarter" || part.Func == "day")
	return isPeriod && calendar && len(part.Args) == 1 && reflect.DeepEqual(part.Args[0], condSubject(c))
}

// boundBothSides reports whether two conditions bound a value from below and from
// above, with room between.
func boundBothSides(a, b tree.Cond) bool {
	low, ok := a.(tree.Compare)
	high, also := b.(tree.Compare)
	if !ok || !also {
		return false
	}
	if boundsAbove(low) {
		low, high = high, low
	}
	from, ok := low.Right.(tree.Literal)
	until, also := high.Right.(tree.Literal)
	if !ok || !also || from.Kind != until.Kind || !boundsBelow(low) || !boundsAbove(high) {
		return false
	}
	if from.Kind == tree.Number {
		return isLess(from.Text, until.Text)
	}
	return from.Text < until.Text // dates and times are written so
}

func boundsAbove(c tree.Compare) bool { return c.Op == tree.Less || c.Op == tree.LessEq }

func boundsBelow(c tree.Compare) bool { return c.Op == tree.Greater || c.Op == tree.GreaterEq }

// isLess compares two decimals.
func isLess(a, b string) bool {
	x, ok := new(big.Rat).SetString(a)
	y, also := new(big.Rat).SetString(b)
	return ok && also && x.Cmp(y) < 0
}
