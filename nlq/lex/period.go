package lex

import (
	"slices"
	"strings"
	"time"

	"quern/english"
)

// Period is a stretch of time that tokens name: From is in it, Until is not. A
// zero From or Until leaves that side open.
type Period struct {
	First, Last int // tokens
	From, Until time.Time
	// Year says that the tokens are the digits of a year and nothing else, which
	// may as well be a number.
	Year bool
	// Yearless says that its year was not said: it is this year's, unless what was
	// spoken of before is of another.
	Yearless bool
}

// Periods finds the dates and periods in a text, as seen from now, from left to
// right. They do not overlap.
//
//	2021 · March 2021 · 4 March 2021 · March 4th, 2021 · 2021-03-04 · 3/4/2021 · 4.3.2021
//	Christmas Eve 2021 · New Year's Day 2022
//	first week of March 2021 · last three months of 2021 · second half of March 2021
//	spring 2025 · autumn of 2025 · last summer
//	Q3 2022 · third quarter of 2022 · first half of 2022 · H1 2022 · 1990s
//	today · yesterday · this week · last year · past 30 days · 3 months ago
//	since X · after X · before X · until X · between X and Y · from X to Y · X to Y
//	since the start of X · after the end of X · between the beginning of X and the end of Y
//	in March · between May and July 2021, whose year is that of both
//
// What has no year is in the one year that the rest of the text speaks of.
func Periods(tokens []Token, now time.Time) []Period {
	r := reader{words: Lower(tokens), now: now}
	var all []Period
	for i := 0; i < len(tokens); {
		p, end, ok := r.period(i)
		if !ok {
			i++
			continue
		}
		p.First, p.Last = i, end-1
		all = append(all, p)
		i = end
	}
	if year, ok := saidYear(all); ok {
		for i := range all {
			all[i] = all[i].in(year)
		}
	}
	return all
}

// ReadPeriod reads a text that is nothing but a date or a period.
func ReadPeriod(text string, now time.Time) (from, until time.Time, ok bool) {
	p, ok := readPeriod(text, now)
	return p.From, p.Until, ok
}

// ReadPeriodOf reads a part of a question that is nothing but a date or a period, as the words
// around it mean it; one without a year is in the one year that the question speaks of.
func ReadPeriodOf(question []Token, text string, now time.Time) (from, until time.Time, ok bool) {
	p, ok := readPeriod(text, now)
	all := Periods(question, now)
	if p.Yearless {
		if year, said := saidYear(all); said {
			p = p.in(year)
		}
	}
	words := Lower(Tokens(text))
	for _, said := range all {
		if slices.Equal(Lower(question[said.First:said.Last+1]), words) {
			p, ok = said, true
		}
	}
	return p.From, p.Until, ok
}

func readPeriod(text string, now time.Time) (p Period, ok bool) {
	tokens := Tokens(text)
	r := reader{words: Lower(tokens), now: now, sure: true}
	p, end, ok := r.period(0)
	if !ok || end != len(tokens) {
		return Period{}, false
	}
	return p, true
}

// reader reads periods. Its methods take where to read, and return where what
// was read ends.
type reader struct {
	words []string
	now   time.Time
	sure  bool // that a word that may be a month is one
}

func (r reader) at(i int) string {
	if i < 0 || i >= len(r.words) {
		return ""
	}
	return r.words[i]
}

// period reads a plain period or one with what opens or joins it.
func (r reader) period(i int) (p Period, end int, ok bool) {
	word := r.at(i)
	switch word {
	case "since", "from", "after", "before", "until", "till", "through", "by", "between":
		if word == "after" && strings.HasPrefix(r.at(i-1), "look") {
			return p, i, false // looked after in 2025
		}
		p, end, ok = r.edge(i + 1)
		if !ok {
			return p, i, false
		}
		if to, last, joined := r.rangeEnd(end); joined && (word == "from" || word == "between") {
			return r.rangeOf(p, to), last, true
		}
		return openSide(p, word), end, word != "between"
	}
	p, end, ok = r.plain(i)
	if !ok {
		return p, i, false
	}
	if to, last, joined := r.rangeEnd(end); joined && r.at(end) != "and" {
		return r.rangeOf(p, to), last, true
	}
	return p, end, true
}

// rangeEnd reads the end of a range.
func (r reader) rangeEnd(i int) (Period, int, bool) {
	switch r.at(i) {
	case "and", "to", "until", "till", "through", "-", "–":
		r.sure = true
		return r.edge(i + 1)
	}
	return Period{}, i, false
}

// rangeOf returns the range from one period to another. A beginning whose year was
// not said is in the year of the end, or in the one before.
func (r reader) rangeOf(p, to Period) Period {
	from := p.From
	if p.Yearless && !to.Yearless {
		from = r.date(to.From.Year(), from.Month(), from.Day())
		if from.After(to.From) {
			from = from.AddDate(-1, 0, 0)
		}
	}
	until := to.Until
	if to.Yearless && !p.Yearless && !until.After(from) {
		until = until.AddDate(1, 0, 0) // from now to the end of January
	}
	return Period{From: from, Until: until, Yearless: p.Yearless && to.Yearless}
}

// openSide leaves one side of a period open.
func openSide(p Period, word string) Period {
	switch word {
	case "since", "from":
		return Period{From: p.From, Yearless: p.Yearless}
	case "after":
		return Period{From: p.Until, Yearless: p.Yearless}
	case "before":
		return Period{Until: p.From, Yearless: p.Yearless}
	}
	return Period{Until: p.Until, Yearless: p.Yearless}
}

// skipFillers passes over words that say nothing before a period.
func (r reader) skipFillers(i int) int {
	for r.at(i) == "the" || r.at(i) == "year" || r.at(i) == "in" || r.at(i) == "of" {
		i++
	}
	return i
}

// edge reads a plain period or one of its edges, which is a moment: the beginning of
// June, the end of August 2021.
func (r reader) edge(i int) (Period, int, bool) {
	at := r.skipFillers(i)
	word := r.at(at)
	if r.at(at+1) != "of" || word != "beginning" && word != "start" && word != "end" {
		return r.plain(at)
	}
	r.sure = true
	p, end, ok := r.current(at + 2)
	if !ok {
		p, end, ok = r.container(r.skipFillers(at + 1))
	}
	switch word {
	case "end":
		p.From = p.Until
	default:
		p.Until = p.From
	}
	p.Year = false
	return p, end, ok
}

// current reads the week, the month, the quarter and the year, of which no other is named: the
// one that it is.
func (r reader) current(i int) (Period, int, bool) {
	unit := unitOf(r.at(i + 1))
	if r.at(i) != "the" || unit == "" || unit == "day" || strings.HasSuffix(r.at(i+1), "s") || yearOf(r.at(r.skipFillers(i+2))) > 0 {
		return Period{}, i, false
	}
	from, until := unitAround(unit, r.date(r.now.Year(), r.now.Month(), r.now.Day()), 0)
	return Period{From: from, Until: until}, i + 2, true
}

// plain reads a period without what opens or joins it. The longer forms come first.
func (r reader) plain(i int) (Period, int, bool) {
	for _, read := range []func(int) (Period, int, bool){r.numeric, r.written, r.feast, r.season, r.quarter, r.half, r.stretch, r.relative, r.year} {
		if p, end, ok := read(i); ok {
			return p, end, true
		}
	}
	return Period{}, i, false
}

// year reads 2021 and 1990s.
func (r reader) year(i int) (Period, int, bool) {
	digits, decade := strings.CutSuffix(r.at(i), "s")
	y := yearOf(digits)
	switch {
	case y == 0:
		return Period{}, i, false
	case decade && y%10 != 0:
		return Period{}, i, false
	case decade:
		return Period{From: r.date(y, 1, 1), Until: r.date(y+10, 1, 1)}, i + 1, true
	}
	return Period{From: r.date(y, 1, 1), Until: r.date(y+1, 1, 1), Year: true}, i + 1, true
}

// quarter reads Q3 2022, Q3 and third quarter of 2022.
func (r reader) quarter(i int) (Period, int, bool) {
	q, end := 0, i+1
	if w := r.at(i); len(w) == 2 && w[0] == 'q' && w[1] >= '1' && w[1] <= '4' {
		q = int(w[1] - '0')
	} else if n, ok := Ordinal(w); ok && n >= 1 && n <= 4 && r.at(i+1) == "quarter" {
		q, end = n, i+2
	}
	if q == 0 {
		return Period{}, i, false
	}
	y, after, ok := r.yearAt(end)
	if !ok {
		y, after = r.now.Year(), end
	}
	end = after
	month := time.Month(3*q - 2)
	return Period{From: r.date(y, month, 1), Until: r.date(y, month+3, 1)}, end, true
}

// yearAt reads the year behind a part of one: of 2022, of next year; end is behind it.
func (r reader) yearAt(i int) (year, end int, ok bool) { return r.namedYear(r.skipFillers(i)) }

// namedYear reads 2022, last year, this year and next year.
func (r reader) namedYear(i int) (year, end int, ok bool) {
	if said := yearOf(r.at(i)); said != 0 {
		return said, i + 1, true
	}
	off, isNear := map[string]int{"last": -1, "this": 0, "next": 1}[r.at(i)]
	if !isNear || r.at(i+1) != "year" {
		return 0, i, false
	}
	return r.now.Year() + off, i + 2, true
}

// half reads H1 2022, first half of 2022 and second half of the year.
func (r reader) half(i int) (Period, int, bool) {
	h, end := 0, i+1
	switch n, ok := Ordinal(r.at(i)); {
	case r.at(i) == "h1" || r.at(i) == "h2":
		h = int(r.at(i)[1] - '0')
	case r.at(i+1) == "half" && (r.at(i) == "last" || ok && n <= 2):
		h, end = max(n, 1), i+2
		if r.at(i) == "last" {
			h = 2
		}
	}
	y, last, ok := r.yearAt(end)
	if at := r.skipFillers(end); !ok && at > end && r.at(at-1) == "year" {
		y, last, ok = r.now.Year(), at, true
	}
	if h == 0 || !ok {
		return Period{}, i, false
	}
	month := time.Month(6*h - 5)
	return Period{From: r.date(y, month, 1), Until: r.date(y, month+6, 1)}, last, true
}

func (r reader) date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, r.now.Location())
}

// day returns the period of one day, if there is such a day.
func (r reader) day(year, month, day int) (Period, bool) {
	from := r.date(year, time.Month(month), day)
	ok := year > 0 && month >= 1 && month <= 12 && day >= 1 && from.Day() == day
	return Period{From: from, Until: from.AddDate(0, 0, 1)}, ok
}

// yearOf reads four digits as a year; 0 when they are none.
func yearOf(w string) int {
	if len(w) != 4 || w < "1000" || w > "2999" {
		return 0
	}
	return digitsOf(w)
}

// digitsOf reads up to four digits; 0 for anything else.
func digitsOf(w string) int {
	if len(w) > 4 {
		return 0
	}
	n := 0
	for i := range len(w) {
		if w[i] < '0' || w[i] > '9' {
			return 0
		}
		n = n*10 + int(w[i]-'0')
	}
	return n
}

// Ordinal reads third and 3rd.
func Ordinal(w string) (int, bool) {
	if n, ok := english.Ordinals[w]; ok {
		return int(n), true
	}
	digits, ok := ordinalDigits(w)
	return digitsOf(digits), ok
}

// saidYear returns the year of the periods whose year was said, if it is one.
func saidYear(all []Period) (year int, ok bool) {
	for _, p := range all {
		if p.Yearless {
			continue
		}
		for _, t := range []time.Time{p.From, p.Until.Add(-time.Second)} {
			if t.Year() < 1 || t.Year() == year {
				continue
			}
			if year != 0 {
				return 0, false
			}
			year = t.Year()
		}
	}
	return year, year != 0
}

// in returns a period whose year was not said in a year.
func (p Period) in(year int) Period {
	if !p.Yearless {
		return p
	}
	last := p.Until.Add(-time.Second)
	if p.Until.IsZero() {
		last = p.From
	}
	by := year - last.Year()
	if !p.From.IsZero() {
		p.From = p.From.AddDate(by, 0, 0)
	}
	if !p.Until.IsZero() {
		p.Until = p.Until.AddDate(by, 0, 0)
	}
	p.Yearless = false
	return p
}
