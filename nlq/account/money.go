package account

import (
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/feature"
	"quern/nlq/schema"
)

// isMoneyWord reports whether a word speaks of money that comes in or goes out, and the
// query adds a column of money up: what somebody earned is the sum of the fees. What is
// charged is a price.
func (t Text) isMoneyWord(u *uses, text string) bool {
	speaks := english.Earning.Has(text) && !strings.HasPrefix(text, "earner") || english.Takings.Has(text) || english.Losing.Has(text)
	if !english.Pricing.Has(text) && (!speaks || !u.has("sum", "avg")) {
		return false
	}
	for id := range u.columns {
		if isMoney(t.View.Columns[id]) {
			return true
		}
	}
	return false
}

// isMoney reports whether a column holds amounts of money.
func isMoney(c schema.Column) bool {
	return c.Type.Numeric() && (english.IsMoney(c.Unit) || slices.ContainsFunc(c.Words, english.Money.Has))
}

// isRate reports whether a word such as hourly stands before what is paid for so long: an
// hourly rate tells no rows apart.
func (t Text) isRate(token int) bool {
	if token+1 >= len(t.Features.Tokens) {
		return false
	}
	next := t.lower(token + 1)
	return english.Money.Has(next) || english.UnitPrices.Has(next) || english.Money.Has(english.Singular(next)) || english.UnitPrices.Has(english.Singular(next))
}

// isOwnPlace reports whether a word is where all that the data are of takes place, as the
// asker calls it, and nothing in the data: how many horses are on the yard.
func (t Text) isOwnPlace(token int) bool {
	isAsked := token > 0 && (t.lower(token-1) == "which" || t.lower(token-1) == "what")
	if !english.OwnPlaces.Has(t.lower(token)) || isAsked {
		return false
	}
	isOfData := func(relation uint8) bool { return relation > 0 && relation < feature.ColumnSimilar }
	isTable := func(relation uint8) bool { return relation > 0 && relation < feature.TableSimilar }
	return !slices.ContainsFunc(t.Features.Columns[token], isOfData) && !slices.ContainsFunc(t.Features.Tables[token], isTable)
}

// isPerStretch reports whether a word is the stretch of time for which something is paid,
// and the query divides by a column of such, or takes one that is named after it: what is
// earned per hour, of minutes; the hourly wage.
func (t Text) isPerStretch(u *uses, token int) bool {
	unit := t.lower(token)
	if token == 0 || !english.PeriodUnits.With(english.DurationUnits).Has(unit) || !beforePeriods[t.lower(token-1)] && t.lower(token-1) != "an" {
		return false
	}
	for id := range u.columns {
		c := t.View.Columns[id]
		if !c.Type.Numeric() {
			continue
		}
		if slices.ContainsFunc(c.Words, func(word string) bool {
			isStretch := english.PeriodUnits.With(english.DurationUnits).Has(english.Singular(word))
			return english.PeriodOf(word) == english.Singular(unit) || isStretch && u.has("quotient")
		}) {
			return true
		}
	}
	return false
}
