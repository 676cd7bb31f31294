package embedded

import (
	"regexp"
	"slices"
	"strconv"

	"quern/english"
	"quern/nlq/schema"
)

// shortYear finds two digits that stand for a year: behind an apostrophe, or behind "in", with
// or without a month, where nothing follows that they could count.
var shortYear = regexp.MustCompile(`(?i)(?:\b(?:in|since|during|until|till|throughout)\s+(?:(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?\s+)?'?|(?:^|\s)')` +
	`(?P<year>\d\d)(?:\s*(?:$|[?.!,;)])|\s+(?:and|or|vs|versus|compared|but|by|per|for|with|which|who|how|what|until|till)\b)`)

// shortYears returns the years of a text that were written with two digits, in full, where
// the data have times of such a year: sales in 25.
func (r *reader) shortYears(text string) []english.Change {
	var all []english.Change
	year := shortYear.SubexpIndex("year")
	for _, at := range shortYear.FindAllStringSubmatchIndex(text, -1) {
		start, end := at[2*year], at[2*year+1]
		full := "20" + text[start:end]
		if !r.hasYear(full) {
			continue
		}
		if start > 0 && text[start-1] == '\'' {
			start--
		}
		all = append(all, english.Change{Start: start, End: end, By: full})
	}
	return all
}

// hasYear reports whether a year is one of those that a column of times spans.
func (r *reader) hasYear(year string) bool {
	n, err := strconv.Atoi(year)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(r.Whole.Columns, func(c schema.Column) bool {
		const digits = 4
		if !c.Type.Temporal() || len(c.Min) < digits || len(c.Max) < digits {
			return false
		}
		first, errFirst := strconv.Atoi(c.Min[:digits])
		last, errLast := strconv.Atoi(c.Max[:digits])
		return errFirst == nil && errLast == nil && first <= n && n <= last
	})
}
