package amount

import (
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/tree"
)

// Measured orders by what a superlative of the text measures where a reading orders
// by something else that no word names: the deadliest year is the one with the most deaths,
// not the first or the last.
func (g Rules) Measured(q *tree.Query) {
	s := q.Select
	if s == nil || q.Limit == nil || len(q.Order) != 1 || s.Distinct {
		return
	}
	up, names, ok := g.superlative()
	if !ok {
		return
	}
	found := g.numbersNamed(s.From, names)
	by, isColumn := q.Order[0].Expr.(tree.Column)
	id, known := g.View.ColumnOf(s.From, by)
	isWrong := isColumn && known && (g.View.Columns[id].Type == quern.Text || ground.IsYear(g.View.Columns[id]))
	if len(found) != 1 || !isWrong && !ground.IsRowCount(q.Order[0].Expr) {
		return
	}
	q.Order[0].Desc, q.Order[0].Expr = up, found[0]
	if len(s.Group) == 0 {
		return
	}
	id, _ = g.View.ColumnOf(s.From, found[0])
	of := tree.Aggregate{Func: tree.Avg, Arg: found[0]}
	if ground.IsAdditive(g.View.Columns[id]) {
		of.Func = tree.Sum
	}
	for i := range s.Items {
		if ground.IsRowCount(s.Items[i].Expr) {
			s.Items[i].Expr = of
		}
	}
	q.Order[0].Expr = of
}

// numbersNamed returns the columns of numbers among some sources that have one of some names.
func (g Rules) numbersNamed(from []tree.Source, names []string) (found []tree.Column) {
	isNamed := func(word string) bool {
		return slices.Contains(names, english.Singular(word)) || slices.Contains(names, word)
	}
	for _, source := range from {
		for _, id := range g.View.ColumnsOf(source) {
			c := g.View.Columns[id]
			if c.Type.Numeric() && !ground.IsNumbering(c) && slices.ContainsFunc(c.Words, isNamed) {
				found = append(found, tree.Column{Source: source.Ref(), Name: c.Name})
			}
		}
	}
	return found
}

// superlative returns which end of an order the text asks for by a superlative that
// measures something, and the names of columns that hold it.
func (g Rules) superlative() (up bool, names []string, ok bool) {
	for _, word := range lex.Lower(lex.Tokens(g.Text)) {
		if up, names, ok = english.End(strings.TrimSpace(word)); ok && len(names) > 0 {
			return up, names, true
		}
	}
	return false, nil, false
}
