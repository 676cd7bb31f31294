package amount

import (
	"regexp"

	"quern/english"
	"quern/nlq/ground"
	"quern/tree"
)

// marginShare says how much of the price is left when the cost is paid, in percent.
var marginShare = regexp.MustCompile(`(?i)\b(?:margins?|profit margins?)\b[^?.]*?\b(?P<number>\d+(?:\.\d+)?) ?(?:%|percent\b|per cent\b)`)

// Margin compares what is left of the price as a part of it where the text has the margin in percent, and
// the reading compares it as money: a margin over 50 percent is more than half of the price.
func (g Rules) Margin(q *tree.Query) {
	m, ok := english.Groups(marginShare, g.Text)
	if q.Select == nil || !ok {
		return
	}
	ground.ReplaceConds(q, func(c tree.Cond) tree.Cond {
		compare, ok := c.(tree.Compare)
		left, isArith := compare.Left.(tree.Arith)
		price, isColumn := left.Left.(tree.Column)
		id, known := g.View.ColumnOf(q.Select.From, price)
		if !ok || compare.Right != tree.Expr(tree.Literal{Kind: tree.Number, Text: m.Text("number")}) || !isArith || left.Op != '-' || !isColumn || !known || !ground.EndsIn(g.View.Columns[id], english.UnitPrices) {
			return c
		}
		compare.Left = tree.Arith{Op: '/', Left: tree.Arith{Op: '*', Left: left, Right: tree.Literal{Kind: tree.Number, Text: "100"}}, Right: price}
		return compare
	})
}
