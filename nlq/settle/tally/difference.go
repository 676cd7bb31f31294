package tally

import (
	"regexp"
	"strings"

	"quern/english"
	"quern/tree"
)

// asksDifference is how one asks for the largest or the smallest difference of two columns.
var asksDifference = regexp.MustCompile(`(?i)\b(?P<end>biggest|largest|greatest|highest|widest|max(?:imum)?|smallest|lowest|least|min(?:imum)?)\s+` +
	`(?:\w+\s+)?(?:difference|gap|spread|range)\b`)

// endOf returns the column of which a value is the largest or the smallest.
func endOf(e tree.Expr) (tree.Column, bool) {
	a, ok := e.(tree.Aggregate)
	c, isColumn := a.Arg.(tree.Column)
	return c, ok && isColumn && a.Where == nil && (a.Func == tree.Max || a.Func == tree.Min)
}

// asksDifferent is how one asks how many kinds of something there are.
var asksDifferent = regexp.MustCompile(`(?i)\b(?:how many|number of) (?:different|distinct|unique)\s+(?P<what>\w+)`)

// Difference takes the largest difference of two columns of one row where a reading
// takes the difference of their ends: between high and low on one day, not between the
// highest and the lowest of all days.
func (g Rules) Difference(q *tree.Query) {
	m, ok := english.Groups(asksDifference, g.Text)
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

// Different counts the one text by which the rows of a dataset are told apart where
// the text asks how many different ones there are and the reading counts rows, or values
// that no word names: different stocks are symbols, not prices.
func (g Rules) Different(q *tree.Query) {
	m, ok := english.Groups(asksDifferent, g.Text)
	s := q.Select
	if !ok || s == nil || len(s.From) != 1 || len(s.Items) != 1 {
		return
	}
	table, known := g.View.TableOf(s.From[0])
	a, isAggregate := s.Items[0].Expr.(tree.Aggregate)
	if !known || !isAggregate || a.Func != tree.Count || !isMany(strings.ToLower(m.Text("what")), g.View.Tables[table].Words) {
		return
	}
	if c, isColumn := a.Arg.(tree.Column); isColumn {
		if id, known := g.View.ColumnOf(s.From, c); !known || g.TimesNamed(id) > 0 {
			return
		}
	}
	var texts []int
	for _, id := range g.View.ColumnsOf(s.From[0]) {
		if !g.View.Columns[id].Type.Numeric() && !g.View.Columns[id].Type.Temporal() {
			texts = append(texts, id)
		}
	}
	if len(texts) != 1 {
		return
	}
	a.Distinct, a.Arg = true, tree.Column{Source: s.From[0].Ref(), Name: g.View.Columns[texts[0]].Name}
	s.Items[0].Expr = a
}
