package embedded

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/schema"
	"quern/tree"
)

// oneOfEach asks for one piece of everything, whose prices do add up.
var oneOfEach = regexp.MustCompile(`(?i)\bone (?:of )?each\b|\beach (?:of them )?once\b|\bone of (?:them all|all of them|every)\b`)

// settleUnitPrice multiplies what one costs by how many there are, where a reading adds up the
// former and no word asks for that: what the stock is worth is no sum of prices.
func (g *grounding) settleUnitPrice(q *tree.Query) {
	s := q.Select
	if s == nil || oneOfEach.MatchString(g.text) {
		return
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		a, ok := e.(tree.Aggregate)
		price, isColumn := a.Arg.(tree.Column)
		id, known := g.view.ColumnOf(s.From, price)
		if !ok || !isColumn || !known || a.Func != tree.Sum || g.timesNamed(id) > 0 || !isUnitPrice(g.view.Columns[id]) {
			return e
		}
		if many, ok := g.quantityOf(g.view.Columns[id].Table); ok {
			a.Arg = tree.Arith{Op: '*', Left: tree.Column{Source: price.Source, Name: g.view.Columns[many].Name}, Right: price}
		}
		return a
	})
}

// isUnitPrice reports whether a column says what one of something costs.
func isUnitPrice(c schema.Column) bool {
	n := len(c.Words)
	return c.Type.Numeric() && n > 0 && (english.UnitPrices.Has(c.Words[n-1]) || n > 1 && (c.Words[0] == "unit" || c.Words[n-1] == "each"))
}

// quantityOf returns the only column of a table that says how many of its things there are or
// were sold.
func (g *grounding) quantityOf(table int) (id int, ok bool) {
	return g.onlyIn(table, func(c schema.Column) bool { return isPieces(c) || len(c.Words) == 1 && c.Words[0] == "stock" })
}

// piecesOf returns the only column of a table that says of how many pieces each of its rows is.
func (g *grounding) piecesOf(table int) (id int, ok bool) { return g.onlyIn(table, isPieces) }

// stockBounds are words of the names of columns that say how many there should be.
var stockBounds = []string{"min", "minimum", "max", "maximum", "reorder", "target", "threshold"}

// isPieces reports whether a column says how many of something were sold: quantity, kg sold, but
// no year, and not how many there should be.
func isPieces(c schema.Column) bool {
	n := len(c.Words)
	if slices.ContainsFunc(c.Words, func(w string) bool { return slices.Contains(stockBounds, w) }) {
		return false
	}
	isSold := n > 0 && c.Words[n-1] == "sold" && !isYear(c) && !slices.ContainsFunc(c.Words, english.PeriodUnits.Has)
	return isSold || endsIn(c, english.Quantities)
}

// onlyIn returns the only column of numbers of a table that is such.
func (g *grounding) onlyIn(table int, such func(schema.Column) bool) (id int, ok bool) {
	t := g.view.Tables[table]
	found := -1
	for i := t.First; i < t.First+t.Len; i++ {
		c := g.view.Columns[i]
		if !c.Type.Numeric() || !such(c) {
			continue
		}
		if found >= 0 {
			return 0, false
		}
		found = i
	}
	return found, found >= 0
}
