package amount

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/grammar"
	"quern/nlq/ground"
	"quern/nlq/schema"
)

// perColumn is how one asks for what one of something costs or brings in: the price per
// litre.
var perColumn = regexp.MustCompile(`(?i)\b(?:prices?|costs?|money|fees?|charges?|spend\w*|spent|paid|pay|earn\w*|income|revenue|takings)` +
	`(?: \w+){0,2} (?:per|for each|for every) (?P<of>\w+)`)

// aggregates are the functions that a quotient of sums takes the place of.
var aggregates = []grammar.Token{ground.Token("avg"), ground.Token("sum")}

// Per returns a derivation that divides a sum of money by the sum of what the text
// asks for each of, where that is a column and the derivation divides nothing: the average
// price per litre is what was paid for all litres, by their number.
func (g Rules) Per(tokens []grammar.Token) []grammar.Token {
	m, ok := english.Groups(perColumn, g.Text)
	if !ok {
		return tokens
	}
	of, ok := g.amountNamed(m.Text("of"))
	if !ok {
		return tokens
	}
	if slices.Contains(tokens, ground.Token("/")) {
		return g.settleRatio(tokens, of)
	}
	for i := 0; i+1 < len(tokens); i++ {
		if !slices.Contains(aggregates, tokens[i]) || tokens[i+1].Kind != grammar.Column || !g.IsMoney(tokens[i+1].ID) {
			continue
		}
		money, ok := g.moneyBeside(of, tokens[i+1].ID)
		isPrice := slices.Contains(english.Stems(g.View.Columns[tokens[i+1].ID].Words), english.Stem(m.Text("of"))) // price_jar
		if !ok || isPrice {
			return tokens
		}
		quotient := []grammar.Token{ground.Token("/"), ground.Token("sum"), {Kind: grammar.Column, ID: money}, ground.Token("sum"), {Kind: grammar.Column, ID: of}}
		return slices.Concat(tokens[:i], quotient, tokens[i+2:])
	}
	return tokens
}

// settleRatio returns a derivation in which the average of money by an amount of the same row is all
// of the money by all of that amount.
func (g Rules) settleRatio(tokens []grammar.Token, of int) []grammar.Token {
	for i := 0; i+3 < len(tokens); i++ {
		money, amount := tokens[i+2], tokens[i+3]
		isAverage := tokens[i] == ground.Token("avg") && tokens[i+1] == ground.Token("/")
		if isAverage && money.Kind == grammar.Column && g.IsMoney(money.ID) && amount.Kind == grammar.Column && amount.ID == of {
			return slices.Concat(tokens[:i], []grammar.Token{ground.Token("/"), ground.Token("sum"), money, ground.Token("sum"), amount}, tokens[i+4:])
		}
	}
	return tokens
}

// amountNamed returns the one column of amounts that a word names.
func (g Rules) amountNamed(word string) (column int, ok bool) {
	stem := english.Stem(word)
	for i, c := range g.View.Columns {
		if !ground.IsAdditive(c) || g.IsMoney(i) || !slices.Contains(english.Stems(c.Words), stem) {
			continue
		}
		if ok {
			return 0, false
		}
		column, ok = i, true
	}
	return column, ok
}

// moneyBeside returns the column of money beside another: the one that a reading takes, or
// the only one of the same rows.
func (g Rules) moneyBeside(of, taken int) (column int, ok bool) {
	table := g.View.Columns[of].Table
	if g.View.Columns[taken].Table == table {
		return taken, true
	}
	return g.onlyMoney(table)
}

// asksForArea finds what asks how large something flat is.
var asksForArea = english.Areas.Finder()

// Area returns a derivation in which the area that the text asks for, and no column
// holds, is one side times the other.
func (g Rules) Area(tokens []grammar.Token) []grammar.Token {
	if !asksForArea.MatchString(g.Text) || slices.ContainsFunc(english.Areas.Words(), g.Asked.Whole.ColumnNamed) {
		return tokens
	}
	for i, t := range tokens {
		if t.Kind != grammar.Column {
			continue
		}
		across, up, ok := g.sidesOf(g.View.Columns[t.ID].Table)
		if !ok || t.ID != across && t.ID != up {
			continue
		}
		from, until := i, i+1
		if isOperator := i > 0 && (tokens[i-1] == ground.Token("*") || tokens[i-1] == ground.Token("/")); isOperator && i+1 < len(tokens) {
			from, until = i-1, i+2
		}
		product := []grammar.Token{ground.Token("*"), {Kind: grammar.Column, ID: across}, {Kind: grammar.Column, ID: up}}
		return slices.Concat(tokens[:from], product, tokens[until:])
	}
	return tokens
}

// sidesOf returns the columns that say how wide and how high the things of a table are, if
// there is one of each.
func (g Rules) sidesOf(table int) (across, up int, ok bool) {
	find := func(sides english.Set) (found []int) {
		for i, c := range g.View.Columns {
			if c.Table == table && c.Type.Numeric() && slices.ContainsFunc(c.Words, sides.Has) && !isSharedSide(c) {
				found = append(found, i)
			}
		}
		return found
	}
	a, b := find(english.Widths), find(english.Heights)
	if len(a) != 1 || len(b) != 1 || a[0] == b[0] {
		return 0, 0, false
	}
	return a[0], b[0], true
}

// isSharedSide reports whether a column is named for more than a side.
func isSharedSide(c schema.Column) bool {
	const most = 2 // the side and its unit
	return len(c.Words) > most
}
