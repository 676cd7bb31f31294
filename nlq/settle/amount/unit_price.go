package amount

import (
	"regexp"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

// oneOfEach asks for one piece of everything, whose prices do add up.
var oneOfEach = regexp.MustCompile(`(?i)\bone (?:of )?each\b|\beach (?:of them )?once\b|\bone of (?:them all|all of them|every)\b`)

// UnitPrice multiplies what one costs by how many there are, where a reading adds up the
// former and no word asks for that: what the stock is worth is no sum of prices.
func (g Rules) UnitPrice(q *tree.Query) {
	s := q.Select
	if s == nil || oneOfEach.MatchString(g.Text) {
		return
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		a, ok := e.(tree.Aggregate)
		price, isColumn := a.Arg.(tree.Column)
		id, known := g.View.ColumnOf(s.From, price)
		if !ok || !isColumn || !known || a.Func != tree.Sum || g.TimesNamed(id) > 0 || !isUnitPrice(g.View.Columns[id]) {
			return e
		}
		if many, ok := g.quantityOf(g.View.Columns[id].Table); ok {
			a.Arg = tree.Arith{Op: '*', Left: tree.Column{Source: price.Source, Name: g.View.Columns[many].Name}, Right: price}
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
func (g Rules) quantityOf(table int) (id int, ok bool) {
	return g.OnlyIn(table, func(c schema.Column) bool { return ground.IsPieces(c) || len(c.Words) == 1 && c.Words[0] == "stock" })
}
