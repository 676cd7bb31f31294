package period

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/schema"
	"quern/tree"
)

// asksYearly finds what asks for what something comes to in a year.
var asksYearly = regexp.MustCompile(`(?i)\b(?:a|per|over a|over the|each|every) (?:whole |full )?year\b|\byearly\b|\bannual(?:ly)?\b|\bp\.?a\b`)

// monthsAYear is a number of a query.
var monthsAYear = tree.Literal{Kind: tree.Number, Text: "12"}

// Yearly takes what is paid for a month twelve times where the text asks what it comes
// to in a year and no column says that.
func (g Rules) Yearly(q *tree.Query) {
	s := q.Select
	if s == nil || !asksYearly.MatchString(g.Text) || slices.ContainsFunc(g.View.Columns, isYearly) {
		return
	}
	for i, item := range s.Items {
		a, ok := item.Expr.(tree.Aggregate)
		c, isColumn := a.Arg.(tree.Column)
		id, known := g.View.ColumnOf(s.From, c)
		if ok && isColumn && known && (a.Func == tree.Sum || a.Func == tree.Avg) && isMonthly(g.View.Columns[id]) {
			items := slices.Clone(s.Items)
			items[i] = tree.Item{Expr: tree.Arith{Op: '*', Left: a, Right: monthsAYear}}
			s.Items = items
		}
	}
}

// isMonthly reports whether the numbers of a column are for a month each, by its name.
func isMonthly(c schema.Column) bool {
	isMonth := func(word string) bool {
		return english.PeriodOf(word) == "month" || word == "month" || word == "mth" || word == "pm"
	}
	return c.Type.Numeric() && slices.ContainsFunc(c.Words, isMonth)
}

// isYearly reports whether the numbers of a column are for a year each, by its name.
func isYearly(c schema.Column) bool {
	isYear := func(word string) bool {
		return english.PeriodOf(word) == "year" || word == "pa" || strings.HasPrefix(word, "annual")
	}
	return c.Type.Numeric() && slices.ContainsFunc(c.Words, isYear)
}
