package embedded

import (
	"cmp"
	"reflect"
	"slices"
	"time"

	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/nlq/settle/absence"
	"quern/nlq/settle/label"
	"quern/nlq/settle/period"
	"quern/nlq/sign"
	"quern/tree"
)

// addUnsaid returns a reading with what the text says of its rows and the reading
// leaves out, if that can only mean one thing: a period where the rows have a time, a
// value of one of their columns, or one of what they are linked to. Otherwise it
// returns the reading itself.
func (g *grounding) addUnsaid(c *candidate) *candidate {
	if c.query.Select == nil || len(c.query.Select.From) == 0 {
		return c
	}
	said, kept := g.unsaid(c), c.query.Select.Where
	if said == nil {
		said, kept = g.wholePeriod(c)
	}
	if said != nil {
		c = g.change(c, func(q *tree.Query) {
			q.Select.Where = kept
			if held := tree.Conjuncts(kept); !slices.ContainsFunc(held, func(c tree.Cond) bool { return reflect.DeepEqual(c, said) }) {
				q.Select.Where = tree.All(append(slices.Clone(held), said)...)
			}
			period.Of(g.Grounding).KindsSince(q)
			period.Of(g.Grounding).Since(q)
			period.Of(g.Grounding).NotWithin(q)
			label.Of(g.Grounding).NameParts(q)
			absence.Of(g.Grounding).Past(q)
		})
	}
	return g.addMeant(g.addLinked(g.addTruth(g.addOwn(c))))
}

// change returns a reading with its query changed; the reading itself when the
// query does not fit any more.
func (g *grounding) change(c *candidate, edit func(*tree.Query)) *candidate {
	q := tree.Clone(c.query)
	edit(q)
	more, ok := g.candidate(q, c.score)
	if !ok {
		return c
	}
	more.tokens, more.logProb, more.outcome, more.misplaced, more.supposed = c.tokens, c.logProb, c.outcome, c.misplaced, c.supposed
	more.completes = cmp.Or(c.completes, c)
	more.used, more.asRead = mergeUsed(c.used, more.used), tree.Clone(c.asRead)
	edit(more.asRead)
	return more
}

// constantWords marks the words that a candidate takes as constants.
func (g *grounding) constantWords(c *candidate) []bool {
	return sign.Taken(c.tokens, len(g.Features.Tokens))
}

// unsaid returns the condition that a reading leaves out; nil when there is none.
func (g *grounding) unsaid(c *candidate) tree.Cond {
	taken := g.constantWords(c)
	free := func(first, last int) bool {
		return first >= len(taken) || !slices.Contains(taken[first:min(last+1, len(taken))], true)
	}
	if p, ok := g.OnePeriod(); ok && free(p.First, p.Last) {
		return g.periodCond(c, p)
	}
	return g.unsaidValue(c, free)
}

// wholePeriod returns the one period that a text names for the one condition of a
// reading that took a part of its words, and the reading's other conditions.
func (g *grounding) wholePeriod(c *candidate) (said tree.Cond, others tree.Cond) {
	p, ok := g.OnePeriod()
	if !ok {
		return nil, nil
	}
	var kept []tree.Cond
	for _, old := range tree.Conjuncts(c.query.Select.Where) {
		column, ok := ground.TimeCompared(old)
		if !ok {
			kept = append(kept, old)
			continue
		}
		if said != nil || isWithin(old, p) {
			return nil, nil
		}
		g.eachColumn(c, func(other tree.Column, of schema.Column, _ int) {
			if other == column {
				said = schema.TimeColumn{Column: column, Of: of}.Within(p)
			}
		})
	}
	return said, tree.All(kept...)
}

// isWithin reports whether a condition holds rows to a part of a period that both its ends are
// known of, or to what is before or behind one of these: from Christmas Eve on, where the period
// is the year; 2020 or later.
func isWithin(c tree.Cond, p lex.Period) bool {
	if p.From.IsZero() || p.Until.IsZero() {
		return false
	}
	old, ok := c.(tree.Period)
	if !ok {
		return true
	}
	from, until := p.From.Format(time.DateOnly), p.Until.Format(time.DateOnly)
	return old.From.Text >= from && old.Until.Text <= until && (old.From.Text > from || old.Until.Text < until)
}

// periodCond returns the condition that the rows' first time is in a period, or the only other
// one that has times of it where that has none; nil when they have none.
func (g *grounding) periodCond(c *candidate, p lex.Period) tree.Cond {
	var when tree.Cond
	g.eachColumn(c, func(column tree.Column, of schema.Column, _ int) {
		preferred := tree.SameName(of.Name, g.View.Tables[of.Table].Time)
		if of.Type.Temporal() && (when == nil || preferred || g.isNone(c.query, when)) {
			when = schema.TimeColumn{Column: column, Of: of}.Within(p)
		}
	})
	if column, ok := ground.TimeCompared(when); ok {
		if better, ok := period.Of(g.Grounding).TimeWithin(c.query.Select, column, when); ok {
			return period.OnColumn(when, better)
		}
	}
	return period.Of(g.Grounding).InAnyYear(c.query.Select.From, when)
}

// isNone reports whether a query holds rows to those that have no time which a condition is about.
func (g *grounding) isNone(q *tree.Query, when tree.Cond) bool {
	column, ok := ground.TimeCompared(when)
	return ok && slices.ContainsFunc(tree.Conjuncts(q.Select.Where), func(c tree.Cond) bool {
		is, isNull := c.(tree.IsNull)
		return isNull && is.Expr == tree.Expr(column)
	})
}

// eachColumn calls fn with the columns of the datasets that a reading reads.
func (g *grounding) eachColumn(c *candidate, fn func(column tree.Column, of schema.Column, id int)) {
	for _, source := range c.query.Select.From {
		for _, i := range g.View.ColumnsOf(source) {
			fn(tree.Column{Source: source.Ref(), Name: g.View.Columns[i].Name}, g.View.Columns[i], i)
		}
	}
}
