package amount

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// Sum makes the order of a reading one by sums where the text asks who has the
// most of something and the reading takes the largest single row: who spent the most
// is the customer whose orders come to most, not the one with the largest order.
func (g Rules) Sum(q *tree.Query) {
	s := q.Select
	if s == nil || q.Limit == nil || len(q.Order) != 1 || len(s.Group) > 0 || s.Distinct {
		return
	}
	measure, ok := q.Order[0].Expr.(tree.Column)
	if !ok {
		return
	}
	of, ok := g.View.ColumnOf(s.From, measure)
	if !ok || !ground.IsAdditive(g.View.Columns[of]) || !g.asksForMost(g.View.Columns[of]) {
		return
	}
	items := g.NameWhole(s)
	wanted := slices.DeleteFunc(slices.Clone(items), func(i tree.Item) bool { return i.Expr == measure })
	by, ok := g.parentOf(s.From, wanted, of)
	if !ok {
		return
	}
	sum := tree.Aggregate{Func: tree.Sum, Arg: measure}
	for i, item := range items {
		switch item.Expr {
		case measure:
			items[i].Expr = sum
		case by:
		default:
			items[i].Expr = tree.Aggregate{Func: tree.Any, Arg: item.Expr}
		}
	}
	s.Items, s.Group, q.Order[0].Expr = items, []tree.Expr{by}, sum
}

// EarnsMost finds who has the most of money, though no noun says so.
var EarnsMost = regexp.MustCompile(`(?i)\b` + english.Earning.Pattern() + `(?: \w+){0,3} (?:most|least)\b`)

// Earned makes the order of a reading one by sums of money where the text asks who
// earned, spent or paid the most and the reading takes the one with the most rows.
func (g Rules) Earned(q *tree.Query) {
	s := q.Select
	if s == nil || q.Limit == nil || len(q.Order) != 1 || len(s.Group) == 0 || !ground.IsRowCount(q.Order[0].Expr) || !EarnsMost.MatchString(g.Text) {
		return
	}
	var money []tree.Expr
	for _, source := range s.From {
		for _, i := range g.View.ColumnsOf(source) {
			if c := g.View.Columns[i]; ground.IsAdditive(c) && slices.ContainsFunc(c.Words, english.Money.Has) {
				money = append(money, tree.Column{Source: source.Ref(), Name: c.Name})
			}
		}
	}
	if len(money) != 1 {
		return
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		if ground.IsRowCount(e) {
			return tree.Aggregate{Func: tree.Sum, Arg: money[0]}
		}
		return e
	})
}

// Spent adds up money where the text asks what was spent and the reading adds up
// litres or kilograms of the same rows that no word names: what fuel cost is not how much of it
// there was.
func (g Rules) Spent(q *tree.Query) {
	if q.Select == nil || !asksSpending.MatchString(g.Text) {
		return
	}
	from := q.Select.From
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		a, ok := e.(tree.Aggregate)
		column, isColumn := a.Arg.(tree.Column)
		id, known := g.View.ColumnOf(from, column)
		if !ok || !isColumn || !known || a.Func != tree.Sum || !isMeasured(g.View.Columns[id]) || g.TimesNamed(id) > 0 {
			return e
		}
		money, ok := g.onlyMoney(g.View.Columns[id].Table)
		if !ok || money == id {
			return e
		}
		a.Arg = tree.Column{Source: column.Source, Name: g.View.Columns[money].Name}
		return a
	})
}

// sharesRows asks of how many of some rows something is so: for what percentage of my expenses do I
// have no receipt?
var sharesRows = regexp.MustCompile(`(?i)^\W*for (?:what|which|how (?:large|big|great|high) an?) (?:percent\w*|share|proportion|fraction|part)\b`)

// SpentShare takes the share of money where the text asks for one of what was spent or taken
// in, and the reading takes that of the rows.
func (g Rules) SpentShare(q *tree.Query) {
	if q.Select == nil || !asksSpending.MatchString(g.Text) && !g.AsksForMoney() || len(q.Select.From) != 1 || sharesRows.MatchString(g.Text) {
		return
	}
	money, ok := g.moneyOf(q.Select.From[0])
	if !ok {
		return
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		share, ok := e.(tree.Share)
		if ok && (share.Of == nil || ground.IsRowCount(share.Of)) {
			share.Of = tree.Aggregate{Func: tree.Sum, Arg: money}
			return share
		}
		return e
	})
}

// isMeasured reports whether a column holds amounts in a unit that is no money: litres.
func isMeasured(c schema.Column) bool {
	isUnit := slices.ContainsFunc(c.Words, english.UnitNouns.Has) || c.Unit != ""
	return isUnit && !english.IsMoney(c.Unit) && !slices.ContainsFunc(c.Words, english.Money.Has)
}

// asksSpending finds what asks for money that went out.
var asksSpending = regexp.MustCompile(`(?i)\bspend(?:ing|s)?\b|\bhow much (?:money )?(?:went|goes|has gone) (?:on|into)\b|\bspent\b|\bexpenditure\b|\bexpenses?\b`)

// moneyOf returns the one column of a source that holds money.
func (g Rules) moneyOf(source tree.Source) (money tree.Column, ok bool) {
	table, known := g.View.TableOf(source)
	if !known {
		return money, false
	}
	id, ok := g.onlyMoney(table)
	if !ok {
		return money, false
	}
	return tree.Column{Source: source.Ref(), Name: g.View.Columns[id].Name}, true
}

// onlyMoney returns the one column of a table that holds money.
func (g Rules) onlyMoney(table int) (column int, ok bool) {
	for i, c := range g.View.Columns {
		isMoney := g.IsMoney(i) || slices.ContainsFunc(c.Words, english.Earning.Has)
		if c.Table != table || !ground.IsAdditive(c) || !isMoney {
			continue
		}
		if ok {
			return 0, false
		}
		column, ok = i, true
	}
	return column, ok
}

// parentOf returns what tells the wanted things apart, where several of the rows that
// hold a measure belong to each: the key of their own table, or the one wanted column
// beside the measure. ok is false where each has but one.
func (g Rules) parentOf(from []tree.Source, wanted []tree.Item, measure int) (by tree.Expr, ok bool) {
	table := -1
	var column int
	for _, item := range wanted {
		c, isColumn := item.Expr.(tree.Column)
		at, known := g.View.ColumnOf(from, c)
		if !isColumn || !known || table >= 0 && g.View.Columns[at].Table != table {
			return nil, false
		}
		column, table = at, g.View.Columns[at].Table
	}
	switch {
	case table < 0:
		return nil, false
	case table == g.View.Columns[measure].Table:
		c := g.View.Columns[column]
		isName := !c.Type.Numeric() || g.IsLinked(column)
		return wanted[0].Expr, len(wanted) == 1 && isName && 2*c.Distinct <= c.Rows
	case !g.RefersTo(g.View.Columns[measure].Table, table):
		return nil, false
	case len(wanted) == 1 && g.IsKindNamed(column):
		return wanted[0].Expr, true
	case g.View.Columns[column].Key() && len(wanted) == 1:
		return wanted[0].Expr, true
	}
	return g.KeyOf(from, table)
}

// asksForMost reports whether the text asks for the most or the least of a measure,
// not for a row that is most something: "spent the most", "the most revenue", "top 3 by
// revenue", and not "the most expensive".
func (g Rules) asksForMost(measure schema.Column) bool {
	words := lex.Lower(lex.Tokens(g.Text))
	isMeasure := func(word string) bool {
		return word != "" && (slices.Contains(english.Stems(measure.Words), english.Stem(word)) || english.Summed.Has(word))
	}
	if by := slices.Index(words, "by"); by > 0 && english.Places.Has(words[0]) && slices.ContainsFunc(words[by:], isMeasure) {
		return true // top 3 customers by amount
	}
	for i, word := range words {
		if word != "most" && word != "least" || i > 0 && words[i-1] == "at" {
			continue
		}
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		ends := strings.Trim(next, ".,;:?!") == "" || english.Prepositions.Has(next)
		if ends || isMeasure(next) {
			return true
		}
	}
	return false
}
