package amount

import (
	"regexp"
	"slices"

	"quern"
	"quern/english"
	"quern/nlq/grammar"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/tree"
)

// arithmeticCues are the words that ask for what two columns make together.
var arithmeticCues = map[string]english.Set{"*": english.Products, "-": english.Rests, "/": english.Quotients}

// Arithmetic returns a derivation that does not reckon with two columns where no
// word of the text asks for it and the text names one of them alone: the pieces sold are
// not those baked times those sold.
func (g Rules) Arithmetic(tokens []grammar.Token) []grammar.Token {
	if !g.Asked.Uses(ground.Said) {
		return tokens
	}
	words := lex.Lower(lex.Tokens(g.Text))
	var settled []grammar.Token
	for i := 0; i < len(tokens); i++ {
		cues, reckons := arithmeticCues[tokens[i].String()]
		if tokens[i].Kind != grammar.Symbol || !reckons || i+2 >= len(tokens) {
			settled = append(settled, tokens[i])
			continue
		}
		of, one := g.oneMoney(tokens[i].String(), tokens[i+1], tokens[i+2])
		if amount, ok := g.oneAmount(tokens[i+1], tokens[i+2]); ok {
			of, one = amount, true
		} else if !slices.ContainsFunc(words, cues.Has) {
			of, one = g.oneNamed(tokens[i+1], tokens[i+2])
		}
		if !one {
			settled = append(settled, tokens[i])
			continue
		}
		settled = append(settled, of)
		i += 2
	}
	return settled
}

// oneNamed returns the one of two tokens that is a column which the text names, where
// both are columns.
func (g Rules) oneNamed(a, b grammar.Token) (named grammar.Token, ok bool) {
	if a.Kind != grammar.Column || b.Kind != grammar.Column {
		return a, false
	}
	first, second := g.TimesNamed(a.ID) > 0, g.TimesNamed(b.ID) > 0
	if second {
		return b, !first
	}
	return a, first
}

// oneAmount returns the one of two columns that has amounts, where the other only numbers rows:
// the average of visitors a shift is no part of the numbers that shifts have.
func (g Rules) oneAmount(a, b grammar.Token) (amount grammar.Token, ok bool) {
	if a.Kind != grammar.Column || b.Kind != grammar.Column {
		return a, false
	}
	first, second := g.numbersRows(a.ID), g.numbersRows(b.ID)
	if first {
		return b, !second
	}
	return a, second
}

// numbersRows reports whether the numbers of a column are names of rows.
func (g Rules) numbersRows(column int) bool {
	c := g.View.Columns[column]
	return c.Type == quern.Integer && c.Key() && (g.IsLinked(column) || ground.IsNumbering(c) || g.IsLabel(c))
}

// oneMoney returns the one of two columns that is money, where their product is no
// quantity times what one of it costs and the text names neither: what trips brought in
// is their cost, not the cost times the kilometres.
func (g Rules) oneMoney(op string, a, b grammar.Token) (money grammar.Token, ok bool) {
	if op != "*" || a.Kind != grammar.Column || b.Kind != grammar.Column || g.TimesNamed(a.ID) > 0 || g.TimesNamed(b.ID) > 0 {
		return a, false
	}
	if g.isSale(a.ID, b.ID) || g.isSale(b.ID, a.ID) {
		return a, false
	}
	first, second := g.IsMoney(a.ID), g.IsMoney(b.ID)
	if second {
		return b, !first
	}
	return a, first
}

// isSale reports whether one column says how many, and the other what one costs, of the
// same rows or of those that the rows refer to.
func (g Rules) isSale(quantity, price int) bool {
	of, per := g.View.Columns[quantity], g.View.Columns[price]
	near := of.Table == per.Table || g.RefersTo(of.Table, per.Table) && g.isOfPieces(quantity, price)
	return near && ground.EndsIn(of, english.Quantities) && ground.EndsIn(per, english.UnitPrices)
}

// costsAsVerb is how one asks what something costs, which is its price.
var costsAsVerb = regexp.MustCompile(`(?i)\b(?:does|do|did|would|will|must|should|can)\b[^?.!]*\bcost\b|` +
	`\bcost(?:s|ing)?\s+(?:us\s+|you\s+|me\s+)?(?:more|less|most|least|over|under|between|above|below|at|about|exactly|the|up|[\d£$€])`)

// Cost takes the price of a thing where a reading takes its cost and the text says
// that things cost something: what a loaf costs is what people pay for it.
func (g Rules) Cost(q *tree.Query) {
	if q.Select == nil || !costsAsVerb.MatchString(g.Text) {
		return
	}
	ground.ReplaceValues(q, func(from []tree.Source, e tree.Expr) tree.Expr {
		c, ok := e.(tree.Column)
		id, known := g.View.ColumnOf(from, c)
		if !ok || !known || !slices.Equal(g.View.Columns[id].Words, []string{"cost"}) {
			return e
		}
		t := g.View.Tables[g.View.Columns[id].Table]
		for _, of := range g.View.Columns[t.First : t.First+t.Len] {
			if of.Type.Numeric() && slices.Equal(of.Words, []string{"price"}) {
				return tree.Column{Source: c.Source, Name: of.Name}
			}
		}
		return e
	})
}

// AddApart adds up columns one by one that a reading adds up together: a row that lacks one of
// them still has the other.
func AddApart(q *tree.Query) {
	ground.ReplaceValues(q, func(_ []tree.Source, e tree.Expr) tree.Expr {
		a, ok := e.(tree.Aggregate)
		both, adds := a.Arg.(tree.Arith)
		_, left := both.Left.(tree.Column)
		_, right := both.Right.(tree.Column)
		if !ok || !adds || a.Func != tree.Sum || both.Op != '+' || !left || !right {
			return e
		}
		one, other := a, a
		one.Arg, other.Arg = both.Left, both.Right
		return tree.Arith{Op: both.Op, Left: one, Right: other}
	})
}

// DropSquares takes a column itself where a reading multiplies it by itself: nobody asks
// for that.
func DropSquares(q *tree.Query) {
	itself := func(e tree.Expr) tree.Expr {
		product, ok := e.(tree.Arith)
		column, isColumn := product.Left.(tree.Column)
		if ok && isColumn && product.Op == '*' && product.Right == tree.Expr(column) {
			return column
		}
		return e
	}
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select != nil {
			tree.ReplaceValues(q, itself)
		}
	})
}
