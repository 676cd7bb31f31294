package amount

import (
	"regexp"
	"slices"

	"quern/nlq/ground"
	"quern/tree"
)

// saysSingle finds what speaks of one row rather than of all that belong together.
var saysSingle = regexp.MustCompile(`(?i)\b(?:single|any one|one of|individual|each)\b`)

// Over compares what rows come to with a number of what they belong to, where a
// reading compares each of them: a project on which more was billed than its budget is one
// whose invoices together are more.
func (g Rules) Over(q *tree.Query) {
	tree.EachQuery(q, g.compareTogether)
}

// compareTogether does so in one of the queries of a reading.
func (g Rules) compareTogether(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.Group) > 0 || len(s.From) < 2 || len(q.Order) > 0 || q.Limit != nil || saysSingle.MatchString(g.Text) {
		return
	}
	conds := tree.Conjuncts(s.Where)
	at := slices.IndexFunc(conds, func(c tree.Cond) bool { _, _, ok := g.overParent(s, c); return ok })
	if at < 0 {
		return
	}
	over, parent, _ := g.overParent(s, conds[at])
	table := g.View.Columns[parent].Table
	key, ok := g.View.KeyOf(table)
	if !ok {
		return
	}
	limit := over.Right.(tree.Column)
	groups := []tree.Expr{tree.Column{Source: limit.Source, Name: g.View.Columns[key].Name}, limit}
	for _, item := range s.Items {
		c, isColumn := item.Expr.(tree.Column)
		id, known := g.View.ColumnOf(s.From, c)
		if !isColumn || !known || g.View.Columns[id].Table != table {
			return
		}
		if !slices.Contains(groups, item.Expr) {
			groups = append(groups, item.Expr)
		}
	}
	over.Left = tree.Aggregate{Func: tree.Sum, Arg: over.Left}
	s.Distinct, s.Group, s.Having = false, groups, over
	s.Where = tree.All(slices.Delete(slices.Clone(conds), at, at+1)...)
}

// overParent returns a condition that an amount of rows is above a number of what they
// belong to, and the column of the number.
func (g Rules) overParent(s *tree.Select, c tree.Cond) (over tree.Compare, parent int, ok bool) {
	over, ok = c.(tree.Compare)
	limit, isLimit := over.Right.(tree.Column)
	if !ok || !isLimit || over.Op != tree.Greater && over.Op != tree.GreaterEq {
		return over, 0, false
	}
	of, isAmount := g.amountOf(s, over.Left)
	parent, known := g.View.ColumnOf(s.From, limit)
	if !isAmount || !known || !g.View.Columns[parent].Type.Numeric() {
		return over, 0, false
	}
	return over, parent, g.RefersTo(of, g.View.Columns[parent].Table)
}

// amountOf returns the table of rows of which a value is an amount: a column that adds up, or a
// quantity times what one costs.
func (g Rules) amountOf(s *tree.Select, e tree.Expr) (table int, ok bool) {
	switch e := e.(type) {
	case tree.Column:
		id, known := g.View.ColumnOf(s.From, e)
		if !known || !ground.AddsUp(g.View.Columns[id]) {
			return 0, false
		}
		return g.View.Columns[id].Table, true
	case tree.Arith:
		left, isLeft := e.Left.(tree.Column)
		right, isRight := e.Right.(tree.Column)
		one, known := g.View.ColumnOf(s.From, left)
		other, also := g.View.ColumnOf(s.From, right)
		if e.Op != '*' || !isLeft || !isRight || !known || !also || g.View.Columns[one].Table != g.View.Columns[other].Table {
			return 0, false
		}
		return g.View.Columns[one].Table, g.isSale(one, other) || g.isSale(other, one)
	}
	return 0, false
}
