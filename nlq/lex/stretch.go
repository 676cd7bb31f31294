package lex

// stretch reads a part of a longer period, counted from its beginning or its end: first
// week of March 2021, last three months of 2021, second half of March.
func (r reader) stretch(i int) (Period, int, bool) {
	fromEnd := r.at(i) == "last"
	nth, _ := Ordinal(r.at(i))
	n, at := 1, i+1
	if count, end := r.count(at); count > 0 && (fromEnd || nth == 1) {
		n, at = count, end
	}
	unit, said := unitOf(r.at(at)), r.at(at)
	if (!fromEnd && nth == 0) || (unit == "" && said != "half") || r.at(at+1) != "of" {
		return Period{}, i, false
	}
	r.sure = true
	whole, end, ok := r.container(r.skipFillers(at + 1))
	if !ok {
		return Period{}, i, false
	}
	part, ok := halfOf(whole, n, nth, fromEnd)
	if unit != "" {
		part, ok = partOf(whole, unit, n, nth, fromEnd)
	}
	part.Yearless = whole.Yearless
	return part, end, ok
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

// partOf returns n units at the end of a period, or those that begin with the nth. ok is
// false where that is not a part of it.
func partOf(whole Period, unit string, n, nth int, fromEnd bool) (part Period, ok bool) {
	const most = 31 // days of a month
	part = Period{From: Shift(whole.From, unit, nth-1), Until: Shift(whole.From, unit, nth-1+n)}
	if fromEnd {
		part = Period{From: Shift(whole.Until, unit, -n), Until: whole.Until}
	}
	inside := !part.From.Before(whole.From) && !part.Until.After(whole.Until)
	return part, inside && part.Until.Sub(part.From) < whole.Until.Sub(whole.From) && nth <= most
}

// halfOf returns one half of a period. Half a month ends with its 15th, half of what has
// an odd number of months in the middle of one.
func halfOf(whole Period, n, nth int, second bool) (half Period, ok bool) {
	months := 12*(whole.Until.Year()-whole.From.Year()) + int(whole.Until.Month()-whole.From.Month())
	middle := whole.From.AddDate(0, months/2, 15*(months%2))
	if second || nth == 2 {
		return Period{From: middle, Until: whole.Until}, n == 1
	}
	return Period{From: whole.From, Until: middle}, n == 1 && nth == 1
}
