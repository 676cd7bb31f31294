package follow

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"quern/english"
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
	if len(periods) == 0 {
		periods = e.months()
	}
	if len(periods) != 1 || !e.free(periods[0].First, periods[0].Last+1) {
		return nil
	}
	p := e.ofFrom(periods[0])
	all := e.ofBirth(p)
	if len(all) == 0 {
		for _, t := range e.beginnings(e.timesMeant()) {
			all = append(all, e.within(t, p))
		}
	}
	if years := e.yearColumns(); len(all) == 0 && len(years) == 1 {
		if c, ok := inYears(years[0], p); ok {
			all = append(all, c)
		}
	}
	if len(all) > 0 {
		e.take(p.First, p.Last+1)
	}
	return all
}

// ofBirth returns the condition that somebody was born in a period, where that is said
// and one column tells.
func (e *editor) ofBirth(p lex.Period) []tree.Cond {
	column, ok := tree.Column{}, false
	for i, w := range e.words {
		if english.Births.Has(w) && !ok {
			column, ok = e.bornOn(w)
			e.taken[i] = e.taken[i] || ok
		}
	}
	if !ok {
		return nil
	}
	for _, source := range e.query.Select.From {
		for _, t := range e.view.TimesOf(source) {
			if t.Column == column {
				return []tree.Cond{e.within(t, p)}
			}
		}
	}
	if c, ok := inYears(column, p); ok {
		return []tree.Cond{c}
	}
	return nil
}

// beginnings returns of the times of what has a beginning and an end the beginning, which
// is a guess; all others as they are.
func (e *editor) beginnings(times []schema.TimeColumn) []schema.TimeColumn {
	is := func(t schema.TimeColumn, words english.Set) bool { return slices.ContainsFunc(t.Of.Words, words.Has) }
	var begin []schema.TimeColumn
	for _, t := range times {
		switch {
		case is(t, english.TimeStarts):
			begin = append(begin, t)
		case !is(t, english.TimeEnds):
			return times
		}
	}
	if len(times) < 2 || len(begin) != 1 {
		return times
	}
	e.doubt("I took the time to be that of the column %s.", begin[0].Name)
	return begin
}

// inYears returns the condition that a year is in a period of whole years.
func inYears(column tree.Column, p lex.Period) (tree.Cond, bool) {
	number := func(year int) tree.Literal { return tree.Literal{Kind: tree.Number, Text: strconv.Itoa(year)} }
	isYear := func(t time.Time) bool { return t.IsZero() || t.YearDay() == 1 }
	switch {
	case !isYear(p.From) || !isYear(p.Until):
		return nil, false
	case p.Until.IsZero():
		return tree.Compare{Op: tree.GreaterEq, Left: column, Right: number(p.From.Year())}, true
	case p.From.IsZero():
		return tree.Compare{Op: tree.Less, Left: column, Right: number(p.Until.Year())}, true
	case p.Until.Year() == p.From.Year()+1:
		return tree.Compare{Op: tree.Equal, Left: column, Right: number(p.From.Year())}, true
	}
	return tree.Between{Expr: column, Low: number(p.From.Year()), High: number(p.Until.Year() - 1)}, true
}

// months returns the months that stand alone: "just for March".
func (e *editor) months() []lex.Period {
	var all []lex.Period
	for i, w := range e.words {
		from, until, ok := lex.ReadPeriod(w, e.now)
		if ok && !from.IsZero() && from.Day() == 1 && until.Equal(from.AddDate(0, 1, 0)) {
			all = append(all, lex.Period{First: i, Last: i, From: from, Until: until, Yearless: true})
		}
	}
	return all
}

// within returns the condition that a time is in a period. Where its year was not said,
// it is that of a condition before, or the only one that there are times of, or else
// the month of any year.
func (e *editor) within(t schema.TimeColumn, p lex.Period) tree.Cond {
	if !p.Yearless {
		return t.Within(p)
	}
	where := e.query.Select.Where
	if moved, ok := inYearBefore(p, where, t.Column); ok {
		return t.Within(moved)
	}
	month := tree.Call{Func: "month", Args: []tree.Expr{t.Column}}
	oneMonth := !p.From.IsZero() && p.From.Day() == 1 && p.Until.Equal(p.From.AddDate(0, 1, 0))
	said := slices.ContainsFunc(tree.Conjuncts(where), func(c tree.Cond) bool { return reflect.DeepEqual(condSubject(c), tree.Expr(month)) })
	first, last, known := yearsOf(t.Of)
	if known && !said && first == last {
		years := first - cmp.Or(p.From, p.Until).Year()
		p.From, p.Until = moveYears(p.From, years), moveYears(p.Until, years)
		return t.Within(p)
	}
	if oneMonth {
		return tree.Compare{Op: tree.Equal, Left: month, Right: tree.Literal{Kind: tree.Number, Text: strconv.Itoa(int(p.From.Month()))}}
	}
	if known {
		years := last - cmp.Or(p.From, p.Until).Year()
		p.From, p.Until = moveYears(p.From, years), moveYears(p.Until, years)
		e.doubt("No year was said, and I took %d.", last)
	}
	return t.Within(p)
}

// yearsOf returns the years of the first and the last time of a column.
func yearsOf(c schema.Column) (first, last int, ok bool) {
	const digits = 4
	if len(c.Min) < digits || len(c.Max) < digits {
		return 0, 0, false
	}
	first, noFirst := strconv.Atoi(c.Min[:digits])
	last, noLast := strconv.Atoi(c.Max[:digits])
	return first, last, noFirst == nil && noLast == nil
}

// ofFrom returns a period behind "from" as itself, and not all that comes after it:
// orders from 2024 are of 2024, unless they are from 2024 on.
func (e *editor) ofFrom(p lex.Period) lex.Period {
	after := p.Last + 1
	on := after < len(e.words) && (e.words[after] == "on" || strings.HasPrefix(e.words[after], "onward"))
	if e.words[p.First] != "from" || !p.Until.IsZero() || on {
		return p
	}
	from, until, ok := lex.ReadPeriod(strings.Join(e.words[p.First+1:p.Last+1], " "), e.now)
	if !ok {
		return p
	}
	p.From, p.Until = from, until
	return p
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
