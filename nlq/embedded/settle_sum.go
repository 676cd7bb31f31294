package embedded

import (
	"regexp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// settleSum makes the order of a reading one by sums where the text asks who has the
// most of something and the reading takes the largest single row: who spent the most
// is the customer whose orders come to most, not the one with the largest order.
func (g *grounding) settleSum(q *tree.Query) {
	s := q.Select
	if s == nil || q.Limit == nil || len(q.Order) != 1 || len(s.Group) > 0 || s.Distinct {
		return
	}
	measure, ok := q.Order[0].Expr.(tree.Column)
	if !ok {
		return
	}
	of, ok := g.view.ColumnOf(s.From, measure)
	if !ok || !isAdditive(g.view.Columns[of]) || !g.asksForMost(g.view.Columns[of]) {
		return
	}
	items := g.nameWhole(s)
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

// nameWhole returns the items of a select, with what people call the rows of a dataset
// instead of all their columns, which no sum has.
func (g *grounding) nameWhole(s *tree.Select) []tree.Item {
	if len(s.Items) != 1 {
		return slices.Clone(s.Items)
	}
	star, ok := s.Items[0].Expr.(tree.Star)
	if !ok || star.Source == "" {
		return slices.Clone(s.Items)
	}
	for _, source := range s.From {
		for _, i := range g.view.ColumnsOf(source) {
			if c := g.view.Columns[i]; source.Ref() == star.Source && g.isLabel(c) {
				return []tree.Item{{Expr: tree.Column{Source: star.Source, Name: c.Name}}}
			}
		}
	}
	return slices.Clone(s.Items)
}

// earnsMost finds who has the most of money, though no noun says so.
var earnsMost = regexp.MustCompile(`(?i)\b` + english.Earning.Pattern() + `(?: \w+){0,3} (?:most|least)\b`)

// settleEarned makes the order of a reading one by sums of money where the text asks who
// earned, spent or paid the most and the reading takes the one with the most rows.
func (g *grounding) settleEarned(q *tree.Query) {
	s := q.Select
	if s == nil || q.Limit == nil || len(q.Order) != 1 || len(s.Group) == 0 || !isRowCount(q.Order[0].Expr) || !earnsMost.MatchString(g.text) {
		return
	}
	var money []tree.Expr
	for _, source := range s.From {
		for _, i := range g.view.ColumnsOf(source) {
			if c := g.view.Columns[i]; isAdditive(c) && slices.ContainsFunc(c.Words, english.Money.Has) {
				money = append(money, tree.Column{Source: source.Ref(), Name: c.Name})
			}
		}
	}
	if len(money) != 1 {
		return
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		if isRowCount(e) {
			return tree.Aggregate{Func: tree.Sum, Arg: money[0]}
		}
		return e
	})
}

// settleSpent adds up money where the text asks what was spent and the reading adds up
// litres or kilograms of the same rows that no word names: what fuel cost is not how much of it
// there was.
func (g *grounding) settleSpent(q *tree.Query) {
	if q.Select == nil || !asksSpending.MatchString(g.text) {
		return
	}
	from := q.Select.From
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		a, ok := e.(tree.Aggregate)
		column, isColumn := a.Arg.(tree.Column)
		id, known := g.view.ColumnOf(from, column)
		if !ok || !isColumn || !known || a.Func != tree.Sum || !isMeasured(g.view.Columns[id]) || g.timesNamed(id) > 0 {
			return e
		}
		money, ok := g.onlyMoney(g.view.Columns[id].Table)
		if !ok || money == id {
			return e
		}
		a.Arg = tree.Column{Source: column.Source, Name: g.view.Columns[money].Name}
		return a
	})
}

// settleSpentShare takes the share of money where the text asks for one of what was spent or taken
// in, and the reading takes that of the rows.
func (g *grounding) settleSpentShare(q *tree.Query) {
	if q.Select == nil || !asksSpending.MatchString(g.text) && !g.asksForMoney() || len(q.Select.From) != 1 {
		return
	}
	money, ok := g.moneyOf(q.Select.From[0])
	if !ok {
		return
	}
	tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
		share, ok := e.(tree.Share)
		if ok && (share.Of == nil || isRowCount(share.Of)) {
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
func (g *grounding) moneyOf(source tree.Source) (money tree.Column, ok bool) {
	table, known := g.view.TableOf(source)
	if !known {
		return money, false
	}
	id, ok := g.onlyMoney(table)
	if !ok {
		return money, false
	}
	return tree.Column{Source: source.Ref(), Name: g.view.Columns[id].Name}, true
}

// onlyMoney returns the one column of a table that holds money.
func (g *grounding) onlyMoney(table int) (column int, ok bool) {
	for i, c := range g.view.Columns {
		isMoney := g.isMoney(i) || slices.ContainsFunc(c.Words, english.Earning.Has)
		if c.Table != table || !isAdditive(c) || !isMoney {
			continue
		}
		if ok {
			return 0, false
		}
		column, ok = i, true
	}
	return column, ok
}

// isRowCount reports whether a value is a number of rows.
func isRowCount(e tree.Expr) bool {
	a, ok := e.(tree.Aggregate)
	_, star := a.Arg.(tree.Star)
	return ok && star && a.Func == tree.Count && a.Where == nil
}

// parentOf returns what tells the wanted things apart, where several of the rows that
// hold a measure belong to each: the key of their own table, or the one wanted column
// beside the measure. ok is false where each has but one.
func (g *grounding) parentOf(from []tree.Source, wanted []tree.Item, measure int) (by tree.Expr, ok bool) {
	table := -1
	var column int
	for _, item := range wanted {
		c, isColumn := item.Expr.(tree.Column)
		at, known := g.view.ColumnOf(from, c)
		if !isColumn || !known || table >= 0 && g.view.Columns[at].Table != table {
			return nil, false
		}
		column, table = at, g.view.Columns[at].Table
	}
	switch {
	case table < 0:
		return nil, false
	case table == g.view.Columns[measure].Table:
		c := g.view.Columns[column]
		isName := !c.Type.Numeric() || g.isLinked(column)
		return wanted[0].Expr, len(wanted) == 1 && isName && 2*c.Distinct <= c.Rows
	case !g.refersTo(g.view.Columns[measure].Table, table):
		return nil, false
	case len(wanted) == 1 && g.isKindNamed(column):
		return wanted[0].Expr, true
	case g.view.Columns[column].Key() && len(wanted) == 1:
		return wanted[0].Expr, true
	}
	return g.keyOf(from, table)
}

// isKindNamed reports whether the text names a column whose values many rows share, and
// by which no row is called: the guests of bookings.
func (g *grounding) isKindNamed(column int) bool {
	c := g.view.Columns[column]
	return !c.Type.Numeric() && !c.Key() && 2*c.Distinct <= c.Rows && !g.isLabel(c) && g.timesNamed(column) > 0
}

// refersTo reports whether a link leads from a column of one table, in which values
// repeat, to a key of another.
func (g *grounding) refersTo(many, one int) bool {
	return slices.ContainsFunc(g.view.Links, func(l schema.Link) bool {
		from, to := g.view.Columns[l.From], g.view.Columns[l.To]
		if from.Table == one {
			from, to = to, from
		}
		return from.Table == many && to.Table == one && to.Key() && !from.Key()
	})
}

// keyOf returns the column that tells the rows of a table apart.
func (g *grounding) keyOf(from []tree.Source, table int) (key tree.Expr, ok bool) {
	for _, source := range from {
		for _, i := range g.view.ColumnsOf(source) {
			if c := g.view.Columns[i]; key == nil && c.Table == table && c.Key() {
				key = tree.Column{Source: source.Ref(), Name: c.Name}
			}
		}
	}
	return key, key != nil
}

// isAdditive reports whether values of a column may be added up: they are numbers
// that are neither names of rows nor years.
func isAdditive(c schema.Column) bool {
	return addsUp(c) && (!c.Key() || c.Type != quern.Integer || slices.ContainsFunc(c.Words, english.Money.Has))
}

// addsUp reports whether a column is named like something that can be added up, though
// its values may tell rows apart.
func addsUp(c schema.Column) bool {
	return c.Type.Numeric() && !isNumbering(c) && !isYear(c) && !slices.ContainsFunc(c.Words, english.Unsummed.Has)
}

// asksForMost reports whether the text asks for the most or the least of a measure,
// not for a row that is most something: "spent the most", "the most revenue", "top 3 by
// revenue", and not "the most expensive".
func (g *grounding) asksForMost(measure schema.Column) bool {
	words := lex.Lower(lex.Tokens(g.text))
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
