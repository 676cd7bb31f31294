package plain

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/schema"
)

// withoutTax says of an amount that the tax is not in it.
var withoutTax = regexp.MustCompile(`(?i),?\s*\b(?:before|without|excluding|excl\.?|exclusive of|ex|leaving out|not counting|not including|net of|less|minus) (?:the |any )?(?:vat|tax|gst)\b`)

// ofAmounts speaks of amounts, not of rows that have no tax.
var ofAmounts = regexp.MustCompile(`(?i)\b(?:how much|total|sum|worth|value|amounts?|average|invoiced|invoice the|billed|earned|spent|charged|over|under|above|below|more than|less than|at least|at most|most|biggest|largest|turnover|revenue|income)\b`)

// inNet returns the words of a text by which an amount is without the tax as the name of the column
// that has it so, where the data have one such beside that of the tax: before VAT is net.
func (r Rules) inNet(text string) []english.Change {
	at := withoutTax.FindStringIndex(text)
	if at == nil || !ofAmounts.MatchString(text) {
		return nil
	}
	isNet := func(c schema.Column) bool {
		return c.Type.Numeric() && slices.Contains(c.Words, "net") && !slices.Contains(c.Words, "weight") && c.Unit != "kg" && c.Unit != "g"
	}
	isTax := func(c schema.Column) bool {
		return c.Type.Numeric() && slices.ContainsFunc(c.Words, func(w string) bool { return w == "vat" || w == "tax" || w == "gst" })
	}
	for _, t := range r.Whole.Tables {
		columns := r.Whole.Columns[t.First : t.First+t.Len]
		if slices.ContainsFunc(columns, isNet) && slices.ContainsFunc(columns, isTax) {
			return []english.Change{{Start: at[0], End: at[1], By: " net"}}
		}
	}
	return nil
}
