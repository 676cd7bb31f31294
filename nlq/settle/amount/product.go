package amount

import (
	"slices"

	"quern/english"
	"quern/nlq/feature"
	"quern/nlq/grammar"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/schema"
)

// Product returns a derivation in which what was taken in is how many were sold
// times what one costs, where the text names it and no column does: "revenue" is
// neither the price nor the quantity alone. Where the data do not tell one price and
// one quantity, the derivation stays.
func (g Rules) Product(tokens []grammar.Token) []grammar.Token {
	amount, price, ok := g.Takings()
	if !ok {
		return tokens
	}
	product := []grammar.Token{ground.Token("*"), {Kind: grammar.Column, ID: amount}, {Kind: grammar.Column, ID: price}}
	var settled []grammar.Token
	for i := 0; i < len(tokens); i++ {
		switch {
		case tokens[i] == ground.Token("/") && i+2 < len(tokens) && slices.Contains(product[1:], tokens[i+1]) && slices.Contains(product[1:], tokens[i+2]):
			settled = append(settled, product...)
			i += 2
		case tokens[i] == product[0] && i+2 < len(tokens) && g.unnamed(tokens[i+1]) && g.unnamed(tokens[i+2]):
			settled = append(settled, product...)
			i += 2
		case i > 0 && tokens[i-1] == ground.Token("sum") && slices.Contains(product[1:], tokens[i]) && g.unnamed(tokens[i]):
			settled = append(settled, product...)
		default:
			settled = append(settled, tokens[i])
		}
	}
	return settled
}

// Takings returns the columns that say how many and what one costs, when the text
// speaks of what was taken in and no column is named so.
func (g Rules) Takings() (amount, price int, ok bool) {
	words := lex.Lower(lex.Tokens(g.Text))
	said := slices.ContainsFunc(words, func(w string) bool { return english.Takings.Has(w) && !g.Asked.Whole.ColumnNamed(w) })
	if !said {
		return 0, 0, false
	}
	var pairs, beside [][2]int
	for a, of := range g.View.Columns {
		for p, per := range g.View.Columns {
			if !of.Type.Numeric() || !per.Type.Numeric() || !ground.EndsIn(of, english.Quantities) || !ground.EndsIn(per, english.UnitPrices) {
				continue
			}
			switch {
			case of.Table == per.Table:
				beside = append(beside, [2]int{a, p})
			case g.RefersTo(of.Table, per.Table) && g.isOfPieces(a, p):
				pairs = append(pairs, [2]int{a, p})
			}
		}
	}
	if len(beside) > 0 {
		pairs = beside
	}
	if len(pairs) != 1 {
		return 0, 0, false
	}
	return pairs[0][0], pairs[0][1], true
}

// isOfPieces reports whether a price of rows that others refer to is that of each of their pieces:
// not where the pieces are of other things, which have a price of their own in a list, and the rows
// are no list: what a repair comes to is not the price of one of its parts.
func (g Rules) isOfPieces(quantity, price int) bool {
	many, one := g.View.Columns[quantity].Table, g.View.Columns[price].Table
	if g.isPriceList(one) {
		return true
	}
	for other := range g.View.Tables {
		if other != one && other != many && g.RefersTo(many, other) && g.isPriceList(other) {
			return false
		}
	}
	return true
}

// isPriceList reports whether a table lists things with what one of them costs: not one
// whose rows came about at a time and are of others.
func (g Rules) isPriceList(table int) bool {
	t := g.View.Tables[table]
	columns := g.View.Columns[t.First : t.First+t.Len]
	isPrice := func(c schema.Column) bool {
		return c.Type.Numeric() && slices.ContainsFunc(c.Words, english.ListPrices.Has)
	}
	isTime := func(c schema.Column) bool { return c.Type.Temporal() }
	refers := false
	for other := range g.View.Tables {
		refers = refers || other != table && g.RefersTo(table, other)
	}
	return slices.ContainsFunc(columns, isPrice) && !(refers && slices.ContainsFunc(columns, isTime))
}

// unnamed reports whether a token is a column whose name the text does not have.
func (g Rules) unnamed(t grammar.Token) bool {
	if t.Kind != grammar.Column {
		return false
	}
	return !slices.ContainsFunc(g.Features.Columns, func(of []uint8) bool {
		relation := of[t.ID]
		return relation < feature.ColumnSimilar && relation/feature.ValueRelations == feature.NameExact
	})
}
