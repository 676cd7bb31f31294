package follow

import (
	"regexp"
	"slices"
	"strconv"
	"time"

	"quern/english"
	"quern/nlq"
	"quern/nlq/lex"
	"quern/tree"
)

// shiftPattern names the stretch of time beside the one before: "the month after".
var shiftPattern = regexp.MustCompile(`^` + asides + `(?:in |for |during )?(?:the |a |one )(?:(?P<way>` + english.Earlier.With(english.Later).Pattern() +
	`) (?P<unit>` + english.PeriodUnits.Pattern() + `)|(?P<named>` + english.PeriodUnits.Pattern() + `) (?P<side>` +
	english.Earlier.With(english.Later).Pattern() + `)(?: that)?)$`)

// besidePattern names a stretch of time in the one beside: "January the year before".
var besidePattern = regexp.MustCompile(`^(?P<named>.+?),?(?: of| in)? the (?:(?P<way>` + english.Earlier.With(english.Later).Pattern() + `) (?P<unit>year)|(?P<of>year) (?P<side>` +
	english.Earlier.With(english.Later).Pattern() + `)(?: that)?)$`)

// shiftPeriod asks the same of the stretch of time before or after: "and the year
// before?", "and January the year before?".
func shiftPeriod(e *editor) bool {
	if m, ok := english.Groups(shiftPattern, e.text); ok {
		return e.shiftBy(m.Text("unit")+m.Text("named"), m.Text("way")+m.Text("side"))
	}
	m, ok := english.Groups(besidePattern, e.text)
	if !ok {
		return false
	}
	named := m.Text("named")
	inner := newEditor(e.view, nlq.Turn{Query: e.query, Question: e.previous}, lex.Tokens(named), e.now)
	inner.text = named
	if !filterRows(inner) || len(inner.others) > 0 {
		return false
	}
	e.query, e.score, e.doubts = inner.query, inner.score, inner.doubts
	return e.shiftBy("year", m.Text("way")+m.Text("side"))
}

// shiftBy moves the one stretch of time of the query to the one before or after it, as a word
// says. ok is false when there are none or several.
func (e *editor) shiftBy(unit, way string) (ok bool) {
	s := e.query.Select
	by := 1
	if english.Earlier.Has(way) {
		by = -1
	}
	conds := tree.Conjuncts(s.Where)
	moved := 0
	for i, c := range conds {
		if year, ok := e.shiftYear(c, unit, by); ok {
			conds[i] = year
			moved++
			continue
		}
		p, ok := c.(tree.Period)
		if !ok {
			continue
		}
		from, wasFrom := shiftLiteral(p.From, unit, by)
		until, wasUntil := shiftLiteral(p.Until, unit, by)
		if !wasFrom || !wasUntil {
			return false
		}
		conds[i] = tree.Period{Expr: p.Expr, From: from, Until: until}
		moved++
	}
	s.Where = tree.All(conds...)
	return moved == 1
}

// shiftYear moves a condition that a column which holds years is one.
func (e *editor) shiftYear(c tree.Cond, unit string, by int) (moved tree.Cond, ok bool) {
	compare, ok := c.(tree.Compare)
	column, isColumn := compare.Left.(tree.Column)
	year, isLiteral := compare.Right.(tree.Literal)
	if !ok || !isColumn || !isLiteral || unit != "year" || compare.Op != tree.Equal || year.Kind != tree.Number {
		return nil, false
	}
	id, known := e.view.ColumnOf(e.query.Select.From, column)
	n, err := strconv.Atoi(year.Text)
	if !known || err != nil || !slices.Contains(english.Stems(e.view.Columns[id].Words), "year") {
		return nil, false
	}
	year.Text = strconv.Itoa(n + by)
	compare.Right = year
	return compare, true
}

// shiftLiteral moves a time by a unit.
func shiftLiteral(k tree.Literal, unit string, by int) (tree.Literal, bool) {
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05Z", time.DateTime} {
		if at, err := time.Parse(layout, k.Text); err == nil {
			k.Text = lex.Shift(at, unit, by).Format(layout)
			return k, true
		}
	}
	return k, false
}

// inYearBefore returns a period whose year was not said as one of the year that the
// condition before on the same time is in: July, behind August 2024.
// ok is false where there is none.
func inYearBefore(p lex.Period, where tree.Cond, column tree.Column) (moved lex.Period, ok bool) {
	for _, c := range tree.Conjuncts(where) {
		before, isPeriod := c.(tree.Period)
		if !isPeriod || before.Expr != tree.Expr(column) || len(before.From.Text) < len(time.DateOnly) {
			continue
		}
		at, err := time.Parse(time.DateOnly, before.From.Text[:len(time.DateOnly)])
		if err != nil {
			continue
		}
		years := at.Year() - p.From.Year()
		p.From, p.Until, ok = moveYears(p.From, years), moveYears(p.Until, years), true
	}
	return p, ok
}

// moveYears moves a time, if it is one.
func moveYears(t time.Time, years int) time.Time {
	if t.IsZero() {
		return t
	}
	return t.AddDate(years, 0, 0)
}
