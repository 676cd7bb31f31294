package period

import (
	"slices"
	"time"

	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// Times moves a period to the column of times that is named like the text's
// words or like the rows, where a reading has it of one that is not: "arrivals in
// March" arrived then, whether or not they departed.
func (g Rules) Times(q *tree.Query) {
	if q.Select == nil {
		return
	}
	conds := slices.Clone(tree.Conjuncts(q.Select.Where))
	for i, c := range conds {
		column, ok := ground.TimeCompared(c)
		if !ok {
			continue
		}
		better, ok := g.TimeWithin(q.Select, column, c)
		if !ok {
			better, ok = g.likelierTime(q.Select, column)
			ok = ok && !g.reachesOnly(q.Select, column, better, c)
		}
		if ok {
			conds[i] = OnColumn(c, better)
		}
	}
	q.Select.Where = tree.All(conds...)
}

// TimeWithin returns the only other column of times, of the same source and type, that has times
// of a period, or from a time to come on, where the column that a reading has it of has none: what
// is on in December was not booked then.
func (g Rules) TimeWithin(s *tree.Select, column tree.Column, c tree.Cond) (tree.Column, bool) {
	at := slices.IndexFunc(s.From, func(source tree.Source) bool { return source.Ref() == column.Source })
	if at < 0 || !g.isReached(c) {
		return tree.Column{}, false
	}
	all := g.Asked.Whole.TimesOf(s.From[at])
	own := slices.IndexFunc(all, func(t schema.TimeColumn) bool { return t.Column == column })
	if own < 0 || all[own].Of.Min == "" || hasTimesOf(all[own], c) {
		return tree.Column{}, false
	}
	others := slices.DeleteFunc(slices.Clone(all), func(t schema.TimeColumn) bool { return t.Of.Type != all[own].Of.Type || !hasTimesOf(t, c) })
	if len(others) != 1 {
		return tree.Column{}, false
	}
	return others[0].Column, true
}

// reachesOnly reports whether a column of times has times of a condition, and another of the same
// source has none.
func (g Rules) reachesOnly(s *tree.Select, column, other tree.Column, c tree.Cond) bool {
	has := func(of tree.Column) bool {
		at := slices.IndexFunc(s.From, func(source tree.Source) bool { return source.Ref() == of.Source })
		return at >= 0 && slices.ContainsFunc(g.Asked.Whole.TimesOf(s.From[at]), func(t schema.TimeColumn) bool { return t.Column == of && hasTimesOf(t, c) })
	}
	return g.isReached(c) && has(column) && !has(other)
}

// isReached reports whether a condition is on a period, or from a time to come on.
func (g Rules) isReached(c tree.Cond) bool {
	switch c := c.(type) {
	case tree.Period:
		return true
	case tree.Compare:
		from, ok := c.Right.(tree.Literal)
		return ok && (c.Op == tree.GreaterEq || c.Op == tree.Greater) && from.Text >= g.Asked.Question.Now.UTC().Format(time.DateOnly)
	}
	return false
}

// hasTimesOf reports whether a column reaches into a period, or a time from which on something is.
func hasTimesOf(t schema.TimeColumn, c tree.Cond) bool {
	switch c := c.(type) {
	case tree.Period:
		return t.Of.Min != "" && t.Of.Min < c.Until.Text && c.From.Text <= t.Of.Max
	case tree.Compare:
		from, ok := c.Right.(tree.Literal)
		return ok && t.Of.Min != "" && from.Text <= t.Of.Max
	}
	return false
}

// likelierTime returns the column of times, of the same source and type, that a
// period is more likely of.
func (g Rules) likelierTime(s *tree.Select, column tree.Column) (tree.Column, bool) {
	at := slices.IndexFunc(s.From, func(source tree.Source) bool { return source.Ref() == column.Source })
	if at < 0 {
		return tree.Column{}, false
	}
	all := g.Asked.Whole.TimesOf(s.From[at])
	isOwn := func(t schema.TimeColumn) bool { return t.Column == column }
	own := slices.IndexFunc(all, isOwn)
	if own < 0 {
		return tree.Column{}, false
	}
	for _, words := range [][]string{lex.Lower(lex.Tokens(g.Text)), lex.Words(s.From[at].Dataset.Dataset, nil)} {
		named := schema.NamedTimes(all, slices.DeleteFunc(words, lex.Function))
		switch {
		case slices.ContainsFunc(named, isOwn):
			return tree.Column{}, false
		case len(named) == 1 && named[0].Of.Type == all[own].Of.Type:
			return named[0].Column, true
		}
	}
	if t, ok := g.Asked.Whole.TableOf(s.From[at]); ok && g.Asked.Whole.Tables[t].Time != "" && all[0].Of.Type == all[own].Of.Type {
		return all[0].Column, all[0].Column != column
	}
	return tree.Column{}, false
}

// OnColumn returns a condition on a time as one of another column.
func OnColumn(c tree.Cond, to tree.Column) tree.Cond {
	switch c := c.(type) {
	case tree.Period:
		c.Expr = to
		return c
	case tree.Compare:
		c.Left = to
		return c
	}
	return c
}
