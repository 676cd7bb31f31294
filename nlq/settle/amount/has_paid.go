package amount

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/grammar"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/tree"
)

// hasPaid says that somebody paid, or has paid.
var hasPaid = regexp.MustCompile(`(?i)\b(?:has|have|had)\b[^?.!]{0,30}?\bpaid\b|\bpaid us\b`)

// saysOwed says that something was not.
var saysOwed = regexp.MustCompile(`(?i)\b(?:ow(?:e[ds]?|ing)|outstanding|unpaid)\b`)

// HasPaid adds up only what was paid where the text asks what somebody has paid, and a column
// of yes and no beside the money says whether it was: who has paid the most is not
// who owes it. What is owed is what was not.
func (g Rules) HasPaid(q *tree.Query) {
	isDenied := slices.ContainsFunc(lex.Lower(lex.Tokens(g.Text)), english.Negations.Has)
	isOwed := saysOwed.MatchString(g.Text)
	if q.Select == nil || isDenied || !isOwed && !hasPaid.MatchString(g.Text) {
		return
	}
	if isOwed && !ground.HasWords(g.Text, "paid") {
		ground.ReplaceConds(q, func(c tree.Cond) tree.Cond { return g.unpaid(q.Select.From, c) })
	}
	var conds []tree.Cond
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		a, ok := e.(tree.Aggregate)
		money, isColumn := a.Arg.(tree.Column)
		id, known := g.View.ColumnOf(q.Select.From, money)
		if !ok || !isColumn || !known || a.Func != tree.Sum || !g.IsMoney(id) {
			return e
		}
		if c, one := g.isPaidBeside(q, money, g.View.Columns[id].Table, !isOwed); one && len(conds) == 0 {
			conds = append(conds, c)
		}
		return e
	})
	q.Select.Where = tree.All(append(tree.Conjuncts(q.Select.Where), conds...)...)
}

// unpaid returns a condition that something was paid as one that it was not.
func (g Rules) unpaid(from []tree.Source, c tree.Cond) tree.Cond {
	compare, k, of, ok := g.TestedTruth(from, c)
	if !ok || !slices.Equal(of.Words, []string{"paid"}) {
		return c
	}
	if yes, no, _ := of.Truth(); k.Text == yes {
		k.Text = no
		compare.Right = k
	}
	return compare
}

// isPaidBeside returns the condition that what a row is about was paid, or was not, where one column of yes and
// no of a table says so and a query does not test it.
func (g Rules) isPaidBeside(q *tree.Query, money tree.Column, table int, isPaid bool) (is tree.Cond, ok bool) {
	t := g.View.Tables[table]
	for _, c := range g.View.Columns[t.First : t.First+t.Len] {
		said, no, isTruth := c.Truth()
		if !isPaid {
			said = no
		}
		paid := tree.Column{Source: money.Source, Name: c.Name}
		if isTruth && slices.Equal(c.Words, []string{"paid"}) && !ground.UsesColumn(q, paid) {
			return tree.Compare{Op: tree.Equal, Left: paid, Right: tree.Literal{Kind: grammar.LiteralKind(c.Type), Text: said}}, true
		}
	}
	return nil, false
}
