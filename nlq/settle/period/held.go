package period

import (
	"reflect"

	"quern/tree"
)

// Held holds the numbers of two periods to what a reading counts beside them, where the text
// compares the two: the lessons that were cancelled this month and last, not those cancelled, those
// of this month and those of last month.
func (g Rules) Held(q *tree.Query) {
	if q.Select == nil || !comparesTimes.MatchString(g.Text) {
		return
	}
	var of tree.Aggregate
	var held tree.Cond
	var kept []tree.Item
	periods := 0
	for _, item := range q.Select.Items {
		a, ok := item.Expr.(tree.Aggregate)
		if !ok {
			kept = append(kept, item)
			continue
		}
		_, isPeriod := a.Where.(tree.Period)
		is, isCompare := a.Where.(tree.Compare)
		a.Where = nil
		if of.Func != "" && !reflect.DeepEqual(of, a) {
			return
		}
		switch of = a; {
		case isPeriod:
			kept, periods = append(kept, item), periods+1
		case isCompare && is.Op == tree.Equal && held == nil:
			held = is
		default:
			return
		}
	}
	if periods == 2 && held != nil {
		q.Select.Items, q.Select.Where = kept, tree.All(append(tree.Conjuncts(q.Select.Where), held)...)
	}
}
