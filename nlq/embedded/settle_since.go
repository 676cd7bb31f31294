package embedded

import (
	"regexp"

	"quern/tree"
)

// notSince says that something has not happened for some time.
var notSince = regexp.MustCompile(`(?i)(?:\bnot|n't|\b(?:have|has|had)nt|\bnever) (?:[\w-]+ ){0,6}?(?:since|(?:in|for|within|during|over) the (?:last|past))\b`)

// settleSince turns a test of one time round where the text says that nothing has happened since
// and the reading lists what has: who has not been seen since May was seen before, or never. With
// another condition, that may be what is denied: not paid in the last month.
func (g *grounding) settleSince(q *tree.Query) {
	if q.Select == nil || len(q.Select.From) != 1 || !notSince.MatchString(g.text) || leavesOut(q) {
		return
	}
	column, from, ok := g.sinceOf(q, q.Select.Where)
	if !ok {
		return
	}
	var before tree.Cond = tree.Compare{Op: tree.Less, Left: column, Right: from}
	if id, ok := g.view.ColumnOf(q.Select.From, column); ok && g.view.HasNull(id) {
		before = tree.Or{Conds: []tree.Cond{before, tree.IsNull{Expr: column}}}
	}
	q.Select.Where = before
}

// longAgo says that something was longer ago than a number of whole weeks, months or years.
var longAgo = regexp.MustCompile(`(?i)\b(?:more|longer|over)(?: than)? (?:[\w-]+ ){1,3}(?:weeks?|months?|years?) ago\b`)

// settleAgo counts what has not been a whole unit longer: more than six months ago is all that is
// before that day, not only what is seven months past.
func (g *grounding) settleAgo(q *tree.Query) {
	if q.Select == nil || q.Select.Where == nil || !longAgo.MatchString(g.text) {
		return
	}
	q.Select.Where = tree.MapConds(q.Select.Where, func(c tree.Cond) tree.Cond {
		compare, ok := c.(tree.Compare)
		d, isDuration := compare.Left.(tree.Duration)
		isNone := compare.Right == tree.Expr(tree.Literal{Kind: tree.Number, Text: "0"}) // more than a year ago is no whole year and more
		if ok && isDuration && !isNone && compare.Op == tree.Greater && (d.Unit == tree.Weeks || d.Unit == tree.Months || d.Unit == tree.Years) {
			compare.Op = tree.GreaterEq
			return compare
		}
		return c
	})
}

// sinceOf returns the column of a condition that a time is not before another, and that time.
func (g *grounding) sinceOf(q *tree.Query, c tree.Cond) (column tree.Column, from tree.Expr, ok bool) {
	var of tree.Expr
	switch c := c.(type) {
	case tree.Period:
		of, from = c.Expr, c.From
	case tree.Compare:
		if c.Op != tree.GreaterEq && c.Op != tree.Greater {
			return column, nil, false
		}
		of, from = c.Left, c.Right
	}
	column, isColumn := of.(tree.Column)
	k, isTime := from.(tree.Literal)
	if !isColumn || !isTime || k.Kind != tree.Date && k.Kind != tree.Timestamp {
		return column, nil, false
	}
	_, known := g.view.ColumnOf(q.Select.From, column)
	return column, from, known
}

// leavesOut reports whether a query or one inside it leaves rows out.
func leavesOut(q *tree.Query) bool {
	found := false
	tree.EachQuery(q, func(q *tree.Query) { found = found || q.Set != nil })
	tree.EachCond(q, func(c tree.Cond) {
		switch c := c.(type) {
		case tree.Not, tree.IsNull:
			found = true
		case tree.Compare:
			found = found || c.Op == tree.NotEqual || c.Op == tree.Less || c.Op == tree.LessEq
		}
	})
	return found
}
