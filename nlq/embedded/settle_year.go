package embedded

import (
	"slices"

	"quern/tree"
)

// settleYear shows the column of years that the text names where a reading shows the year of
// a time that no word names: title and year of the books published before 1935.
func (g *grounding) settleYear(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.Group) > 0 {
		return
	}
	for i, item := range s.Items {
		call, ok := item.Expr.(tree.Call)
		if !ok || call.Func != "year" || len(call.Args) != 1 {
			continue
		}
		of, isColumn := call.Args[0].(tree.Column)
		id, known := g.view.ColumnOf(s.From, of)
		if !isColumn || !known || g.timesNamed(id) > 0 {
			continue
		}
		var named []tree.Expr
		for _, source := range s.From {
			for _, other := range g.view.ColumnsOf(source) {
				if isYear(g.view.Columns[other]) && g.timesNamed(other) > 0 {
					named = append(named, tree.Column{Source: source.Ref(), Name: g.view.Columns[other].Name})
				}
			}
		}
		if len(named) == 1 {
			items := slices.Clone(s.Items)
			items[i] = tree.Item{Expr: named[0]}
			s.Items = items
		}
	}
}
