package embedded

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/tree"
)

// hasNone is how one says that something has none of what is counted: never had a hurricane.
var hasNone = regexp.MustCompile(`(?i)\b(?:no|zero|without(?: any)?|(?:never|not|didn't|did not|haven't|hasn't) (?:have|has|had|get|got|see|saw|seen)(?: an?| any)?)\s+(?P<what>\w+)`)

// settleNone holds rows to those whose number of something is 0 where the text says that
// they have none of it, a column of the same rows counts it and no row lacks the number:
// states without hurricanes are those with 0, not those that another dataset does not have.
func (g *grounding) settleNone(q *tree.Query) {
	m, ok := english.Groups(hasNone, g.text)
	s := q.Select
	if !ok || s == nil || len(s.From) != 1 {
		return
	}
	what := strings.ToLower(m.Text("what"))
	for _, id := range g.view.ColumnsOf(s.From[0]) {
		c := g.view.Columns[id]
		counts := isAdditive(c) && c.Min == "0" && c.Rows >= g.view.Tables[c.Table].Rows
		if !counts || len(c.Words) != 1 || english.Stem(c.Words[0]) != english.Stem(what) {
			continue
		}
		column := tree.Column{Source: s.From[0].Ref(), Name: c.Name}
		conds := slices.DeleteFunc(slices.Clone(tree.Conjuncts(s.Where)), func(k tree.Cond) bool { return isAbsence(k, column) })
		if len(conds) == len(tree.Conjuncts(s.Where)) && tests(s.Where, column) {
			return
		}
		zero := tree.Compare{Op: tree.Equal, Left: column, Right: tree.Literal{Kind: tree.Number, Text: "0"}}
		s.Where = tree.All(append(conds, zero)...)
		return
	}
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

// asksDifference is how one asks for the largest or the smallest difference of two columns.
var asksDifference = regexp.MustCompile(`(?i)\b(?P<end>biggest|largest|greatest|highest|widest|max(?:imum)?|smallest|lowest|least|min(?:imum)?)\s+` +
	`(?:\w+\s+)?(?:difference|gap|spread|range)\b`)

// settleDifference takes the largest difference of two columns of one row where a reading
// takes the difference of their ends: between high and low on one day, not between the
// highest and the lowest of all days.
func (g *grounding) settleDifference(q *tree.Query) {
	m, ok := english.Groups(asksDifference, g.text)
	s := q.Select
	if !ok || s == nil || len(s.Items) != 1 || len(s.From) != 1 {
		return
	}
	minus, ok := s.Items[0].Expr.(tree.Arith)
	left, okLeft := endOf(minus.Left)
	right, okRight := endOf(minus.Right)
	if !ok || !okLeft || !okRight || minus.Op != '-' || left == right {
		return
	}
	end := tree.Max
	if english.Lowest.Has(strings.ToLower(m.Text("end"))) {
		end = tree.Min
	}
	s.Items[0] = tree.Item{Expr: tree.Aggregate{Func: end, Arg: tree.Arith{Op: '-', Left: left, Right: right}}}
}

// endOf returns the column of which a value is the largest or the smallest.
func endOf(e tree.Expr) (tree.Column, bool) {
	a, ok := e.(tree.Aggregate)
	c, isColumn := a.Arg.(tree.Column)
	return c, ok && isColumn && a.Where == nil && (a.Func == tree.Max || a.Func == tree.Min)
}

// asksDifferent is how one asks how many kinds of something there are.
var asksDifferent = regexp.MustCompile(`(?i)\b(?:how many|number of) (?:different|distinct|unique)\s+(?P<what>\w+)`)

// settleDifferent counts the one text by which the rows of a dataset are told apart where
// the text asks how many different ones there are and the reading counts rows, or values
// that no word names: different stocks are symbols, not prices.
func (g *grounding) settleDifferent(q *tree.Query) {
	m, ok := english.Groups(asksDifferent, g.text)
	s := q.Select
	if !ok || s == nil || len(s.From) != 1 || len(s.Items) != 1 {
		return
	}
	table, known := g.view.TableOf(s.From[0])
	a, isAggregate := s.Items[0].Expr.(tree.Aggregate)
	if !known || !isAggregate || a.Func != tree.Count || !isMany(strings.ToLower(m.Text("what")), g.view.Tables[table].Words) {
		return
	}
	if c, isColumn := a.Arg.(tree.Column); isColumn {
		if id, known := g.view.ColumnOf(s.From, c); !known || g.timesNamed(id) > 0 {
			return
		}
	}
	var texts []int
	for _, id := range g.view.ColumnsOf(s.From[0]) {
		if !g.view.Columns[id].Type.Numeric() && !g.view.Columns[id].Type.Temporal() {
			texts = append(texts, id)
		}
	}
	if len(texts) != 1 {
		return
	}
	a.Distinct, a.Arg = true, tree.Column{Source: s.From[0].Ref(), Name: g.view.Columns[texts[0]].Name}
	s.Items[0].Expr = a
}
