package absence

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/ground"
	"quern/tree"
)

// hasNone is how one says that something has none of what is counted: never had a hurricane.
var hasNone = regexp.MustCompile(`(?i)\b(?:no|zero|without(?: any)?|(?:never|not|didn't|did not|haven't|hasn't) (?:have|has|had|get|got|see|saw|seen)(?: an?| any)?)\s+(?P<what>\w+)`)

// None holds rows to those whose number of something is 0 where the text says that
// they have none of it, a column of the same rows counts it and no row lacks the number:
// states without hurricanes are those with 0, not those that another dataset does not have.
func (g Rules) None(q *tree.Query) {
	m, ok := english.Groups(hasNone, g.Text)
	s := q.Select
	if !ok || s == nil || len(s.From) != 1 {
		return
	}
	what := strings.ToLower(m.Text("what"))
	if g.lacksLonger(s, what) {
		return
	}
	for _, id := range g.View.ColumnsOf(s.From[0]) {
		c := g.View.Columns[id]
		counts := ground.IsAdditive(c) && c.Min == "0" && c.Rows >= g.View.Tables[c.Table].Rows
		if !counts || len(c.Words) != 1 || english.Stem(c.Words[0]) != english.Stem(what) {
			continue
		}
		column := tree.Column{Source: s.From[0].Ref(), Name: c.Name}
		conds := slices.DeleteFunc(slices.Clone(tree.Conjuncts(s.Where)), func(k tree.Cond) bool { return isAbsence(k, column) })
		if len(conds) == len(tree.Conjuncts(s.Where)) && ground.Tests(s.Where, column) {
			return
		}
		zero := tree.Compare{Op: tree.Equal, Left: column, Right: tree.Literal{Kind: tree.Number, Text: "0"}}
		s.Where = tree.All(append(conds, zero)...)
		return
	}
}

// lacksLonger reports whether a select is held to rows without a value in a column whose name begins with
// a word and goes on: no paid on is not paid 0.
func (g Rules) lacksLonger(s *tree.Select, word string) bool {
	return slices.ContainsFunc(tree.Conjuncts(s.Where), func(c tree.Cond) bool {
		column, ok := ground.NullColumn(c)
		id, known := g.View.ColumnOf(s.From, column)
		return ok && known && len(g.View.Columns[id].Words) > 1 && english.Stem(g.View.Columns[id].Words[0]) == english.Stem(word)
	})
}

// isAbsence reports whether a condition says that something is not there: that a column
// has no value, or that another query does not have the row.
func isAbsence(c tree.Cond, column tree.Column) bool {
	switch c := c.(type) {
	case tree.IsNull:
		return c.Expr == tree.Expr(column)
	case tree.Not:
		in, isIn := c.Cond.(tree.In)
		_, exists := c.Cond.(tree.Exists)
		_, linked := c.Cond.(tree.Linked)
		return isIn && in.Query != nil || exists || linked
	}
	return false
}
