package tally

import (
	"regexp"
	"slices"

	"quern"
	"quern/tree"
)

var (
	// onlyOnce finds what was so one time and no more: who came only once.
	onlyOnce = regexp.MustCompile(`(?i)\b(?:only|just|exactly)\s+(?:[\w'-]+\s+){0,3}?once\b|\bonce\s+only\b`)
	// onlyOne finds what there is one of and no more: with exactly one order.
	onlyOne = regexp.MustCompile(`(?i)\b(?:with|have|has|had|placed|made)\s+(?:only|just|exactly)\s+(?:one|1)\s+[a-z]{3,}\b`)
	// otherOnce finds once that says something else: once a week, just once more, not only once.
	otherOnce = regexp.MustCompile(`(?i)\b(?:each|naming)\b[^?.!]*\bonce\b|,\s*(?:only|just|exactly) once\W*$|\bonce (?:an?|per|every|each|in|the|they|he|she|it|we|you|i|more|again)\b|\bat once\b|\b(?:not|(?:is|are|was|were|has|have|had|do|does|did)n['’]?t) (?:only|just|exactly)\b|\b(?:more|less|fewer) than once\b|\bat (?:least|most) once\b`)
)

// Once holds what a reading groups or looks up in other rows to what has one row there, where
// the text asks for what was so only once: not to what has several, nor to what has none.
func (g Rules) Once(q *tree.Query) {
	isOnce := onlyOnce.MatchString(g.Text) && !otherOnce.MatchString(g.Text)
	isOne := isOnce || onlyOne.MatchString(g.Text)
	if isOne && q.Select != nil && onlyHaving(q.Select) || !isOnce {
		return
	}
	if q.Set != nil {
		onceInSet(q)
		return
	}
	s := q.Select
	held := tree.Conjuncts(s.Where)
	for i, c := range held {
		in, ok := inOthers(c)
		if !ok {
			continue
		}
		inner := tree.Clone(in.Query)
		inner.Select.Group, inner.Select.Having = []tree.Expr{inner.Select.Items[0].Expr}, oneRow()
		held = slices.Clone(held)
		held[i] = tree.In{Expr: in.Expr, Query: inner}
		s.Where = tree.All(held...)
		return
	}
	if column, ok := g.onlyKind(s); ok {
		s.Distinct, s.Group, s.Having = false, []tree.Expr{column}, oneRow()
	}
}

// oneRow returns the condition that a group has one row.
func oneRow() tree.Cond {
	return tree.Compare{Op: tree.Equal, Left: tree.Aggregate{Func: tree.Count, Arg: tree.Star{}}, Right: tree.Literal{Kind: tree.Number, Text: "1"}}
}

// onlyHaving makes of groups with more than one row, or with none, those with one, and reports
// whether a query holds its groups to a number of rows at all.
func onlyHaving(s *tree.Select) bool {
	having, ok := s.Having.(tree.Compare)
	a, isAggregate := having.Left.(tree.Aggregate)
	k, isLiteral := having.Right.(tree.Literal)
	if !ok || !isAggregate || !isLiteral || a.Func != tree.Count {
		return false
	}
	if k.Text == "1" || k.Text == "0" {
		k.Text = "1"
		having.Op, having.Right = tree.Equal, k
		s.Having = having
	}
	return true
}

// inOthers returns a condition that something is among the rows of one other dataset, or that it is
// not, as that it is.
func inOthers(c tree.Cond) (in tree.In, ok bool) {
	if not, isNot := c.(tree.Not); isNot {
		c = not.Cond
	}
	in, ok = c.(tree.In)
	if !ok || in.Query == nil || in.Query.Select == nil {
		return in, false
	}
	s := in.Query.Select
	_, isColumn := s.Items[0].Expr.(tree.Column)
	isGrouped := len(s.Group) == 1 && s.Group[0] == s.Items[0].Expr && boundsCount(s.Having)
	return in, isColumn && len(s.Items) == 1 && (len(s.Group) == 0 || isGrouped) && in.Query.Limit == nil
}

// boundsCount reports whether a condition is of the number of rows of each group.
func boundsCount(c tree.Cond) bool {
	compare, ok := c.(tree.Compare)
	a, isAggregate := compare.Left.(tree.Aggregate)
	_, isStar := a.Arg.(tree.Star)
	return ok && isAggregate && isStar && a.Func == tree.Count
}

// onceInSet makes of what is among some rows and not among others, which are the same, what has one
// row.
func onceInSet(q *tree.Query) {
	left, right := q.Set.Left.Select, q.Set.Right.Select
	if q.Set.Op != tree.Except || left == nil || right == nil || len(left.From) != 1 || len(right.From) != 1 || len(left.Items) != 1 || len(right.Items) != 1 {
		return
	}
	one, isColumn := left.Items[0].Expr.(tree.Column)
	if !isColumn || right.Items[0].Expr != tree.Expr(one) || left.From[0].Dataset != right.From[0].Dataset || right.Where != nil || len(left.Group) > 0 {
		return
	}
	left.Distinct, left.Group, left.Having = false, []tree.Expr{one}, oneRow()
	q.Select, q.Set = left, nil
}

// onlyKind returns the one column that a query lists of one dataset with nothing else said of it,
// where the text names it and it is of kinds of rows: payees.
func (g Rules) onlyKind(s *tree.Select) (column tree.Column, ok bool) {
	if len(s.Items) != 1 || len(s.From) != 1 || len(s.Group) > 0 || s.Having != nil {
		return column, false
	}
	column, ok = s.Items[0].Expr.(tree.Column)
	id, known := g.View.ColumnOf(s.From, column)
	return column, ok && known && g.View.Columns[id].Type == quern.Text && !g.View.Columns[id].Key() && g.TimesNamed(id) > 0
}

// CountOnce makes a count of rows one of the different values of a column.
func CountOnce(s *tree.Select, column tree.Column) {
	if len(s.Items) != 1 || len(s.Group) > 0 {
		return
	}
	a, ok := s.Items[0].Expr.(tree.Aggregate)
	if _, rows := a.Arg.(tree.Star); ok && rows && a.Func == tree.Count {
		a.Distinct, a.Arg = true, column
		s.Items[0].Expr = a
	}
}
