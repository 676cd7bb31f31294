package period

import (
	"regexp"
	"slices"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/schema"
	"quern/tree"
)

var (
	// soFar says of what has a time that it is over, or of today.
	soFar = regexp.MustCompile(`(?i)\b(?:so far|(?:up )?(?:to|until|till) (?:date|now)|as of (?:now|today))\b`)
	// alreadyOver says of what happens at a time that it has happened.
	alreadyOver = regexp.MustCompile(`(?i)\balready (?:been (?:to|on|at|held|played|taught|given|run|staged|visited)|driven|flown|taken place|took place|happened|held|visited|gone|played|taught|attended|worked|performed)\b`)
)

// stillAhead says of what has a time that it is to come.
var stillAhead = regexp.MustCompile(`(?i)\b(?:coming up|lined up|upcoming|(?:still|yet) (?:got )?to (?:come|go|take place|happen|arrive|play|be (?:played|held|done|delivered))|still (?:coming|ahead|left)|remaining|` +
	`expiring|renewing|running out|lapsing|falling due)\b`)

// Ahead begins the periods of a query in which today is with today, where the text asks for
// what is still to come of them and their column reaches beyond it. A month of any year is one from
// today on, what goes on from today on begins then, and what is to come before a day is not past.
func (g Rules) Ahead(q *tree.Query) {
	if q.Select == nil || !stillAhead.MatchString(g.Asked.Question.Text) || ground.MoneyToCome.MatchString(g.Asked.Question.Text) {
		return
	}
	ground.ReplaceConds(q, func(c tree.Cond) tree.Cond {
		switch c := c.(type) {
		case tree.Period:
			today := dayOf(g.Asked.Question.Now.UTC())
			column, ok := c.Expr.(tree.Column)
			if ok && g.isAhead(q, column) && c.From.Kind == tree.Date && c.From.Text < today.Text && c.Until.Text > today.Text {
				c.From = today
			}
			return c
		case tree.Compare:
			return g.fromToday(q, c)
		}
		return c
	})
}

// fromToday returns a comparison with a time as one that holds from today on.
func (g Rules) fromToday(q *tree.Query, c tree.Compare) tree.Cond {
	today := dayOf(g.Asked.Question.Now.UTC())
	if part, isPart := c.Left.(tree.Call); isPart && part.Func == "month" {
		if column, ok := part.Args[0].(tree.Column); ok && g.isAhead(q, column) {
			return tree.And{Conds: []tree.Cond{c, tree.Compare{Op: tree.GreaterEq, Left: column, Right: today}}}
		}
		return c
	}
	column, isColumn := c.Left.(tree.Column)
	day, isLiteral := c.Right.(tree.Literal)
	switch {
	case !isColumn || !isLiteral:
	case c.Op == tree.GreaterEq && day == today:
		c.Left = g.beginningOf(q, column)
	case (c.Op == tree.Less || c.Op == tree.LessEq) && day.Kind == tree.Date && day.Text > today.Text && g.isAhead(q, column):
		return tree.Period{Expr: column, From: today, Until: day}
	}
	return c
}

// isAhead reports whether a column of times reaches to today or beyond.
func (g Rules) isAhead(q *tree.Query, column tree.Column) bool {
	id, known := g.View.ColumnOf(q.Select.From, column)
	return known && g.View.Columns[id].Type.Temporal() && g.View.Columns[id].Max >= dayOf(g.Asked.Question.Now.UTC()).Text
}

// beginningOf returns the column of times at which that begins of which another is the end, or the
// column itself.
func (g Rules) beginningOf(q *tree.Query, column tree.Column) tree.Column {
	for _, source := range q.Select.From {
		if first, last, ok := g.stretchOf(source); ok && last.Column == column {
			return first.Column
		}
	}
	return column
}

// SoFar leaves out what is still to come where the text asks for what was so far, and only
// one time of what is read reaches beyond today: screenings that are planned are none of those so
// far. Of a stretch of time in which today is, that is all until today.
func (g Rules) SoFar(q *tree.Query) {
	isOver := alreadyOver.MatchString(g.Text)
	if q.Select == nil || !isOver && !soFar.MatchString(g.Text) || g.endPeriods(q) {
		return
	}
	ahead, ok := timeAhead(g.Asked.Whole, g.Asked.Tomorrow().Text, q.Select.From...)
	if !ok || slices.ContainsFunc(tree.Conjuncts(q.Select.Where), isTimeOf(ahead)) {
		return
	}
	q.Select.Where = tree.All(append(tree.Conjuncts(q.Select.Where), tree.Compare{Op: tree.Less, Left: ahead, Right: g.Asked.Tomorrow()})...)
}

// endPeriods ends the periods of a query in which today is with today, where their column reaches
// beyond it, and reports whether it has such periods at all.
func (g Rules) endPeriods(q *tree.Query) (found bool) {
	tomorrow := g.Asked.Tomorrow()
	ground.ReplaceConds(q, func(c tree.Cond) tree.Cond {
		p, ok := c.(tree.Period)
		column, isColumn := p.Expr.(tree.Column)
		id, known := g.View.ColumnOf(q.Select.From, column)
		if !ok || !isColumn || !known || p.From.Text >= tomorrow.Text || p.Until.Text <= tomorrow.Text {
			return c
		}
		if found = true; p.Until.Kind == tree.Date && g.View.Columns[id].Max >= tomorrow.Text {
			p.Until = tomorrow
		}
		return p
	})
	return found
}

// timeAhead returns the one time of some sources, where that reaches to a day or beyond. Of two
// between which something goes on, that is the first; when somebody was born is no time at which
// anything was.
func timeAhead(whole schema.View, day string, from ...tree.Source) (ahead tree.Column, ok bool) {
	var all []schema.TimeColumn
	for _, source := range from {
		times := slices.DeleteFunc(whole.TimesOf(source), func(t schema.TimeColumn) bool {
			return slices.ContainsFunc(t.Of.Words, english.Births.Has)
		})
		if len(times) == 2 && isStretch(times[0].Of, times[1].Of) {
			times = times[:1]
		}
		all = append(all, times...)
	}
	if len(all) != 1 || all[0].Of.Max < day {
		return ahead, false
	}
	return all[0].Column, true
}

// isStretch reports whether two columns of times say from when until when something goes on.
func isStretch(first, last schema.Column) bool {
	begins := func(w string) bool {
		return w == "from" || w == "begin" || w == "begins" || w == "starts" || english.TimeStarts.Has(w)
	}
	ends := func(w string) bool {
		return w == "to" || w == "until" || w == "till" || english.TimeEnds.Has(w) || w == "ends" || w == "finishes"
	}
	return slices.ContainsFunc(first.Words, begins) && slices.ContainsFunc(last.Words, ends)
}

// isTimeOf reports of a condition whether it compares a column with a time.
func isTimeOf(column tree.Column) func(tree.Cond) bool {
	return func(c tree.Cond) bool {
		compared, ok := ground.TimeCompared(c)
		return ok && compared == column
	}
}
