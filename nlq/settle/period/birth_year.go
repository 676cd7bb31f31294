package period

import (
	"regexp"
	"slices"
	"strconv"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

// BirthYear compares the years of which people are where the text says how old they are and the data have
// the year of their birth: over 60 is not born after the year 60. How old somebody is, is reckoned from it.
func (g Rules) BirthYear(q *tree.Query) {
	const oldest = 130
	if q.Select == nil {
		return
	}
	isAge := func(e tree.Expr) bool {
		k, isLiteral := e.(tree.Literal)
		n, err := strconv.ParseFloat(k.Text, 64)
		return isLiteral && err == nil && n < oldest
	}
	ground.ReplaceConds(q, func(c tree.Cond) tree.Cond {
		switch c := c.(type) {
		case tree.Compare:
			if column, ok := g.birthYear(q, c.Left); ok && isAge(c.Right) {
				c.Left = g.ageBy(column)
			}
			return c
		case tree.Between:
			if column, ok := g.birthYear(q, c.Expr); ok && isAge(c.High) {
				c.Expr = g.ageBy(column)
			}
			return c
		}
		return c
	})
	if asksAge.MatchString(g.Text) && !asksBirth.MatchString(g.Text) {
		g.showAges(q)
	}
}

// ageBy returns how old somebody gets this year.
func (g Rules) ageBy(column tree.Column) tree.Expr {
	year := tree.Literal{Kind: tree.Number, Text: strconv.Itoa(g.Asked.Question.Now.UTC().Year())}
	return tree.Arith{Op: '-', Left: year, Right: column}
}

// showAges shows how old people are in the place of the years in which they were born.
func (g Rules) showAges(q *tree.Query) {
	for i, item := range q.Select.Items {
		if column, ok := g.birthYear(q, item.Expr); ok {
			q.Select.Items[i] = tree.Item{Expr: g.ageBy(column)}
			continue
		}
		a, _ := item.Expr.(tree.Aggregate)
		column, ok := g.birthYear(q, a.Arg)
		if !ok {
			continue
		}
		a.Arg = g.ageBy(column)
		if m, ok := english.Groups(saysEnd, g.Text); ok && (a.Func == tree.Min || a.Func == tree.Max) {
			a.Func = map[bool]tree.Func{true: tree.Max, false: tree.Min}[m.Has("old")] // of ages, whichever it was of years
		}
		q.Select.Items[i] = tree.Item{Expr: a}
	}
}

// asksAge asks how old somebody is.
var asksAge = regexp.MustCompile(`(?i)\b(?:how old|ages?|aged|average old|years old|oldest|youngest)\b`)

// saysEnd asks for one end of the ages.
var saysEnd = regexp.MustCompile(`(?i)\b(?:(?P<old>oldest)|youngest)\b`)

// asksBirth asks when that was.
var asksBirth = regexp.MustCompile(`(?i)\b(?:years?\b[^?.]*\b(?:is|was|were)|born|birth|when)\b`)

// birthYear returns the column of the years in which people were born, if a value is that.
func (g Rules) birthYear(q *tree.Query, e tree.Expr) (column tree.Column, ok bool) {
	column, isColumn := e.(tree.Column)
	id, known := g.View.ColumnOf(q.Select.From, column)
	return column, isColumn && known && isBirthYear(g.View.Columns[id])
}

func isBirthYear(c schema.Column) bool {
	return ground.IsYear(c) && slices.ContainsFunc(c.Words, english.Births.Has)
}
