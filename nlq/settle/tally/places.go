package tally

import (
	"regexp"

	"quern/nlq/ground"
	"quern/tree"
)

var (
	// bestOf asks for the first of some places.
	bestOf = regexp.MustCompile(`(?i)\b(?:best|highest|top)\b`)
)

// BestPlace takes the least of the places where the text asks for the best: the best place that
// a boat has come in at is not its last.
func (g Rules) BestPlace(q *tree.Query) {
	if q.Select == nil || !bestOf.MatchString(g.Text) {
		return
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		a, ok := e.(tree.Aggregate)
		column, isColumn := a.Arg.(tree.Column)
		id, known := g.View.ColumnOf(q.Select.From, column)
		if ok && isColumn && known && a.Func == tree.Max && ground.IsPlace(g.View.Columns[id]) {
			a.Func = tree.Min
		}
		if ok {
			return a
		}
		return e
	})
}
