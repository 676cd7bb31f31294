package embedded

import (
	"slices"
	"strings"

	"quern"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// timed reads a period, of each column of times that it can be of; where there is
// none, of the only one of years.
func (f *follower) timed() []tree.Cond {
	periods := lex.Periods(f.tokens, f.now)
	if len(periods) != 1 || !f.free(periods[0].First, periods[0].Last+1) {
		return nil
	}
	p := periods[0]
	var all []tree.Cond
	for _, t := range f.times() {
		all = append(all, during(t.column, t.of, p))
	}
	if years := f.years(); len(all) == 0 && p.Year && len(years) == 1 {
		all = append(all, tree.Compare{Op: tree.Equal, Left: years[0], Right: tree.Literal{Kind: tree.Number, Text: f.words[p.First]}})
	}
	if len(all) > 0 {
		f.take(p.First, p.Last+1)
	}
	return all
}

// moment is a column of times of the previous datasets.
type moment struct {
	column tree.Column
	of     schema.Column
}

// times gives the columns that a period can be of: the one that the follow-up
// names, or the one that a previous condition is about, or of those of the
// rows that are asked about the one that is named like them ("arrived" of
// arrivals), or else all.
func (f *follower) times() []moment {
	var all, asked []moment
	for _, p := range f.reader.places(f.query.Select) {
		for _, m := range f.reader.momentsOf(p.source) {
			if p.inner == nil {
				all = append(all, m)
			}
			if p.inner == nil && f.asked(m.column) || p.inner != nil && askedIn(p.inner.Select, m.column) {
				asked = append(asked, m)
			}
		}
	}
	for i, w := range f.words {
		if named := fitting(all, []string{w}); len(named) == 1 && !lex.Function(w) {
			f.take(i, i+1)
			return named
		}
	}
	if len(asked) == 1 {
		return asked
	}
	if own := f.ownTimes(); len(own) > 0 {
		all = own
	}
	var words []string
	for _, source := range f.query.Select.From {
		words = append(words, lex.Words(source.Dataset.Dataset, nil)...)
	}
	if named := fitting(all, words); len(named) == 1 {
		return named
	}
	return all
}

// ownTimes gives the columns of times of the dataset whose rows are listed or
// counted.
func (f *follower) ownTimes() []moment {
	s := f.query.Select
	if hasAggregates(s.Items) {
		if counted, ok := f.reader.counted(s); ok {
			return f.reader.momentsOf(counted)
		}
	}
	p, ok := f.reader.sourceOf(s, f.reader.question.Previous.Question)
	if !ok || p.inner != nil {
		return nil
	}
	return f.reader.momentsOf(p.source)
}

// fitting gives the columns of times that one of some words is related to.
func fitting(all []moment, words []string) []moment {
	return slices.DeleteFunc(slices.Clone(all), func(m moment) bool {
		return !slices.ContainsFunc(m.of.Words, func(name string) bool {
			return !around[name] && slices.ContainsFunc(words, func(w string) bool { return related(name, w) })
		})
	})
}

// related reports whether two words are forms of one: arrived and arrival.
func related(a, b string) bool {
	const least = 4
	a, b = lex.Stem(a), lex.Stem(b)
	return a == b || len(a) >= least && strings.HasPrefix(b, a) || len(b) >= least && strings.HasPrefix(a, b)
}

// years gives the columns of numbers that are years.
func (f *follower) years() []tree.Column {
	var all []tree.Column
	for _, source := range f.query.Select.From {
		for _, i := range f.columnsOf(source) {
			if c := f.schema.Columns[i]; c.Type.Numeric() && slices.Contains(c.Words, "year") {
				all = append(all, tree.Column{Source: source.Ref(), Name: c.Name})
			}
		}
	}
	return all
}

// during gives the condition that a time is in a period, open sides included.
func during(column tree.Column, c schema.Column, p lex.Period) tree.Cond {
	literal := func(t interface{ Format(string) string }) tree.Literal {
		if c.Type == quern.Timestamp {
			return tree.Literal{Kind: tree.Timestamp, Text: t.Format("2006-01-02T15:04:05Z")}
		}
		return tree.Literal{Kind: tree.Date, Text: t.Format("2006-01-02")}
	}
	switch {
	case p.Until.IsZero():
		return tree.Compare{Op: tree.GreaterEq, Left: column, Right: literal(p.From.UTC())}
	case p.From.IsZero():
		return tree.Compare{Op: tree.Less, Left: column, Right: literal(p.Until.UTC())}
	}
	return tree.Period{Expr: column, From: literal(p.From.UTC()), Until: literal(p.Until.UTC())}
}

// byPeriod splits the previous numbers by year, month or day: "now by month".
func (f *follower) byPeriod(unit string) bool {
	times := slices.DeleteFunc(f.times(), func(m moment) bool {
		return !slices.ContainsFunc(f.query.Select.From, func(s tree.Source) bool { return s.Ref() == m.column.Source })
	})
	if len(times) == 0 {
		times = f.ownTimes()
	}
	if finer[unit] == nil || len(times) == 0 {
		return false
	}
	var made []*tree.Query
	for _, t := range times[:min(len(times), mostChoices)] {
		q, ok := copied(f.query)
		if !ok {
			return false
		}
		splitBy(q, t.column, unit)
		made = append(made, q)
	}
	f.query, f.also = made[0], made[1:]
	return true
}
