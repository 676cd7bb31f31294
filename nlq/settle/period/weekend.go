package period

import (
	"slices"

	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// Weekend holds rows to the one day of the week, or the weekend, that the text names where
// the reading takes all such days: this weekend is none of last year's.
func (g Rules) Weekend(q *tree.Query) {
	if q.Select == nil {
		return
	}
	p, ok := g.OnePeriod()
	if !ok || lex.Weekdays(g.Features.Tokens[p.Last].Text) == nil {
		return
	}
	conds := slices.Clone(tree.Conjuncts(q.Select.Where))
	for i, c := range conds {
		column, ok := dayCompared(c)
		if !ok {
			continue
		}
		if id, known := g.View.ColumnOf(q.Select.From, column); known {
			conds[i] = schema.TimeColumn{Column: column, Of: g.View.Columns[id]}.Within(p)
		}
	}
	q.Select.Where = tree.All(conds...)
}

// dayCompared returns the column of times whose day of the week a condition is about.
func dayCompared(c tree.Cond) (column tree.Column, ok bool) {
	var tested tree.Expr
	switch c := c.(type) {
	case tree.Compare:
		tested = c.Left
	case tree.In:
		tested = c.Expr
	}
	call, ok := tested.(tree.Call)
	if !ok || call.Func != "dayname" {
		return tree.Column{}, false
	}
	column, ok = call.Args[0].(tree.Column)
	return column, ok
}
