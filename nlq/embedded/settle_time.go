package embedded

import (
	"slices"

	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// settleTimes moves a period to the column of times that is named like the text's
// words or like the rows, where a reading has it of one that is not: "arrivals in
// March" arrived then, whether or not they departed.
func (g *grounding) settleTimes(q *tree.Query) {
	if q.Select == nil {
		return
	}
	conds := slices.Clone(tree.Conjuncts(q.Select.Where))
	for i, c := range conds {
		column, ok := timeCompared(c)
		if !ok {
			continue
		}
		better, ok := g.timeWithin(q.Select, column, c)
		if !ok {
			better, ok = g.likelierTime(q.Select, column)
		}
		if ok {
			conds[i] = onColumn(c, better)
		}
	}
	q.Select.Where = tree.All(conds...)
}

// timeWithin returns the only other column of times, of the same source and type, that has times
// of a period, where the column that a reading has it of has none: what is on in December was not
// booked then.
func (g *grounding) timeWithin(s *tree.Select, column tree.Column, c tree.Cond) (tree.Column, bool) {
	period, ok := c.(tree.Period)
	at := slices.IndexFunc(s.From, func(source tree.Source) bool { return source.Ref() == column.Source })
	if !ok || at < 0 {
		return tree.Column{}, false
	}
	has := func(t schema.TimeColumn) bool {
		return t.Of.Min != "" && t.Of.Min < period.Until.Text && period.From.Text <= t.Of.Max
	}
	all := g.whole.TimesOf(s.From[at])
	own := slices.IndexFunc(all, func(t schema.TimeColumn) bool { return t.Column == column })
	if own < 0 || all[own].Of.Min == "" || has(all[own]) {
		return tree.Column{}, false
	}
	others := slices.DeleteFunc(slices.Clone(all), func(t schema.TimeColumn) bool { return t.Of.Type != all[own].Of.Type || !has(t) })
	if len(others) != 1 {
		return tree.Column{}, false
	}
	return others[0].Column, true
}

// likelierTime returns the column of times, of the same source and type, that a
// period is more likely of.
func (g *grounding) likelierTime(s *tree.Select, column tree.Column) (tree.Column, bool) {
	at := slices.IndexFunc(s.From, func(source tree.Source) bool { return source.Ref() == column.Source })
	if at < 0 {
		return tree.Column{}, false
	}
	all := g.whole.TimesOf(s.From[at])
	isOwn := func(t schema.TimeColumn) bool { return t.Column == column }
	own := slices.IndexFunc(all, isOwn)
	if own < 0 {
		return tree.Column{}, false
	}
	for _, words := range [][]string{lex.Lower(lex.Tokens(g.text)), lex.Words(s.From[at].Dataset.Dataset, nil)} {
		named := schema.NamedTimes(all, slices.DeleteFunc(words, lex.Function))
		switch {
		case slices.ContainsFunc(named, isOwn):
			return tree.Column{}, false
		case len(named) == 1 && named[0].Of.Type == all[own].Of.Type:
			return named[0].Column, true
		}
	}
	if t, ok := g.whole.TableOf(s.From[at]); ok && g.whole.Tables[t].Time != "" && all[0].Of.Type == all[own].Of.Type {
		return all[0].Column, all[0].Column != column
	}
	return tree.Column{}, false
}

// onColumn returns a condition on a time as one of another column.
func onColumn(c tree.Cond, to tree.Column) tree.Cond {
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
