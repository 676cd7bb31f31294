package plain

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"quern/english"
	"quern/knowledge"
)

var (
	// fiscalYears are how people name fiscal years and their quarters: "last fiscal
	// year", "fiscal year 2024", "FY24", "Q2 of FY 2024".
	fiscalYears = regexp.MustCompile(`(?i)\b(?:(?:in|for|during|of)\s+)?(?:the\s+)?(?:q(?P<quarter>[1-4])\s+(?:of\s+)?(?:the\s+)?)?` +
		`(?:(?P<which>this|current|last|previous)\s+(?:fiscal|financial)\s+year|(?:(?:fiscal|financial)\s+year|fy)\s*'?(?P<year>\d{4}|\d{2})\b)`)
	// weeks are this week and the one before.
	weeks = regexp.MustCompile(`(?i)\b(?:(?:in|for|during)\s+)?(?P<which>this|current|last|previous)\s+week\b`)
)

// calendar is when years and weeks begin, where that is taught.
type calendar struct {
	fiscal  time.Time // a day and a month; zero: not taught
	byStart bool      // a fiscal year is called by the year in which it begins
	week    time.Weekday
}

// taughtCalendar returns the calendar of the datasets that the asker sees. Datasets
// that say otherwise than others say nothing together.
func (r Rules) taughtCalendar() (c calendar, ok bool) {
	c.week = time.Monday
	if r.Whole.Taught == nil {
		return c, false
	}
	var of *knowledge.Dataset
	for i := range r.Whole.Taught.Datasets {
		d := &r.Whole.Taught.Datasets[i]
		if d.FiscalYear == "" && d.Week == "" {
			continue
		}
		if of != nil && (of.FiscalYear != d.FiscalYear || of.FiscalYearNamed != d.FiscalYearNamed || of.Week != d.Week) {
			return c, false
		}
		of = d
	}
	if of == nil {
		return c, false
	}
	if day, err := time.Parse("01-02", of.FiscalYear); err == nil {
		c.fiscal = day
	}
	c.byStart = of.FiscalYearNamed == knowledge.YearOfStart
	for day := time.Sunday; day <= time.Saturday; day++ {
		if strings.EqualFold(day.String(), of.Week) {
			c.week = day
		}
	}
	return c, true
}

// inCalendar returns a text with the days of the fiscal years and weeks that it names,
// as they are taught to begin.
func (r Rules) inCalendar(text string) string {
	c, ok := r.taughtCalendar()
	if !ok {
		return text
	}
	if !c.fiscal.IsZero() {
		text = fiscalYears.ReplaceAllStringFunc(text, func(said string) string { return c.fiscalYear(said, r.Question.Now) })
	}
	if c.week == time.Monday {
		return text
	}
	return weeks.ReplaceAllStringFunc(text, func(said string) string {
		days := (int(r.Question.Now.Weekday()) - int(c.week) + 7) % 7
		begin := r.Question.Now.AddDate(0, 0, -days)
		if m, _ := english.Groups(weeks, said); isBefore(m.Text("which")) {
			begin = begin.AddDate(0, 0, -7)
		}
		return between(begin, begin.AddDate(0, 0, 7))
	})
}

// fiscalYear returns the days of a fiscal year, or of a quarter of one.
func (c calendar) fiscalYear(said string, now time.Time) string {
	m, ok := english.Groups(fiscalYears, said)
	if !ok {
		return said
	}
	begin := time.Date(now.Year(), c.fiscal.Month(), c.fiscal.Day(), 0, 0, 0, 0, now.Location())
	if begin.After(now) {
		begin = begin.AddDate(-1, 0, 0)
	}
	if isBefore(m.Text("which")) {
		begin = begin.AddDate(-1, 0, 0)
	}
	if year, err := strconv.Atoi(m.Text("year")); err == nil {
		const century = 100
		if year < century {
			year += now.Year() / century * century
		}
		if startsLate := c.fiscal.Month() > time.January || c.fiscal.Day() > 1; startsLate && !c.byStart {
			year--
		}
		begin = time.Date(year, c.fiscal.Month(), c.fiscal.Day(), 0, 0, 0, 0, now.Location())
	}
	until := begin.AddDate(1, 0, 0)
	if quarter, err := strconv.Atoi(m.Text("quarter")); err == nil {
		begin = begin.AddDate(0, 3*(quarter-1), 0)
		until = begin.AddDate(0, 3, 0)
	}
	return between(begin, until)
}

func isBefore(which string) bool {
	return strings.EqualFold(which, "last") || strings.EqualFold(which, "previous")
}

// between writes the days, as one period, from one on and before another.
func between(from, until time.Time) string {
	return fmt.Sprintf("from %s to %s", from.Format(time.DateOnly), until.AddDate(0, 0, -1).Format(time.DateOnly))
}
