package embedded

import (
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/lex"
	"quern/tree"
)

// settleMeasured orders by what a superlative of the text measures where a reading orders
// by something else that no word names: the deadliest year is the one with the most deaths,
// not the first or the last.
func (g *grounding) settleMeasured(q *tree.Query) {
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
	id, known := g.view.ColumnOf(s.From, by)
	isWrong := isColumn && known && (g.view.Columns[id].Type == quern.Text || isYear(g.view.Columns[id]))
	if len(found) != 1 || !isWrong && !isRowCount(q.Order[0].Expr) {
		return
	}
	q.Order[0].Desc, q.Order[0].Expr = up, found[0]
	if len(s.Group) == 0 {
		return
	}
	id, _ = g.view.ColumnOf(s.From, found[0])
	of := tree.Aggregate{Func: tree.Avg, Arg: found[0]}
	if isAdditive(g.view.Columns[id]) {
		of.Func = tree.Sum
	}
	for i := range s.Items {
		if isRowCount(s.Items[i].Expr) {
			s.Items[i].Expr = of
		}
	}
	q.Order[0].Expr = of
}

// numbersNamed returns the columns of numbers among some sources that have one of some names.
func (g *grounding) numbersNamed(from []tree.Source, names []string) (found []tree.Column) {
	isNamed := func(word string) bool {
		return slices.Contains(names, english.Singular(word)) || slices.Contains(names, word)
	}
	for _, source := range from {
		for _, id := range g.view.ColumnsOf(source) {
			c := g.view.Columns[id]
			if c.Type.Numeric() && !isNumbering(c) && slices.ContainsFunc(c.Words, isNamed) {
				found = append(found, tree.Column{Source: source.Ref(), Name: c.Name})
			}
		}
	}
	return found
}

// superlative returns which end of an order the text asks for by a superlative that
// measures something, and the names of columns that hold it.
func (g *grounding) superlative() (up bool, names []string, ok bool) {
	for _, word := range lex.Lower(lex.Tokens(g.text)) {
		if up, names, ok = english.End(strings.TrimSpace(word)); ok && len(names) > 0 {
			return up, names, true
		}
	}
	return false, nil, false
}
