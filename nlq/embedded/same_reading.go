package embedded

import (
	"cmp"
	"slices"

	"quern/tree"
)

// meaningOf returns a text that two readings have in common that mean the same: in whatever
// order they say what is to hold.
func meaningOf(q *tree.Query) string {
	made := tree.Clone(q)
	sorts := false
	tree.EachQuery(made, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		conds := tree.Conjuncts(q.Select.Where)
		if len(conds) < 2 { // nothing to sort
			return
		}
		sorts = true
		type printed struct {
			cond tree.Cond
			text string
		}
		all := make([]printed, len(conds))
		for i, c := range conds {
			// What cannot be printed keeps its place among its like.
			text, _ := tree.Print(&tree.Query{Select: &tree.Select{Items: []tree.Item{{Expr: tree.Star{}}}, From: q.Select.From, Where: c}})
			all[i] = printed{c, text}
		}
		slices.SortStableFunc(all, func(a, b printed) int { return cmp.Compare(a.text, b.text) })
		for i := range all {
			conds[i] = all[i].cond
		}
		q.Select.Where = tree.All(conds...)
	})
	if !sorts {
		return ""
	}
	text, err := tree.Print(made)
	if err != nil {
		return ""
	}
	return text
}
