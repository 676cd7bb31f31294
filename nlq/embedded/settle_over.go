package embedded

import (
	"regexp"
	"slices"

	"quern/tree"
)

// saysSingle finds what speaks of one row rather than of all that belong together.
var saysSingle = regexp.MustCompile(`(?i)\b(?:single|any one|one of|individual|each)\b`)

// settleOver compares what rows come to with a number of what they belong to, where a
// reading compares each of them: a project on which more was billed than its budget is one
// whose invoices together are more.
func (g *grounding) settleOver(q *tree.Query) {
	tree.EachQuery(q, g.compareTogether)
}

// compareTogether does so in one of the queries of a reading.
func (g *grounding) compareTogether(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.Group) > 0 || len(s.From) < 2 || len(q.Order) > 0 || q.Limit != nil || saysSingle.MatchString(g.text) {
		return
	}
	conds := tree.Conjuncts(s.Where)
	at := slices.IndexFunc(conds, func(c tree.Cond) bool { _, _, ok := g.overParent(s, c); return ok })
	if at < 0 {
		return
	}
	over, parent, _ := g.overParent(s, conds[at])
	table := g.view.Columns[parent].Table
	key, ok := g.view.KeyOf(table)
	if !ok {
		return
	}
	limit := over.Right.(tree.Column)
	groups := []tree.Expr{tree.Column{Source: limit.Source, Name: g.view.Columns[key].Name}, limit}
	for _, item := range s.Items {
		c, isColumn := item.Expr.(tree.Column)
		id, known := g.view.ColumnOf(s.From, c)
		if !isColumn || !known || g.view.Columns[id].Table != table {
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
func (g *grounding) overParent(s *tree.Select, c tree.Cond) (over tree.Compare, parent int, ok bool) {
	over, ok = c.(tree.Compare)
	amount, isColumn := over.Left.(tree.Column)
	limit, isLimit := over.Right.(tree.Column)
	if !ok || !isColumn || !isLimit || over.Op != tree.Greater && over.Op != tree.GreaterEq {
		return over, 0, false
	}
	of, known := g.view.ColumnOf(s.From, amount)
	parent, knownParent := g.view.ColumnOf(s.From, limit)
	if !known || !knownParent || !addsUp(g.view.Columns[of]) || !g.view.Columns[parent].Type.Numeric() {
		return over, 0, false
	}
	return over, parent, g.refersTo(g.view.Columns[of].Table, g.view.Columns[parent].Table)
}
