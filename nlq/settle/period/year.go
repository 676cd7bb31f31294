package period

import (
	"slices"

	"quern/nlq/ground"
	"quern/tree"
)

// Year shows the column of years that the text names where a reading shows the year of
// a time that no word names: title and year of the books published before 1935.
func (g Rules) Year(q *tree.Query) {
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
		id, known := g.View.ColumnOf(s.From, of)
		if !isColumn || !known || g.TimesNamed(id) > 0 {
			continue
		}
		var named []tree.Expr
		for _, source := range s.From {
			for _, other := range g.View.ColumnsOf(source) {
				if ground.IsYear(g.View.Columns[other]) && g.TimesNamed(other) > 0 {
					named = append(named, tree.Column{Source: source.Ref(), Name: g.View.Columns[other].Name})
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
