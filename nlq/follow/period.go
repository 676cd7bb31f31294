package follow

import (
	"slices"
	"strings"

	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// periodFunctions tell the periods of a time apart, by their unit. Hours and weekdays
// come again.
var periodFunctions = map[string]string{
	"year": "year", "quarter": tree.YearQuarter, "month": tree.YearMonth, "week": tree.YearWeek, "day": tree.CalendarDay,
	"hour": "hour", "weekday": "dayname",
}

// GroupByPeriod groups the numbers of a query by the periods of a time, oldest
// first; a query without numbers counts its rows. The unit is one of year,
// quarter, month, week, day, hour and weekday.
func GroupByPeriod(q *tree.Query, when tree.Column, unit string) {
	s := q.Select
	s.Items = aggregated(s.Items)
	if len(s.Items) == 0 {
		s.Items, s.Distinct = []tree.Item{{Expr: tree.Aggregate{Func: tree.Count, Arg: tree.Star{}}}}, false
	}
	period := tree.Call{Func: periodFunctions[unit], Args: []tree.Expr{when}}
	q.Order, s.Group = []tree.Order{{Expr: period}}, []tree.Expr{period}
	s.Items = append([]tree.Item{{Expr: period, Alias: unit}}, s.Items...)
}

// groupByPeriod splits the previous numbers by year, month or day.
func (e *editor) groupByPeriod(unit string) bool {
	times := slices.DeleteFunc(e.timesMeant(), func(t schema.TimeColumn) bool {
		return !slices.ContainsFunc(e.query.Select.From, func(s tree.Source) bool { return s.Ref() == t.Source })
	})
	if len(times) == 0 {
		times = e.subjectTimes()
	}
	if periodFunctions[unit] == "" {
		return false
	}
	var made []*tree.Query
	for _, t := range times[:min(len(times), mostWays)] {
		q := tree.Clone(e.query)
		GroupByPeriod(q, t.Column, unit)
		made = append(made, q)
	}
	return e.use(made)
}

// period reads a period, of each column of times that it can be of; where there is
// none, of the only one of years.
func (e *editor) period() []tree.Cond {
	periods := lex.Periods(e.tokens, e.now)
	if len(periods) != 1 || !e.free(periods[0].First, periods[0].Last+1) {
		return nil
	}
	p := e.ofFrom(periods[0])
	var all []tree.Cond
	for _, t := range e.timesMeant() {
		all = append(all, t.Within(inYearBefore(p, e.query.Select.Where, t.Column)))
	}
	if years := e.yearColumns(); len(all) == 0 && p.Year && len(years) == 1 {
		all = append(all, tree.Compare{Op: tree.Equal, Left: years[0], Right: tree.Literal{Kind: tree.Number, Text: e.words[p.Last]}})
	}
	if len(all) > 0 {
		e.take(p.First, p.Last+1)
	}
	return all
}

// ofFrom returns a period behind "from" as itself, and not all that comes after it:
// orders from 2024 are of 2024, unless they are from 2024 on.
func (e *editor) ofFrom(p lex.Period) lex.Period {
	after := p.Last + 1
	on := after < len(e.words) && (e.words[after] == "on" || strings.HasPrefix(e.words[after], "onward"))
	if e.words[p.First] != "from" || !p.Until.IsZero() || on {
		return p
	}
	inner := lex.Periods(e.tokens[p.First+1:p.Last+1], e.now)
	if len(inner) != 1 {
		return p
	}
	inner[0].First, inner[0].Last = p.First, p.Last
	return inner[0]
}

// timesMeant returns the columns that a period can be of: the one that the
// follow-up names, or the one that a previous condition is about, or of those of
// the rows that are asked about the one that is named like them ("arrived" of
// arrivals), or else all.
func (e *editor) timesMeant() []schema.TimeColumn {
	all, constrained := e.times()
	for i, w := range e.words {
		if named := schema.NamedTimes(all, []string{w}); len(named) == 1 && !lex.Function(w) {
			e.take(i, i+1)
			return named
		}
	}
	if len(constrained) == 1 {
		return constrained
	}
	if own := e.subjectTimes(); len(own) > 0 {
		all = own
	}
	var words []string
	for _, source := range e.query.Select.From {
		words = append(words, lex.Words(source.Dataset.Dataset, nil)...)
	}
	if named := schema.NamedTimes(all, words); len(named) == 1 {
		return named
	}
	return all
}

// times returns the columns of times that the query itself reads, and those that
// conditions are about, of nested queries too.
func (e *editor) times() (own, constrained []schema.TimeColumn) {
	for _, p := range e.view.Places(e.query.Select) {
		for _, t := range e.view.TimesOf(p.Source) {
			about := e.constrains(t.Column)
			if p.Nested == nil {
				own = append(own, t)
			} else {
				about = constrains(p.Nested.Select.Where, t.Column)
			}
			if about {
				constrained = append(constrained, t)
			}
		}
	}
	return own, constrained
}

// subjectTimes returns the columns of times of the table whose rows are listed or
// counted.
func (e *editor) subjectTimes() []schema.TimeColumn {
	s := e.query.Select
	if HasAggregate(s.Items...) {
		if counted, ok := countedSource(e.view, s); ok {
			return e.view.TimesOf(counted)
		}
	}
	p, ok := subject(e.view, s, e.previous)
	if !ok || p.Nested != nil {
		return nil
	}
	return e.view.TimesOf(p.Source)
}

// yearColumns returns the columns of numbers that are years.
func (e *editor) yearColumns() []tree.Column {
	var all []tree.Column
	for _, source := range e.query.Select.From {
		for _, i := range e.view.ColumnsOf(source) {
			if c := e.view.Columns[i]; c.Type.Numeric() && slices.Contains(c.Words, "year") {
				all = append(all, tree.Column{Source: source.Ref(), Name: c.Name})
			}
		}
	}
	return all
}
