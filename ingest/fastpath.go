package ingest

import "quern"

// matchesCommon reports whether a value is so much like the ones before it that there is
// nothing to learn from it: the common case, made fast.
func (c *column) matchesCommon(text []byte) bool {
	switch c.common {
	case 1 << yearMonthDay:
		return isoDate(text)
	case 1 << withTime:
		return isoTime(text)
	case 1 << asBoolean:
		return string(text) == "true" || string(text) == "false"
	case anyNumber, pointForms:
		known := c.numbers[pointNumber]
		whole, fraction, ok := simpleNumber(text)
		if fraction > 0 && whole == 1 && text[len(text)-len("0.")-fraction] == '0' {
			whole = 0 // the zero before a point is no digit of the number
		}
		switch {
		case !ok || whole > known.Whole || fraction > known.Fraction || whole+fraction > exactDigits:
			return false
		case fraction > 0:
			return c.common == pointForms && known.Type == quern.Double
		}
		return known.Type == quern.Integer || known.Type == quern.Double
	}
	return false
}

// simple reports whether a value means to everybody what it means here: it needs
// no rewriting for the engine to read it.
func simple(text []byte) bool {
	if isoDate(text) || isoTime(text) || isTruth(text) {
		return true
	}
	_, _, ok := simpleNumber(text)
	return ok
}

// simpleNumber counts the digits of a number that is digits alone, or digits with
// one point among them, and has no zero that it does not need before it. The zero
// with a sign is not simple.
func simpleNumber(text []byte) (whole, fraction int, ok bool) {
	if string(text) == "-0" {
		return 0, 0, false
	}
	if len(text) > 0 && text[0] == '-' {
		text = text[1:]
	}
	point := -1
	for i, c := range text {
		switch {
		case c >= '0' && c <= '9':
		case c == '.' && point < 0:
			point = i
		default:
			return 0, 0, false
		}
	}
	whole = len(text)
	if point >= 0 {
		whole, fraction = point, len(text)-point-1
	}
	return whole, fraction, whole > 0 && (whole == 1 || text[0] != '0') && (point < 0 || fraction > 0)
}

func digit(c byte) bool { return c-'0' < 10 }

// two returns the number that two digits are, 100 when they are none.
func two(a, b byte) int {
	if !digit(a) || !digit(b) {
		return 100
	}
	return int(a-'0')*10 + int(b-'0')
}

// isoDate reports whether text is a date in the form 2024-03-04.
func isoDate(text []byte) bool {
	if len(text) != 10 || text[4] != '-' || text[7] != '-' {
		return false
	}
	century, year, month, day := two(text[0], text[1]), two(text[2], text[3]), two(text[5], text[6]), two(text[8], text[9])
	if century == 100 || year == 100 || century+year == 0 || month < 1 || month > 12 || day < 1 {
		return false
	}
	return day <= 28 || day <= 31 && validDate(century*100+year, month, day)
}

// isoTime reports whether text is a time in the form 2024-03-04 05:06:07, maybe
// with a T between, a fraction of up to six digits, and Z or an offset behind.
func isoTime(text []byte) bool {
	if len(text) < 19 || len(text) > 32 {
		return false
	}
	if between := text[10]; between != ' ' && between != 'T' {
		return false
	}
	if !isoDate(text[:10]) {
		return false
	}
	if text[13] != ':' || text[16] != ':' || two(text[11], text[12]) > 23 || two(text[14], text[15]) > 59 || two(text[17], text[18]) > 59 {
		return false
	}
	return isoRest(text[19:], string(text[:4]))
}

// isoRest reports whether what follows the seconds is a fraction, a zone, both or
// nothing.
func isoRest(rest []byte, year string) bool {
	if len(rest) > 0 && rest[0] == '.' {
		n := 1
		for n < len(rest) && digit(rest[n]) {
			n++
		}
		if n < 2 || n > 7 {
			return false
		}
		rest = rest[n:]
	}
	switch len(rest) {
	case 0:
		return true
	case 1:
		return rest[0] == 'Z'
	}
	// An offset must not lead out of the years that there are.
	return year != "0001" && year != "9999" && isoOffset(rest)
}

// isoOffset reports whether text is an offset such as +02 or +02:00.
func isoOffset(text []byte) bool {
	switch len(text) {
	case 3:
	case 6:
		if text[3] != ':' || two(text[4], text[5]) > 59 {
			return false
		}
	default:
		return false
	}
	signed := text[0] == '+' || text[0] == '-'
	return signed && two(text[1], text[2]) <= 15
}
