package amount

import (
	"reflect"
	"regexp"
	"slices"

	"quern"
	"quern/nlq/ground"
	"quern/tree"
)

// asksOwed is how one asks for what is not paid yet.
var asksOwed = regexp.MustCompile(`(?i)\b(?:ow(?:e[ds]?|ing)|outstanding|unpaid|unsettled|arrears|underpaid|debts?|balances?|remain(?:s|ing)?|left|` +
	`(?:still|yet|left) to (?:be )?(?:pay|paid|come|receive[d]?|collect(?:ed)?)|still due|(?:not|n't)(?: been)? (?:fully |completely |yet )?(?:paid|pay)|not paid|(?:something|anything|money) to (?:pay|come))\b`)

// Owed takes what nobody filled in for nothing where the text asks for what is owed: an
// invoice of which nothing was paid is owed as a whole, and not one of which nothing is known.
func (g Rules) Owed(q *tree.Query) {
	if !asksOwed.MatchString(g.Text) {
		return
	}
	ground.ReplaceValues(q, func(from []tree.Source, e tree.Expr) tree.Expr {
		rest, ok := e.(tree.Arith)
		if ok && rest.Op == '-' && g.mayBePaid(from, rest.Left, rest.Right) {
			rest.Right = OrNothing(rest.Right)
			return rest
		}
		return e
	})
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select != nil && q.Select.Where != nil {
			ground.ReplaceConds(q, func(c tree.Cond) tree.Cond { return g.comparePaid(q.Select.From, c) })
		}
	})
}

// whoOwes asks for those who owe something.
var whoOwes = regexp.MustCompile(`(?i)^\W*(?:and |so )*(?:who|which)\b[^?.]*?\b(?:ow(?:e|es|ing)|(?:has|have) (?:something|anything|money) (?:left )?to pay|(?:is|are) (?:still )?in arrears)\b`)

// Owing holds what a query shows as owed to what is more than nothing, where the text asks for those
// who owe it: who has paid owes nothing.
func (g Rules) Owing(q *tree.Query) {
	s := q.Select
	if s == nil || s.Having != nil || !whoOwes.MatchString(g.Text) || len(s.Items) < 2 {
		return
	}
	for _, i := range s.Items {
		rest, isSum := i.Expr, false
		if a, ok := i.Expr.(tree.Aggregate); ok && a.Func == tree.Sum {
			rest, isSum = a.Arg, true
		}
		diff, ok := rest.(tree.Arith)
		if a, isAggregate := diff.Left.(tree.Aggregate); isAggregate && a.Func == tree.Sum {
			isSum = true
		}
		if !ok || diff.Op != '-' || isSum != (len(s.Group) > 0) || comparesBoth(s.Where, diff) {
			continue
		}
		owes := tree.Compare{Op: tree.Greater, Left: i.Expr, Right: tree.Literal{Kind: tree.Number, Text: "0"}}
		if isSum {
			s.Having = owes
			return
		}
		s.Where = tree.All(append(tree.Conjuncts(s.Where), owes)...)
		return
	}
}

// comparesBoth reports whether a condition compares what a difference is of.
func comparesBoth(where tree.Cond, diff tree.Arith) bool {
	return slices.ContainsFunc(tree.Conjuncts(where), func(c tree.Cond) bool {
		compare, ok := c.(tree.Compare)
		return ok && (reflect.DeepEqual(compare.Left, diff.Left) && reflect.DeepEqual(compare.Right, diff.Right) ||
			reflect.DeepEqual(compare.Left, diff.Right) && reflect.DeepEqual(compare.Right, diff.Left))
	})
}

// comparePaid returns a condition that less was paid than is asked for, also where nothing was.
func (g Rules) comparePaid(from []tree.Source, c tree.Cond) tree.Cond {
	compare, ok := c.(tree.Compare)
	isLess := compare.Op == tree.Less || compare.Op == tree.NotEqual
	isMore := compare.Op == tree.Greater || compare.Op == tree.NotEqual
	switch {
	case ok && isLess && g.mayBePaid(from, compare.Right, compare.Left):
		compare.Left = OrNothing(compare.Left)
	case ok && isMore && g.mayBePaid(from, compare.Left, compare.Right):
		compare.Right = OrNothing(compare.Right)
	default:
		return c
	}
	return compare
}

// mayBePaid reports whether one value, or the sum of it, is a part of another that some rows lack,
// where all of them have the other.
func (g Rules) mayBePaid(from []tree.Source, whole, part tree.Expr) bool {
	a, isSum := whole.(tree.Aggregate)
	b, areSums := part.(tree.Aggregate)
	if isSum && areSums && a.Func == tree.Sum && b.Func == tree.Sum && a.Where == nil && b.Where == nil {
		whole, part = a.Arg, b.Arg
	}
	all, isColumn := whole.(tree.Column)
	some, isOther := part.(tree.Column)
	if !isColumn || !isOther {
		return false
	}
	id, known := g.View.ColumnOf(from, all)
	other, knownOther := g.View.ColumnOf(from, some)
	if !known || !knownOther || id == other {
		return false
	}
	c, p := g.View.Columns[id], g.View.Columns[other]
	rows := g.View.Tables[c.Table].Rows
	isAmount := c.Type.Numeric() && p.Type.Numeric() && c.Type != quern.Boolean
	return isAmount && c.Table == p.Table && c.Rows >= rows && p.Rows < rows
}

// OrNothing returns a value, or 0 where there is none.
func OrNothing(e tree.Expr) tree.Expr {
	return tree.Call{Func: tree.Coalesce, Args: []tree.Expr{e, tree.Literal{Kind: tree.Number, Text: "0"}}}
}
