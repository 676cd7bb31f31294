package label

import (
	"fmt"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq"
	"quern/nlq/ground"
	"quern/tree"
)

// NoteNamesakes tells of whom an answer is where the question has only a part of a name that several
// people have, and the answer does not show their names: what Anna spent is what all three of them did.
func NoteNamesakes(r *ground.Asked, t *nlq.Translation) {
	before := len(t.Notes)
	ground.NoteCondition(t, func(from []tree.Source, c tree.Cond) string {
		match, ok := c.(tree.Match)
		column, isColumn := match.Expr.(tree.Column)
		id, known := r.Whole.ColumnOf(from, column)
		if !ok || !isColumn || !known || match.Op != tree.StartsWith || lists(t.Query, column) {
			return ""
		}
		of := r.Whole.Columns[id]
		if !of.HoldsPeople() && !r.Whole.IsOfPeople(of.Table) {
			return ""
		}
		const most = 5
		part := strings.TrimSpace(match.Text)
		found := of.Values.With(part)
		n := len(found)
		if n < 2 {
			return ""
		}
		if n > most {
			found = append(slices.Clone(found[:most]), fmt.Sprintf("%d others", n-most))
		}
		return fmt.Sprintf("%d are called %s: %s. This is about all of them.", n, strings.Fields(found[0])[0], english.List(found, "and"))
	})
	t.Doubt = t.Doubt || len(t.Notes) > before
}

// lists reports whether a query shows a column.
func lists(q *tree.Query, column tree.Column) bool {
	return q.Select != nil && slices.ContainsFunc(q.Select.Items, func(i tree.Item) bool {
		_, isStar := i.Expr.(tree.Star)
		c, _, _ := shownColumn(i)
		return isStar || c == column
	})
}
