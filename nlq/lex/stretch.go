package lex

import "time"

// stretch reads a part of a longer period, counted from its beginning or its end: first
// week of March 2021, last three months of 2021, second half of March.
func (r reader) stretch(i int) (Period, int, bool) {
	nth, fromEnd := 0, r.at(i) == "last"
	if n, ok := ordinalOf(r.at(i)); ok {
		nth = n
	}
	if !fromEnd && nth == 0 {
		return Period{}, i, false
	}
	n, at := 1, i+1
	if count, end := r.count(at); count > 0 && (fromEnd || nth == 1) {
		n, at = count, end
	}
	unit := unitOf(r.at(at))
	isHalf := r.at(at) == "half"
	if (unit == "" && !isHalf) || r.at(at+1) != "of" {
		return Period{}, i, false
	}
	r.sure = true
	whole, end, ok := r.container(r.skipFillers(at + 1))
	if !ok {
		return Period{}, i, false
	}
	part := partOf(whole, unit, n, nth, fromEnd)
	if isHalf {
		part = halfOf(whole, fromEnd || nth == 2)
	}
	isPart := (unit == "" || !part.From.Before(whole.From)) && !part.Until.After(whole.Until) && nth <= 31
	shorter := part.Until.Sub(part.From) < whole.Until.Sub(whole.From)
	part.Yearless = whole.Yearless
	return part, end, isPart && shorter && (!isHalf || n == 1 && nth <= 2)
}

// container reads a period that has parts: a month, a quarter, half a year, a year.
func (r reader) container(i int) (Period, int, bool) {
	for _, read := range []func(int) (Period, int, bool){r.written, r.quarter, r.half, r.relative, r.year} {
		if p, end, ok := read(i); ok {
			return p, end, !p.From.IsZero() && !p.Until.IsZero()
		}
	}
	return Period{}, i, false
}

// partOf returns n units at the end of a period, or those that begin with the nth.
func partOf(whole Period, unit string, n, nth int, fromEnd bool) Period {
	if fromEnd {
		return Period{From: Shift(whole.Until, unit, -n), Until: whole.Until}
	}
	return Period{From: Shift(whole.From, unit, nth-1), Until: Shift(whole.From, unit, nth-1+n)}
}

// halfOf returns one half of a period. Half a month ends with its 15th.
func halfOf(whole Period, second bool) Period {
	middle := whole.From.AddDate(0, 0, 15)
	if whole.From.AddDate(0, 1, 0).Before(whole.Until) {
		days := int(whole.Until.Sub(whole.From)/(24*time.Hour)) / 2
		middle = whole.From.AddDate(0, 0, days)
		if months := monthsBetween(whole); months%2 == 0 {
			middle = whole.From.AddDate(0, months/2, 0)
		}
	}
	if second {
		return Period{From: middle, Until: whole.Until}
	}
	return Period{From: whole.From, Until: middle}
}

// monthsBetween returns how many months a period has.
func monthsBetween(p Period) int {
	return 12*(p.Until.Year()-p.From.Year()) + int(p.Until.Month()-p.From.Month())
}
