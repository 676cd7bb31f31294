package grammar

import (
	"reflect"
	"slices"
	"strings"

	"quern/tree"
)

// items derives what a select lists. Two measures and their difference are one
// change.
func (p *scope) items(all []tree.Item) {
	for i := 0; i < len(all); i++ {
		if i+2 < len(all) && p.change(all[i].Expr, all[i+1].Expr, all[i+2].Expr) {
			i += 2
			continue
		}
		p.item(all[i].Expr)
	}
}

// change derives two measures and their difference; ok is false when they are none.
func (p *scope) change(first, second, difference tree.Expr) bool {
	a, okA := first.(tree.Aggregate)
	b, okB := second.(tree.Aggregate)
	d, okD := difference.(tree.Arith)
	if !okA || !okB || !okD || p.zero || a.Where == nil || b.Where == nil || d.Op != '-' {
		return false
	}
	if !reflect.DeepEqual(d.Left, second) || !reflect.DeepEqual(d.Right, first) {
		return false
	}
	before, after := a.Where, b.Where
	a.Where, b.Where = nil, nil
	if !reflect.DeepEqual(a, b) {
		return false
	}
	p.say(symChange)
	p.test(before)
	p.test(after)
	p.aggregate(a)
	return true
}

// test derives the condition on the rows of a measure.
func (p *scope) test(c tree.Cond) {
	switch c := c.(type) {
	case tree.Compare:
		_, aggregate := c.Left.(tree.Aggregate)
		if _, nested := c.Right.(tree.Subquery); nested || aggregate {
			p.fail("a test of another shape")
		}
	case tree.Between, tree.IsNull, tree.Match, tree.Not:
	default:
		p.fail("a test of another shape")
		return
	}
	p.cond(c, "")
}

func (p *scope) aggregate(e tree.Aggregate) {
	switch {
	case e.Func == tree.Any:
		p.item(e.Arg)
		return
	case e.Where != nil:
		p.say(symOnly)
		p.test(e.Where)
	case e.Func == tree.Percentile:
		p.percentile(e)
		return
	}
	if e.Func == tree.Percentile {
		p.fail("a percentile of some rows")
		return
	}
	p.say(string(e.Func))
	if e.Distinct {
		p.say(symDist)
	}
	p.measured(e)
}

// measured derives what an aggregate is of.
func (p *scope) measured(e tree.Aggregate) {
	if c, ok := e.Arg.(tree.Column); ok && p.zero && e.Func == tree.Count && !e.Distinct {
		if i, found := p.find(c); found && slices.Contains(p.ends, i) {
			p.item(tree.Star{Source: c.Source})
			return
		}
	}
	if !isPlain(e.Arg) {
		p.fail("an aggregate of an aggregate")
		return
	}
	p.item(e.Arg)
}

// isPlain reports whether a value stands inside an aggregate.
func isPlain(e tree.Expr) bool {
	switch e := e.(type) {
	case tree.Column, tree.Star, tree.Duration, tree.Call:
		return true
	case tree.Arith:
		_, leftCall := e.Left.(tree.Call)
		_, rightCall := e.Right.(tree.Call)
		return isPlain(e.Left) && isPlain(e.Right) && !leftCall && !rightCall
	}
	return false
}

// percentile derives a percentile, whose place the question says.
func (p *scope) percentile(e tree.Aggregate) {
	p.say(symPercentile)
	for i := range p.question.Tokens {
		for j := i; j < min(i+3, len(p.question.Tokens)); j++ {
			if n, ok := percentOf(unquote(p.question.span(i, j))); ok && n == e.Percent {
				p.say(symSpan)
				p.point(Word, i)
				p.point(Word, j)
				p.measured(e)
				return
			}
		}
	}
	p.fail("the question does not say the percentile")
}

// percentage derives a share or a portion.
func (p *scope) percentage(e tree.Expr) {
	switch e := e.(type) {
	case tree.Portion:
		p.say(symPortion)
		p.aggregate(e.Of)
	case tree.Share:
		p.say(symPercent)
		p.test(e.Where)
		if e.Of == nil {
			p.aggregate(tree.Aggregate{Func: tree.Count, Arg: tree.Star{}})
			return
		}
		p.item(e.Of)
	}
}

// part derives a part of a time.
func (p *scope) part(e tree.Call) {
	at := slices.IndexFunc(timeParts, func(t timePart) bool { return t.function == e.Func })
	column, ok := tree.Expr(nil), false
	if len(e.Args) == 1 {
		column, ok = e.Args[0].(tree.Column)
	}
	if at < 0 || !ok {
		p.fail("an expression of another shape")
		return
	}
	p.say(timeParts[at].symbol)
	p.item(column)
}

// duration derives the time between two moments.
func (p *scope) duration(e tree.Duration) {
	for _, u := range timeUnits {
		if u.unit == e.Unit {
			p.say(u.symbol)
		}
	}
	for _, end := range []tree.Expr{e.From, e.Until} {
		switch end := end.(type) {
		case tree.Column:
			p.item(end)
		case tree.Literal:
			if !strings.HasPrefix(end.Text, p.question.Now.UTC().Format("2006-01-02")) {
				p.fail("a duration until a day")
			}
			p.say(symNow)
		default:
			p.fail("a duration of another shape")
		}
	}
}

// peers derives the aggregate over the rows that are alike in a column; ok is false
// when a query is something else.
func (p *scope) peers(q *tree.Query) bool {
	if q.Select == nil || q.Limit != nil || len(q.Order)+len(q.Select.Group) > 0 || q.Select.Having != nil {
		return false
	}
	s := q.Select
	alike, ok := s.Where.(tree.Compare)
	if !ok || alike.Op != tree.Equal || len(s.From) != 1 || len(s.Items) != 1 {
		return false
	}
	a, _ := s.Items[0].Expr.(tree.Aggregate)
	of, okOf := a.Arg.(tree.Column)
	inner, okInner := alike.Left.(tree.Column)
	outer, okOuter := alike.Right.(tree.Column)
	if !okOf || !okInner || !okOuter || a.Distinct || !slices.Contains(aggregates[1:], string(a.Func)) {
		return false
	}
	if of.Source != s.From[0].Ref() || inner.Source != s.From[0].Ref() || outer.Source == s.From[0].Ref() || inner.Name != outer.Name {
		return false
	}
	p.say(symPeers)
	p.say(string(a.Func))
	p.item(tree.Column{Source: outer.Source, Name: of.Name})
	p.item(outer)
	return true
}
