package embedded

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/grammar"
	"quern/nlq/schema"
)

// perColumn is how one asks for what one of something costs or brings in: the price per
// litre.
var perColumn = regexp.MustCompile(`(?i)\b(?:prices?|costs?|money|fees?|charges?|spend\w*|spent|paid|pay|earn\w*|income|revenue|takings)` +
	`(?: \w+){0,2} (?:per|for each|for every) (?P<of>\w+)`)

// aggregates are the functions that a quotient of sums takes the place of.
var aggregates = []grammar.Token{token("avg"), token("sum")}

// settlePer returns a derivation that divides a sum of money by the sum of what the text
// asks for each of, where that is a column and the derivation divides nothing: the average
// price per litre is what was paid for all litres, by their number.
func (g *grounding) settlePer(tokens []grammar.Token) []grammar.Token {
	m, ok := english.Groups(perColumn, g.text)
	if !ok {
		return tokens
	}
	of, ok := g.amountNamed(m.Text("of"))
	if !ok {
		return tokens
	}
	if slices.Contains(tokens, token("/")) {
		return g.settleRatio(tokens, of)
	}
	for i := 0; i+1 < len(tokens); i++ {
		if !slices.Contains(aggregates, tokens[i]) || tokens[i+1].Kind != grammar.Column || !g.isMoney(tokens[i+1].ID) {
			continue
		}
		money, ok := g.moneyBeside(of, tokens[i+1].ID)
		isPrice := slices.Contains(english.Stems(g.view.Columns[tokens[i+1].ID].Words), english.Stem(m.Text("of"))) // price_jar
		if !ok || isPrice {
			return tokens
		}
		quotient := []grammar.Token{token("/"), token("sum"), {Kind: grammar.Column, ID: money}, token("sum"), {Kind: grammar.Column, ID: of}}
		return slices.Concat(tokens[:i], quotient, tokens[i+2:])
	}
	return tokens
}

// settleRatio returns a derivation in which the average of money by an amount of the same row is all
// of the money by all of that amount.
func (g *grounding) settleRatio(tokens []grammar.Token, of int) []grammar.Token {
	for i := 0; i+3 < len(tokens); i++ {
		money, amount := tokens[i+2], tokens[i+3]
		isAverage := tokens[i] == token("avg") && tokens[i+1] == token("/")
		if isAverage && money.Kind == grammar.Column && g.isMoney(money.ID) && amount.Kind == grammar.Column && amount.ID == of {
			return slices.Concat(tokens[:i], []grammar.Token{token("/"), token("sum"), money, token("sum"), amount}, tokens[i+4:])
		}
	}
	return tokens
}

// amountNamed returns the one column of amounts that a word names.
func (g *grounding) amountNamed(word string) (column int, ok bool) {
	stem := english.Stem(word)
	for i, c := range g.view.Columns {
		if !isAdditive(c) || g.isMoney(i) || !slices.Contains(english.Stems(c.Words), stem) {
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
func (g *grounding) moneyBeside(of, taken int) (column int, ok bool) {
	table := g.view.Columns[of].Table
	if g.view.Columns[taken].Table == table {
		return taken, true
	}
	return g.onlyMoney(table)
}

// asksForArea finds what asks how large something flat is.
var asksForArea = english.Areas.Finder()

// settleArea returns a derivation in which the area that the text asks for, and no column
// holds, is one side times the other.
func (g *grounding) settleArea(tokens []grammar.Token) []grammar.Token {
	if !asksForArea.MatchString(g.text) || slices.ContainsFunc(english.Areas.Words(), g.whole.ColumnNamed) {
		return tokens
	}
	for i, t := range tokens {
		if t.Kind != grammar.Column {
			continue
		}
		across, up, ok := g.sidesOf(g.view.Columns[t.ID].Table)
		if !ok || t.ID != across && t.ID != up {
			continue
		}
		from, until := i, i+1
		if isOperator := i > 0 && (tokens[i-1] == token("*") || tokens[i-1] == token("/")); isOperator && i+1 < len(tokens) {
			from, until = i-1, i+2
		}
		product := []grammar.Token{token("*"), {Kind: grammar.Column, ID: across}, {Kind: grammar.Column, ID: up}}
		return slices.Concat(tokens[:from], product, tokens[until:])
	}
	return tokens
}

// sidesOf returns the columns that say how wide and how high the things of a table are, if
// there is one of each.
func (g *grounding) sidesOf(table int) (across, up int, ok bool) {
	find := func(sides english.Set) (found []int) {
		for i, c := range g.view.Columns {
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
