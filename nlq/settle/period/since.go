package period

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// notSince says that something has not happened for some time.
var notSince = regexp.MustCompile(`(?i)(?:\bnot|n't|\b(?:have|has|had)nt|\bnever) (?:[\w-]+ ){0,6}?(?:since|(?:in|for|within|during|over) the (?:last|past))\b`)

// Since turns a test of one time round where the text says that nothing has happened since
// and the reading lists what has: who has not been seen since May was seen before, or never. With
// another condition, that may be what is denied: not paid in the last month.
func (g Rules) Since(q *tree.Query) {
	if q.Select == nil || len(q.Select.From) != 1 || !notSince.MatchString(g.Text) || ground.LeavesOut(q) {
		return
	}
	column, from, ok := g.sinceOf(q, q.Select.Where)
	if !ok {
		return
	}
	var before tree.Cond = tree.Compare{Op: tree.Less, Left: column, Right: from}
	if id, ok := g.View.ColumnOf(q.Select.From, column); ok && g.View.HasNull(id) {
		before = tree.Or{Conds: []tree.Cond{before, tree.IsNull{Expr: column}}}
	}
	q.Select.Where = before
}

// asksSoFar says that something has not happened until now, whatever stretch of time is named besides:
// those from October that are not paid yet.
var asksSoFar = regexp.MustCompile(`(?i)\b(?:yet|still|so far|until now)\b`)

// NotWithin turns a test of a time of one dataset round where the text says that what it is
// the time of did not happen then: plots that were not inspected this year were inspected in another,
// or never.
func (g Rules) NotWithin(q *tree.Query) {
	if q.Select == nil || len(q.Select.From) != 1 || asksSoFar.MatchString(g.Text) {
		return
	}
	conds := slices.Clone(tree.Conjuncts(q.Select.Where))
	at := slices.IndexFunc(conds, func(c tree.Cond) bool { _, ok := c.(tree.Period); return ok })
	if at < 0 {
		return
	}
	p := conds[at].(tree.Period)
	column, ok := p.Expr.(tree.Column)
	id, known := g.View.ColumnOf(q.Select.From, column)
	if !ok || !known {
		return
	}
	isNull := func(c tree.Cond) bool { return reflect.DeepEqual(c, tree.IsNull{Expr: column}) }
	isUnknown := slices.ContainsFunc(conds, isNull)
	if !isUnknown && ground.LeavesOut(q) {
		return
	}
	if !g.deniesTime(g.View.Columns[id]) {
		if other, ok := g.begunBeside(q.Select.From[0], column); ok && isUnknown {
			conds[at] = OnColumn(p, other)
			q.Select.Where = tree.All(conds...)
		}
		return
	}
	outside := []tree.Cond{tree.Compare{Op: tree.Less, Left: column, Right: p.From}}
	if g.View.Columns[id].Max >= p.Until.Text {
		outside = append(outside, tree.Compare{Op: tree.GreaterEq, Left: column, Right: p.Until})
	}
	if isUnknown || g.View.HasNull(id) {
		outside = append(outside, tree.IsNull{Expr: column})
	}
	conds[at] = tree.Or{Conds: outside}
	q.Select.Where = tree.All(slices.DeleteFunc(conds, isNull)...)
}

// begunBeside returns the one other time of a dataset by which nothing has to be done or ends: the day
// on which an invoice that is not paid was issued.
func (g Rules) begunBeside(source tree.Source, done tree.Column) (begun tree.Column, ok bool) {
	others := slices.DeleteFunc(g.Asked.Whole.TimesOf(source), func(t schema.TimeColumn) bool {
		return t.Column == done || slices.ContainsFunc(t.Of.Words, func(w string) bool { return english.Dues.Has(w) || english.Limits.Has(w) })
	})
	if len(others) != 1 {
		return begun, false
	}
	return others[0].Column, true
}

// deniesTime reports whether a text denies, of the one period that it names, the verb right before it
// by which a column of times is called: not inspected in 2026, but no invoices from May that are not paid.
func (g Rules) deniesTime(c schema.Column) bool {
	p, ok := g.OnePeriod()
	if !ok {
		return false
	}
	words := lex.Lower(g.Features.Tokens)
	for at := max(p.First-3, 0); at < p.First; at++ {
		w := words[at]
		isVerb := len(w) > 3 && slices.ContainsFunc(c.Words, func(own string) bool { return english.Stem(own) == english.Stem(w) })
		between := words[at+1 : p.First]
		if isVerb && !slices.ContainsFunc(between, func(w string) bool { return !lex.Function(w) && w != "all" }) {
			return ground.DeniesWord.MatchString(strings.ToLower(g.Text)[:g.Features.Tokens[at].Start])
		}
	}
	return false
}

// longAgo says that something was longer ago than a number of whole weeks, months or years, or has
// gone on for longer.
var longAgo = regexp.MustCompile(`(?i)\b(?:(?:more|longer|over)(?: than)? (?:[\w-]+ ){1,3}(?:weeks?|months?|years?) ago|(?:waiting|waited|owed|owing|overdue|late|out|here|there|with us|open|unpaid|outstanding|been \w+) (?:[\w-]+ ){0,3}?for (?:more than|longer than|over) (?:[\w-]+ ){1,3}(?:weeks?|months?|years?))\b`)

// Ago counts what has not been a whole unit longer: more than six months ago is all that is
// before that day, not only what is seven months past.
func (g Rules) Ago(q *tree.Query) {
	if q.Select == nil || q.Select.Where == nil || !longAgo.MatchString(g.Text) {
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
func (g Rules) sinceOf(q *tree.Query, c tree.Cond) (column tree.Column, from tree.Expr, ok bool) {
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
	_, known := g.View.ColumnOf(q.Select.From, column)
	return column, from, known
}
