package amount

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

var (
	// stillOwes asks how much of what something costs is not paid yet.
	stillOwes = regexp.MustCompile(`(?i)\b(?:ow(?:e|es|ed|ing)|outstanding|(?:left|still|yet) to (?:be )?(?:pay|paid|come in|collect(?:ed)?)|balance)\b`)
	// notInFull says that not all was paid, rather than nothing.
	notInFull = regexp.MustCompile(`(?i)\b(?:in full|fully|completely|something (?:left )?to (?:pay|come)|money (?:left )?to (?:pay|come)|balance|still owes?|still owed|outstanding)\b`)
)

// allPaid is what the payments are called that are added up.
const allPaid = "paid"

// Outstanding takes from what something costs all that was paid for it, where the text asks what
// is owed and the reading takes away one payment at a time, or adds the payments up: what is outstanding
// on a booking is its price less all of its payments, and the price where there are none.
func (g Rules) Outstanding(q *tree.Query) {
	s := q.Select
	if s == nil || !asksOwed.MatchString(g.Text) {
		return
	}
	for at, payments := range s.From {
		link, ok := g.paidFor(s.From, at)
		if !ok || !g.arePayments(payments) || !g.takeAll(q, payments, link) {
			continue
		}
		left := slices.Delete(slices.Clone(s.From), at, at+1)
		if at == 0 {
			left[0].On = nil // nothing else is joined to the payments
		}
		ofThese := func(c tree.Cond) bool { return usesSource(c, payments.Ref()) }
		s.From, s.Where = left, tree.All(slices.DeleteFunc(slices.Clone(tree.Conjuncts(s.Where)), ofThese)...)
		return
	}
}

// InFull takes what was not paid in full for what less was paid for than it costs, where the
// reading takes it for what nothing was paid for.
func (g Rules) InFull(q *tree.Query) {
	if q.Select != nil && asksOwed.MatchString(g.Asked.Question.Text) && notInFull.MatchString(g.Asked.Question.Text) {
		ground.ReplaceConds(q, func(c tree.Cond) tree.Cond { return g.notAllPaid(q.Select.From, c) })
	}
}

// paidFor returns the one pair of columns by which rows of a source belong to those of another that a
// query reads, whose key the second is, where nothing else is joined to the first.
func (g Rules) paidFor(from []tree.Source, at int) (link tree.Pair, ok bool) {
	ref := from[at].Ref()
	n := 0
	for _, source := range from {
		for _, on := range source.On {
			switch ref {
			case on.Left.Source:
				link, n = on, n+1
			case on.Right.Source:
				link, n = tree.Pair{Left: on.Right, Right: on.Left}, n+1
			}
		}
	}
	id, known := g.View.ColumnOf(from, link.Right)
	return link, n == 1 && known && g.View.Columns[id].Key()
}

// arePayments reports whether the rows of a source are what was paid: its name says so, or each has a
// time at which it was paid. Invoices are none.
func (g Rules) arePayments(source tree.Source) bool {
	table, known := g.View.TableOf(source)
	if !known {
		return false
	}
	names := []string{"payment", "receipt", "instalment", "installment", "deposit"}
	if slices.ContainsFunc(g.View.Tables[table].Words, func(w string) bool { return slices.Contains(names, english.Singular(w)) }) {
		return true
	}
	return slices.ContainsFunc(g.Asked.Whole.TimesOf(source), func(t schema.TimeColumn) bool {
		isPaid := slices.Contains(t.Of.Words, "paid") || slices.Contains(t.Of.Words, "received")
		return isPaid && t.Of.Rows >= g.View.Tables[table].Rows
	})
}

// takeAll makes what a query takes away of payments, or adds up of them, all that was paid for each row,
// taken from what that costs, and reports whether there was such.
func (g Rules) takeAll(q *tree.Query, payments tree.Source, link tree.Pair) (changed bool) {
	from := q.Select.From
	amountIn := func(e tree.Expr) (amount tree.Column, ok bool) {
		amount, isColumn := e.(tree.Column)
		id, known := g.View.ColumnOf(from, amount)
		return amount, isColumn && known && amount.Source == payments.Ref() && g.IsMoney(id)
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		switch e := e.(type) {
		case tree.Arith:
			price, isColumn := e.Left.(tree.Column)
			if amount, ok := amountIn(e.Right); ok && isColumn && e.Op == '-' && price.Source == link.Right.Source {
				e.Right, changed = sumOfPaid(payments, link, amount), true
			}
			return e
		case tree.Aggregate:
			price, hasPrice := g.priceOf(from, link)
			if amount, ok := amountIn(e.Arg); ok && hasPrice && e.Func == tree.Sum && e.Where == nil && (stillOwes.MatchString(g.Text) || ground.MoneyToCome.MatchString(g.Text)) {
				e.Arg, changed = tree.Arith{Op: '-', Left: price, Right: sumOfPaid(payments, link, amount)}, true
			}
			return e
		}
		return e
	})
	return changed
}

// priceOf returns what the rows that payments are for cost.
func (g Rules) priceOf(from []tree.Source, link tree.Pair) (price tree.Column, ok bool) {
	id, known := g.View.ColumnOf(from, link.Right)
	if !known {
		return price, false
	}
	money, ok := g.onlyMoney(g.View.Columns[id].Table)
	if !ok {
		return price, false
	}
	return tree.Column{Source: link.Right.Source, Name: g.View.Columns[money].Name}, true
}

// sumOfPaid returns all that was paid for a row.
func sumOfPaid(payments tree.Source, link tree.Pair, amount tree.Column) tree.Expr {
	return OrNothing(tree.Subquery{Query: &tree.Query{Select: &tree.Select{
		Items: []tree.Item{{Expr: tree.Aggregate{Func: tree.Sum, Arg: tree.Column{Source: allPaid, Name: amount.Name}}}},
		From:  []tree.Source{{Dataset: payments.Dataset, Alias: allPaid}},
		Where: tree.Compare{Op: tree.Equal, Left: tree.Column{Source: allPaid, Name: link.Left.Name}, Right: link.Right},
	}}})
}

// notAllPaid returns a condition that there are no payments for a row as one that all of them are less
// than what it costs.
func (g Rules) notAllPaid(from []tree.Source, c tree.Cond) tree.Cond {
	not, isNot := c.(tree.Not)
	in, isIn := not.Cond.(tree.In)
	key, isColumn := in.Expr.(tree.Column)
	if !isNot || !isIn || !isColumn || in.Query == nil || in.Query.Select == nil || len(in.Query.Select.From) != 1 || len(in.Query.Select.Items) != 1 {
		return c
	}
	inner := in.Query.Select
	own, isOwn := inner.Items[0].Expr.(tree.Column)
	amount, isMoney := g.moneyOf(inner.From[0])
	link := tree.Pair{Left: own, Right: key}
	price, hasPrice := g.priceOf(from, link)
	if !isOwn || !isMoney || !hasPrice || !g.arePayments(inner.From[0]) {
		return c
	}
	return tree.Compare{Op: tree.Greater, Left: price, Right: sumOfPaid(inner.From[0], link, amount)}
}

// usesSource reports whether a condition has to do with a source.
func usesSource(c tree.Cond, ref string) (uses bool) {
	tree.EachColumn(&tree.Query{Select: &tree.Select{Where: c}}, func(column tree.Column) { uses = uses || column.Source == ref })
	return uses
}
