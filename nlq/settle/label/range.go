package label

import (
	"slices"
	"strconv"

	"quern/tree"
)

// Ranges turns ranges round that end before they begin: between 80 and 20 is what lies
// between the two, not nothing.
func Ranges(q *tree.Query) {
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		conds := slices.Clone(tree.Conjuncts(q.Select.Where))
		for i, c := range conds {
			if between, ok := c.(tree.Between); ok && isTurned(between) {
				between.Low, between.High = between.High, between.Low
				conds[i] = between
			}
		}
		q.Select.Where = tree.All(conds...)
	})
}

// isTurned reports whether a range of numbers ends before it begins.
func isTurned(b tree.Between) bool {
	low, isLow := numberOfLiteral(b.Low)
	high, isHigh := numberOfLiteral(b.High)
	return isLow && isHigh && low > high
}

func numberOfLiteral(e tree.Expr) (float64, bool) {
	k, ok := e.(tree.Literal)
	if !ok || k.Kind != tree.Number {
		return 0, false
	}
	n, err := strconv.ParseFloat(k.Text, 64)
	return n, err == nil
}
