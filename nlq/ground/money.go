package ground

import (
	"regexp"
	"slices"

	"quern"
	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
)

// IsMoney reports whether a column is named like money.
func (g *Grounding) IsMoney(column int) bool {
	return slices.ContainsFunc(g.View.Columns[column].Words, english.Money.Has)
}

var (
	// MoneyToCome says that money has not come in, not that what it is for is to come.
	MoneyToCome = regexp.MustCompile(`(?i)\b(?:money|how much|payments?|cash)\b[^?.!]*\b(?:still|yet) to come\b`)
)

// IsPercentNamed reports whether a column's name or unit says percent.
func IsPercentNamed(c schema.Column) bool {
	isWord := func(w string) bool { return w == "percent" || w == "pct" || w == "percentage" }
	return c.Unit == "%" || slices.ContainsFunc(c.Words, isWord)
}

// EndsIn reports whether the last word of a column's name is one of a list.
func EndsIn(c schema.Column, list english.Set) bool {
	return len(c.Words) > 0 && list.Has(c.Words[len(c.Words)-1])
}

// AsksForMoney reports whether the text speaks of what was taken in.
func (g *Grounding) AsksForMoney() bool {
	return slices.ContainsFunc(lex.Lower(lex.Tokens(g.Text)), english.Takings.Has)
}

// IsAdditive reports whether values of a column may be added up: they are numbers
// that are neither names of rows nor years.
func IsAdditive(c schema.Column) bool {
	return AddsUp(c) && (!c.Key() || c.Type != quern.Integer || slices.ContainsFunc(c.Words, english.Money.Has))
}

// AddsUp reports whether a column is named like something that can be added up, though
// its values may tell rows apart.
func AddsUp(c schema.Column) bool {
	return c.Type.Numeric() && !IsNumbering(c) && !IsYear(c) && !IsSerial(c) && !slices.ContainsFunc(c.Words, english.Unsummed.Has)
}

// IsSerial reports whether a column is named like what says which in a row of such it is: round.
func IsSerial(c schema.Column) bool {
	n := len(c.Words)
	return n > 0 && english.Serial.Has(c.Words[n-1]) && c.Type == quern.Integer
}

// IsAmount reports whether a word is a number, so that what follows is an amount.
func IsAmount(word string) bool {
	_, isNumber := lex.Number(word)
	return isNumber
}

// PiecesOf returns the only column of a table that says of how many pieces each of its rows is.
func (g *Grounding) PiecesOf(table int) (id int, ok bool) { return g.OnlyIn(table, IsPieces) }

// IsPieces reports whether a column says how many of something were sold: quantity, kg sold, but
// no year, and not how many there should be.
func IsPieces(c schema.Column) bool {
	n := len(c.Words)
	if slices.ContainsFunc(c.Words, func(w string) bool { return slices.Contains(schema.StockBounds, w) }) {
		return false
	}
	isSold := n > 0 && c.Words[n-1] == "sold" && !IsYear(c) && !slices.ContainsFunc(c.Words, english.PeriodUnits.Has)
	return isSold || EndsIn(c, english.Quantities)
}

// OnlyIn returns the only column of numbers of a table that is such.
func (g *Grounding) OnlyIn(table int, such func(schema.Column) bool) (id int, ok bool) {
	t := g.View.Tables[table]
	found := -1
	for i := t.First; i < t.First+t.Len; i++ {
		c := g.View.Columns[i]
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
