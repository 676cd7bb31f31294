package schema

import (
	"slices"

	"quern/english"
)

// StockBounds are words of the names of columns that say how many there should be.
var StockBounds = []string{"min", "minimum", "max", "maximum", "reorder", "target", "threshold"}

// CountsStock reports whether a column says how many there are now: stock, on hand, in stock, but not
// how many there should be or what they are worth.
func (c Column) CountsStock() bool {
	isOther := func(w string) bool {
		return slices.Contains(StockBounds, w) || english.Money.Has(w) || w == "value"
	}
	return c.Type.Numeric() && (slices.Contains(c.Words, "stock") || slices.Contains(c.Words, "hand")) && !slices.ContainsFunc(c.Words, isOther)
}
