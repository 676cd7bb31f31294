package lex

import (
	"strings"
	"time"

	"quern/english"
)

var months = func() map[string]time.Month {
	all := map[string]time.Month{"sept": time.September}
	for m := time.January; m <= time.December; m++ {
		name := strings.ToLower(m.String())
		all[name], all[name[:3]] = m, m
	}
	return all
}()

// numeric reads dates in digits: 2021-03-04, 2021-03, 2021/3/4, 3/4/2021 (month
// first, unless it is no month), 4.3.2021 (day first).
func (r reader) numeric(i int) (Period, int, bool) {
	if parts := strings.Split(r.at(i), "."); len(parts) == 3 && len(parts[2]) == 4 {
		p, ok := r.day(digitsOf(parts[2]), digitsOf(parts[1]), digitsOf(parts[0]))
		return p, i + 1, ok
	}
	mark := r.at(i + 1)
	if mark != "-" && mark != "/" {
		return Period{}, i, false
	}
	if r.at(i+3) == mark && digitsOf(r.at(i+4)) > 0 {
		if p, ok := r.three(r.at(i), r.at(i+2), r.at(i+4)); ok {
			return p, i + 5, true
		}
	}
	y, month := yearOf(r.at(i)), r.at(i+2)
	if m := digitsOf(month); y > 0 && len(month) == 2 && m >= 1 && m <= 12 && r.at(i+3) != mark {
		return Period{From: r.date(y, time.Month(m), 1), Until: r.date(y, time.Month(m)+1, 1)}, i + 3, true
	}
	return Period{}, i, false
}

// three reads the three parts of a date.
func (r reader) three(a, b, c string) (Period, bool) {
	switch {
	case yearOf(a) > 0 && len(b) <= 2 && len(c) <= 2:
		return r.day(yearOf(a), digitsOf(b), digitsOf(c))
	case yearOf(c) > 0 && digitsOf(a) > 12:
		return r.day(yearOf(c), digitsOf(b), digitsOf(a))
	case yearOf(c) > 0:
		return r.day(yearOf(c), digitsOf(a), digitsOf(b))
	}
	return Period{}, false
}

// written reads dates with a month's name.
func (r reader) written(i int) (Period, int, bool) {
	if day, end, ok := r.dayBefore(i); ok {
		m := months[r.at(end)]
		y, last := r.yearAfter(end + 1)
		p, ok := r.day(y, int(m), day)
		p.Yearless = last == end+1
		return p, last, ok
	}
	m, ok := months[r.at(i)]
	if !ok {
		return Period{}, i, false
	}
	if y := shortYear(r.at(i + 1)); y > 0 && r.at(i-1) == "in" {
		return Period{From: r.date(y, m, 1), Until: r.date(y, m+1, 1)}, i + 2, true
	}
	if day := dayOf(r.at(i + 1)); day > 0 {
		y, end := r.yearAfter(i + 2)
		p, ok := r.day(y, int(m), day)
		p.Yearless = end == i+2
		return p, end, ok
	}
	y, end := r.yearAfter(i + 1)
	if end == i+1 && !r.sure && !english.BeforeMonths.Has(r.at(i-1)) && !r.reachesMonth(end) {
		return Period{}, i, false
	}
	return Period{From: r.date(y, m, 1), Until: r.date(y, m+1, 1), Yearless: end == i+1}, end, true
}

// reachesMonth reports whether a month follows to which another reaches, or which is beside it: June to
// August, June and July.
func (r reader) reachesMonth(i int) bool {
	_, isMonth := months[r.at(i+1)]
	switch r.at(i) {
	case "to", "until", "till", "through", "-", "–":
		return isMonth
	case "and", "or":
		return isMonth && r.at(i-1) != "may" && r.at(i-1) != "march"
	}
	return false
}

// dayBefore reads a day that is followed by a month: 4 March, 4th of March.
func (r reader) dayBefore(i int) (day, end int, ok bool) {
	day, end = dayOf(r.at(i)), i+1
	if r.at(end) == "of" {
		if n, isOrdinal := Ordinal(r.at(i)); isOrdinal && n <= 31 {
			day = n // the first of July
		}
		end++
	}
	_, ok = months[r.at(end)]
	return day, end, ok && day > 0
}

// shortYear reads two digits as a year of this century, from 20 on; 0 when they are none.
func shortYear(w string) int {
	if n := digitsOf(w); len(w) == 2 && n >= 20 {
		return 2000 + n
	}
	return 0
}

func dayOf(w string) int {
	if n, ok := ordinalDigits(w); ok {
		w = n
	}
	if n := digitsOf(w); len(w) <= 2 && n <= 31 {
		return n
	}
	return 0
}

// yearAfter reads a year that may follow a month or a day; without one it is
// this year.
func (r reader) yearAfter(i int) (year, end int) {
	next := i
	for r.at(next) == "," || r.at(next) == "of" || r.at(next) == "in" {
		next++
	}
	if y, end, ok := r.namedYear(next); ok {
		return y, end
	}
	return r.now.Year(), i
}

// relative reads periods around now.
func (r reader) relative(i int) (Period, int, bool) {
	today := r.date(r.now.Year(), r.now.Month(), r.now.Day())
	days := func(from int) Period {
		return Period{From: today.AddDate(0, 0, from), Until: today.AddDate(0, 0, from+1)}
	}
	switch r.at(i) {
	case "today", "tonight":
		if r.at(i+1) == "or" && r.at(i+2) == "tomorrow" {
			return Period{From: today, Until: today.AddDate(0, 0, 2)}, i + 3, true
		}
		return days(0), i + 1, true
	case "rest", "remainder":
		return r.restOf(i, today)
	case "now":
		return days(0), i + 1, r.at(i-1) == "between" || r.at(i-1) == "from"
	case "yesterday":
		return days(-1), i + 1, true
	case "tomorrow":
		return days(1), i + 1, true
	case "last", "past", "previous", "this", "current", "next", "coming":
		if p, end, ok := r.relativeDay(i, today); ok {
			return p, end, true
		}
		return r.relativeUnit(i, today)
	}
	n, end := r.count(i)
	if n > 0 && unitOf(r.at(end)) != "" && r.at(end+1) == "ago" {
		from, until := unitAround(unitOf(r.at(end)), today, -n)
		if unitOf(r.at(end)) == "day" {
			return Period{From: from, Until: until}, end + 2, true
		}
		day := Shift(today, unitOf(r.at(end)), -n)
		return Period{From: day, Until: day.AddDate(0, 0, 1)}, end + 2, true
	}
	return Period{}, i, false
}

// restOf reads the rest of this week: from today on.
func (r reader) restOf(i int, today time.Time) (Period, int, bool) {
	unit := unitOf(r.at(i + 3))
	if r.at(i+1) != "of" || r.at(i+2) != "this" && r.at(i+2) != "the" || unit == "" || unit == "day" || strings.HasSuffix(r.at(i+3), "s") {
		return Period{}, i, false
	}
	_, until := unitAround(unit, today, 0)
	return Period{From: today, Until: until}, i + 4, true
}

// relativeUnit reads last year, this week, past 30 days.
func (r reader) relativeUnit(i int, today time.Time) (Period, int, bool) {
	word := r.at(i)
	if n, end := r.count(i + 1); n > 0 && unitOf(r.at(end)) != "" {
		unit := unitOf(r.at(end))
		if word == "next" {
			return Period{From: today, Until: Shift(today, unit, n)}, end + 1, true
		}
		return Period{From: Shift(today, unit, -n), Until: today.AddDate(0, 0, 1)}, end + 1, word != "this" && word != "current"
	}
	unit, by := unitOf(r.at(i+1)), directionOf(word)
	if month := months[r.at(i+1)]; month > 0 && word != "past" {
		return r.relativeMonth(month, by), i + 2, yearOf(r.at(i+2)) == 0
	}
	if unit == "" || strings.HasSuffix(r.at(i+1), "s") {
		return Period{}, i, false
	}
	if unit == "fortnight" || r.isRolling(i) {
		return rolling(unit, today, by), i + 2, true
	}
	from, until := unitAround(unit, today, by)
	if end, ok := r.orNext(i+2, unit); ok && by == 0 {
		_, until = unitAround(unit, today, 1)
		return Period{From: from, Until: until}, end, true
	}
	return Period{From: from, Until: until}, i + 2, true
}

// orNext reads what makes the week both this one and the one after it: this week or next.
func (r reader) orNext(i int, unit string) (end int, ok bool) {
	end = i + 1
	if r.at(end) == "the" {
		end++
	}
	if r.at(i) != "or" || r.at(end) != "next" {
		return i, false
	}
	behind := r.at(end + 1)
	switch {
	case unitOf(behind) == unit || behind == "one":
		end++
	case unitOf(behind) != "" || months[behind] > 0 || len(Weekdays(behind)) > 0:
		return i, false // this week or next Monday
	}
	return end + 1, true
}

// directionOf tells what is over (-1) from what is now (0) and what is still to come (1).
func directionOf(word string) int {
	switch word {
	case "last", "past", "previous":
		return -1
	case "next", "coming":
		return 1
	}
	return 0
}

// isRolling reports whether a unit of time begins or ends today, whatever the calendar says:
// within the next week, over the past year.
func (r reader) isRolling(i int) bool {
	switch r.at(i) {
	case "coming":
		return r.at(i-1) == "the"
	case "last", "past", "next":
	default:
		return false
	}
	if r.at(i+1) == "quarter" {
		return false // of the year
	}
	switch r.at(i - 2) {
	case "within", "in", "over", "during", "throughout":
		return r.at(i-1) == "the" && r.at(i+2) != "of"
	}
	return false
}

// rolling returns as many days as a unit has, up to today or from today on.
func rolling(unit string, today time.Time, by int) Period {
	if by < 0 {
		return Period{From: Shift(today, unit, -1), Until: today.AddDate(0, 0, 1)}
	}
	return Period{From: today, Until: Shift(today, unit, 1).AddDate(0, 0, 1)}
}

// relativeDay reads one day of the week, or a weekend, that is said to be the last, this or the
// next: last Friday is the one before today, next Friday that of next week.
func (r reader) relativeDay(i int, today time.Time) (Period, int, bool) {
	word := r.at(i + 1)
	days, isRepeated := Weekdays(word), strings.HasSuffix(word, "days") || strings.HasSuffix(word, "ends")
	if inLonger := r.at(i+2) == "in" || r.at(i+2) == "of"; len(days) == 0 || len(days) > 2 || isRepeated || inLonger {
		return Period{}, i, false
	}
	monday, _ := unitAround("week", today, 0)
	from := monday
	for from.Weekday().String() != days[0] {
		from = from.AddDate(0, 0, 1)
	}
	isPast := !from.AddDate(0, 0, len(days)).After(today)
	switch by := directionOf(r.at(i)); {
	case by < 0 && !isPast:
		from = from.AddDate(0, 0, -7)
	case r.at(i) == "next", by > 0 && isPast:
		from = from.AddDate(0, 0, 7)
	}
	return Period{From: from, Until: from.AddDate(0, 0, len(days))}, i + 2, true
}

// relativeMonth is the month of a name that is over (-1), that of this year (0), or the one
// that is still to come (1): last March, next January.
func (r reader) relativeMonth(month time.Month, by int) Period {
	year := r.now.Year()
	switch {
	case by < 0 && month >= r.now.Month():
		year--
	case by > 0 && month <= r.now.Month():
		year++
	}
	from := r.date(year, month, 1)
	return Period{From: from, Until: from.AddDate(0, 1, 0)}
}

// count reads a small number; 0 when there is none.
func (r reader) count(i int) (n, end int) {
	if n, ok := english.NumberWords[r.at(i)]; ok {
		return int(n), i + 1
	}
	if n := digitsOf(r.at(i)); n > 0 && n < 1000 {
		return n, i + 1
	}
	return 0, i
}

// unitOf returns the unit of time that a word names.
func unitOf(w string) string {
	switch w = strings.TrimSuffix(w, "s"); w {
	case "day", "week", "fortnight", "month", "quarter", "year":
		return w
	}
	return ""
}

// unitAround returns the whole unit of time that is by units from today. A week
// starts on Monday.
func unitAround(unit string, today time.Time, by int) (from, until time.Time) {
	y, m, d := today.Date()
	switch unit {
	case "week":
		d -= (int(today.Weekday()) + 6) % 7
	case "month":
		d = 1
	case "quarter":
		m, d = (m-1)/3*3+1, 1
	case "year":
		m, d = 1, 1
	}
	start := time.Date(y, m, d, 0, 0, 0, 0, today.Location())
	return Shift(start, unit, by), Shift(start, unit, by+1)
}

// Shift moves a time by a number of units: day, week, month, quarter or year.
func Shift(t time.Time, unit string, by int) time.Time {
	switch unit {
	case "week":
		return t.AddDate(0, 0, 7*by)
	case "fortnight":
		return t.AddDate(0, 0, 14*by)
	case "month":
		return t.AddDate(0, by, 0)
	case "quarter":
		return t.AddDate(0, 3*by, 0)
	case "year":
		return t.AddDate(by, 0, 0)
	}
	return t.AddDate(0, 0, by)
}
