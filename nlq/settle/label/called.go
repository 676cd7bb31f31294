package label

import (
	"slices"
	"strings"

	"quern"
	"quern/nlq/schema"
	"quern/tree"
)

// Called shows rows by the name that other datasets call them by, where a reading shows a code that each
// has of its own and no word asks for: vehicles by their call signs, not by their plates.
func (g Rules) Called(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.Group) > 0 {
		return
	}
	for i, item := range s.Items {
		shown, ok := item.Expr.(tree.Column)
		id, known := g.View.ColumnOf(s.From, shown)
		if !ok || !known || g.View.Columns[id].Type != quern.Text || !g.View.Columns[id].Key() || g.points(id) || !isLettered(g.View.Columns[id]) {
			continue
		}
		table := g.View.Columns[id].Table
		labels := g.View.LabelsOf(table)
		if len(labels) != 1 || labels[0] == id || isLettered(g.View.Columns[labels[0]]) || !g.SaysTable(table) || !g.isReferredTo(labels[0]) || g.isReferredTo(id) {
			continue
		}
		name := tree.Column{Source: shown.Source, Name: g.View.Columns[labels[0]].Name}
		if !slices.ContainsFunc(s.Items, func(i tree.Item) bool { return i.Expr == tree.Expr(name) }) {
			s.Items[i].Expr = name
		}
	}
}

// isLettered reports whether the texts of a column are codes, as plates are, rather than words.
func isLettered(c schema.Column) bool { return strings.ToUpper(c.Min+c.Max) == c.Min+c.Max }

// isReferredTo reports whether rows of other datasets refer to a column.
func (g Rules) isReferredTo(column int) bool {
	own := g.View.Columns[column].Table
	return slices.ContainsFunc(g.View.Links, func(l schema.Link) bool { return l.To == column && g.View.Columns[l.From].Table != own })
}
