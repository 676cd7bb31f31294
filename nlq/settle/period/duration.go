package period

import (
	"slices"
	"strconv"
	"strings"

	"quern/english"
	"quern/nlq/grammar"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// AsksForTenure are the words by which one asks how long somebody has belonged to
// something.
var AsksForTenure = english.Tenure.Finder()

// Durations makes the durations of a reading those that the text speaks of: in
// the unit that it names, or in years where it asks how old somebody is; until the
// time that ends what the other begins, where nothing says until now; and not from a
// birth where it asks how long somebody has been there. The longest is one, too.
func (g Rules) Durations(q *tree.Query) {
	words := lex.Lower(lex.Tokens(g.Text))
	says := func(list english.Set) bool { return slices.ContainsFunc(words, list.Has) }
	g.settleLongest(q, says)
	tree.EachQuery(q, func(q *tree.Query) {
		if q.Select == nil {
			return
		}
		defer compareDays(q.Select)
		tree.ReplaceValues(q, func(e tree.Expr) tree.Expr {
			d, ok := e.(tree.Duration)
			if !ok {
				return e
			}
			if AsksForTenure.MatchString(g.Text) {
				d.From = g.otherTime(q, d.From, english.Births)
			}
			if !says(english.UntilNow) && !says(english.Ages) {
				d = g.untilEnd(q, d)
			}
			d.Unit = unitSaid(words, says(english.Ages), d)
			return g.untilToday(q, d)
		})
	})
}

// settleLongest makes the latest or the earliest of times that begin something the
// longest or the shortest duration, where the text asks for that.
func (g Rules) settleLongest(q *tree.Query, says func(english.Set) bool) {
	long, short := says(english.Longest), says(english.Shortest)
	if q.Select == nil || long == short {
		return
	}
	if items := q.Select.Items; len(items) == 1 {
		if a, ok := items[0].Expr.(tree.Aggregate); ok && (a.Func == tree.Max || a.Func == tree.Min) {
			if d, ok := g.lasting(q, a.Arg); ok {
				a.Func, a.Arg = map[bool]tree.Func{true: tree.Max, false: tree.Min}[long], d
				items[0].Expr = a
			}
		}
	}
	if q.Limit == nil || len(q.Order) != 1 {
		return
	}
	first := &q.Order[0]
	if d, ok := g.lasting(q, first.Expr); ok {
		first.Expr, first.Desc, first.Nulls = d, long, tree.NullsLast
		return
	}
	if began := g.otherTime(q, first.Expr, english.Births); began != first.Expr && AsksForTenure.MatchString(g.Text) {
		first.Expr, first.Desc = began, !long // who has been there the longest came first
	}
}

// lasting returns the days from or until a time to the one beside it that ends or
// begins the same.
func (g Rules) lasting(q *tree.Query, e tree.Expr) (tree.Duration, bool) {
	column, ok := e.(tree.Column)
	if !ok {
		return tree.Duration{}, false
	}
	var starts, ends []schema.TimeColumn
	own := false
	for _, t := range g.timesBeside(q, column) {
		own = own || t.Column == column
		switch {
		case hasWord(t, english.TimeStarts):
			starts = append(starts, t)
		case hasWord(t, english.TimeEnds):
			ends = append(ends, t)
		}
	}
	if !own || len(starts) != 1 || len(ends) != 1 {
		return tree.Duration{}, false
	}
	return tree.Duration{Unit: tree.Days, From: starts[0].Column, Until: ends[0].Column}, true
}

// otherTime returns another time of the rows in the place of a column that is named by
// one of some words, where there is one other; the column itself otherwise.
func (g Rules) otherTime(q *tree.Query, e tree.Expr, named english.Set) tree.Expr {
	column, ok := e.(tree.Column)
	if !ok {
		return e
	}
	isOwn := func(t schema.TimeColumn) bool { return t.Column == column }
	times := g.timesBeside(q, column)
	own := slices.IndexFunc(times, isOwn)
	if own < 0 || !hasWord(times[own], named) {
		return e
	}
	others := slices.DeleteFunc(slices.Clone(times), isOwn)
	if len(others) != 1 {
		return e
	}
	return others[0].Column
}

// untilEnd returns a duration until now as one until the time that ends what the
// other begins.
func (g Rules) untilEnd(q *tree.Query, d tree.Duration) tree.Duration {
	from, isColumn := d.From.(tree.Column)
	_, now := d.Until.(tree.Literal)
	if !isColumn || !now {
		return d
	}
	var ends []schema.TimeColumn
	begins := false
	for _, t := range g.timesBeside(q, from) {
		begins = begins || t.Column == from && hasWord(t, english.TimeStarts)
		if t.Column != from && hasWord(t, english.TimeEnds) {
			ends = append(ends, t)
		}
	}
	if begins && len(ends) == 1 {
		d.Until = ends[0].Column
	}
	return d
}

// untilToday returns a duration until a time that the rows lack as one until today: how long
// what has not been brought back has been out.
func (g Rules) untilToday(q *tree.Query, d tree.Duration) tree.Duration {
	until, ok := d.Until.(tree.Column)
	lacks := func(c tree.Cond) bool {
		null, isNull := c.(tree.IsNull)
		return isNull && null.Expr == tree.Expr(until)
	}
	if id, known := g.View.ColumnOf(q.Select.From, until); ok && known && slices.ContainsFunc(tree.Conjuncts(q.Select.Where), lacks) {
		d.Until = grammar.MomentLiteral(g.Asked.Question.Now, g.View.Columns[id].Type)
	}
	return d
}

// timesBeside returns the columns of times of the source that a column is of.
func (g Rules) timesBeside(q *tree.Query, column tree.Column) []schema.TimeColumn {
	for _, source := range q.Select.From {
		if source.Ref() == column.Source {
			return g.Asked.Whole.TimesOf(source)
		}
	}
	return nil
}

func hasWord(t schema.TimeColumn, list english.Set) bool {
	return slices.ContainsFunc(t.Of.Words, list.Has)
}

// unitSaid returns the one unit of time that a text names; years where it asks for an
// age, and the duration's own where it names none, or several.
func unitSaid(words []string, age bool, d tree.Duration) tree.Unit {
	said := map[tree.Unit]bool{}
	for i, word := range words {
		unit := strings.TrimSuffix(word, "s")
		period := i > 0 && (english.GroupCues.Has(words[i-1]) || words[i-1] == "each" || words[i-1] == "every" || words[i-1] == "a")
		if english.DurationUnits.Has(unit) && !period {
			if unit == "night" {
				unit = string(tree.Days) // as many as the days between
			}
			said[tree.Unit(unit)] = true
		}
	}
	switch {
	case len(said) == 1:
		for unit := range said {
			return unit
		}
	case len(said) == 0 && age:
		return tree.Years
	}
	return d.Unit
}

// compareDays compares days with days where whole weeks are compared with a number of
// them: fifteen days are more than two weeks, though the second week is the last whole one.
func compareDays(s *tree.Select) {
	const week = 7
	all := slices.Clone(tree.Conjuncts(s.Where))
	for i, cond := range all {
		c, ok := cond.(tree.Compare)
		d, isDuration := c.Left.(tree.Duration)
		weeks, isNumber := c.Right.(tree.Literal)
		if !ok || !isDuration || !isNumber || d.Unit != tree.Weeks || c.Op == tree.Equal || c.Op == tree.NotEqual {
			continue
		}
		if n, err := strconv.ParseInt(weeks.Text, 10, 32); err == nil {
			d.Unit, weeks.Text = tree.Days, strconv.FormatInt(week*n, 10)
			c.Left, c.Right = d, weeks
			all[i] = c
		}
	}
	s.Where = tree.All(all...)
}
