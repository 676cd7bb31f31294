package period

import (
	"regexp"
	"slices"
	"time"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

var (
	// goesOnThen says that something goes on at a time: who was staying on 12 August, rooms that are
	// occupied in May.
	goesOnThen = regexp.MustCompile(`(?i)\b(?:am|is|are|was|were|be|been)\b[^.?!]{0,40}?\b(?P<verb>\w{2,}ing|occupied|taken|in use|in residence|in force|employed|rented out|hired out|let out|on loan|here|away)\b`)
	// atAnEnd are verbs for the beginning or the end of what goes on, and for what is planned.
	atAnEnd = regexp.MustCompile(`(?i)^(?:start|begin|beginn|end|arriv|leav|com|go|depart|finish|expir|open|clos|mov|join|return|check|stop|runn?|happen|tak(?:e|ing) place|follow|including|regard|concern|miss|wait|pay|ow)(?:ing)?$`)
	// isNow are words that say that a time is now.
	isNow = regexp.MustCompile(`(?i)\b(?:now|today|tonight|at (?:the moment|present)|currently|right now)\b`)
)

// Stretch takes the rows that go on at a time where the text asks what does, and two columns
// of the rows say from when until when each holds: who was staying on 12 August had arrived and not
// left.
func (g Rules) Stretch(q *tree.Query) {
	m, ok := english.Groups(goesOnThen, g.Text)
	if !ok || q.Select == nil || atAnEnd.MatchString(m.Text("verb")) || english.PeriodUnits.Has(m.Text("verb")) {
		return
	}
	for _, source := range q.Select.From {
		first, last, ok := g.stretchOf(source)
		if !ok {
			continue
		}
		held := tree.Conjuncts(q.Select.Where)
		isEither := func(c tree.Cond) bool { return isTimeOf(first.Column)(c) || isTimeOf(last.Column)(c) }
		at := slices.IndexFunc(held, isEither)
		switch {
		case at >= 0:
			p, isPeriod := held[at].(tree.Period)
			rest := slices.Delete(slices.Clone(held), at, at+1)
			if isPeriod && p.From.Kind == tree.Date && !slices.ContainsFunc(rest, isEither) {
				q.Select.Where = tree.All(append(rest, holding(g.View, q.Select.From, first, last, p)...)...)
			}
		case isNow.MatchString(g.Text) && len(q.Select.From) == 1 && !ground.Tests(q.Select.Where, first.Column) && !ground.Tests(q.Select.Where, last.Column):
			today := g.Asked.Question.Now.UTC()
			p := tree.Period{From: dayOf(today), Until: dayOf(today.AddDate(0, 0, 1))}
			q.Select.Where = tree.All(append(slices.Clone(held), holding(g.View, q.Select.From, first, last, p)...)...)
		}
		return
	}
}

// dayOf returns a day as a constant.
func dayOf(t time.Time) tree.Literal {
	return tree.Literal{Kind: tree.Date, Text: t.Format(time.DateOnly)}
}

// stretchOf returns the two columns of days of a dataset that say from when until when its rows hold.
func (g Rules) stretchOf(source tree.Source) (first, last schema.TimeColumn, ok bool) {
	n := 0
	times := g.Asked.Whole.TimesOf(source)
	for i, one := range times {
		for _, other := range times[i+1:] {
			if one.Of.Type == other.Of.Type && isStretch(one.Of, other.Of) {
				first, last, n = one, other, n+1
			}
		}
	}
	return first, last, n == 1
}

// holding are the conditions that rows go on within a period: that they began before its end, and
// ended within it or later, or have not ended. Who departs on a day is not there in its night.
func holding(v schema.View, from []tree.Source, first, last schema.TimeColumn, p tree.Period) []tree.Cond {
	op := tree.GreaterEq
	if slices.ContainsFunc(last.Of.Words, english.TimeEnds.Has) {
		op = tree.Greater
	}
	var ended tree.Cond = tree.Compare{Op: op, Left: last.Column, Right: p.From}
	if id, ok := v.ColumnOf(from, last.Column); ok && v.HasNull(id) {
		ended = tree.Or{Conds: []tree.Cond{ended, tree.IsNull{Expr: last.Column}}}
	}
	return []tree.Cond{tree.Compare{Op: tree.Less, Left: first.Column, Right: p.Until}, ended}
}
