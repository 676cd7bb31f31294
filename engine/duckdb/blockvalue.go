package duckdb

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// The functions below read the value that a text begins with, up to a comma or the end, and
// return its length there; 0 when it is not written in the usual form.

func isDigit(c byte) bool { return c-'0' < 10 }

// wholeOf returns the integer that b begins with, and its length.
func wholeOf(b []byte) (v int64, n int) {
	const safe = 18 // so many digits are never beyond 64 bits
	start := signed(b)
	for n = start; n < len(b) && isDigit(b[n]); n++ {
		v = 10*v + int64(b[n]-'0')
	}
	switch {
	case n == start || n < len(b) && b[n] != ',':
		return 0, 0
	case n-start > safe:
		var err error
		if v, err = strconv.ParseInt(string(b[:n]), 10, 64); err != nil {
			return 0, 0
		}
	case start == 1:
		v = -v
	}
	return v, n
}

// signed is 1 when b begins with a minus.
func signed(b []byte) int {
	if b[0] == '-' {
		return 1
	}
	return 0
}

// tens are the powers of ten that doubles hold exactly.
var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// numberOf returns the number that b begins with, and its length. Few digits and few of
// them behind the point make one exact number divided by another, which is rounded as it should be.
func numberOf(b []byte) (v float64, n int) {
	const safe = 15
	start, point, digits := signed(b), -1, int64(0)
	for n = start; n < len(b) && b[n] != ','; n++ {
		switch {
		case isDigit(b[n]) && n-start <= safe:
			digits = 10*digits + int64(b[n]-'0')
		case b[n] == '.' && point < 0:
			point = n
		default:
			return longNumber(b)
		}
	}
	count := n - start
	if point >= 0 {
		count--
	}
	switch {
	case count == 0 || count > safe || start == 1 && digits == 0:
		return longNumber(b)
	case point >= 0:
		v = float64(digits) / tens[n-point-1]
	default:
		v = float64(digits)
	}
	if start == 1 {
		v = -v
	}
	return v, n
}

// longNumber is numberOf for numbers of any form but zeros with a sign.
func longNumber(b []byte) (v float64, n int) {
	if n = bytes.IndexByte(b, ','); n < 0 {
		n = len(b)
	}
	v, err := strconv.ParseFloat(string(b[:n]), 64)
	written := isDigit(b[n-1]) && (isDigit(b[0]) || b[0] == '-' && n > 1 && isDigit(b[1]))
	if err != nil || v == 0 && b[0] == '-' || !written || bytes.IndexByte(b[:n], '_') >= 0 {
		return 0, 0
	}
	return v, n
}

// dayOf returns the day that b begins with, as "2006-01-02", in days since 1970.
func dayOf(b []byte) (day int32, n int) {
	const length = len(`"2006-01-02"`)
	if len(b) < length || b[0] != '"' || b[length-1] != '"' {
		return 0, 0
	}
	day, ok := civilDay(b[1 : length-1])
	if !ok {
		return 0, 0
	}
	return day, length
}

// instantOf returns the instant that b begins with, in quotes, in microseconds since 1970.
func instantOf(b []byte) (micros int64, n int) {
	if b[0] != '"' {
		return 0, 0
	}
	n = bytes.IndexByte(b[1:], '"')
	if n < 0 {
		return 0, 0
	}
	micros, ok := civilInstant(b[1:1+n], false)
	if !ok {
		return 0, 0
	}
	return micros, n + len(`""`)
}

// civilInstant returns the microseconds since 1970 of an instant that is written as RFC 3339
// says, with at most six digits of a fraction. A bare one may lack its zone, which is UTC
// then, or the minutes of it, and have a space for its T.
func civilInstant(text []byte, bare bool) (micros int64, ok bool) {
	const clock, length = len("2006-01-02"), len("2006-01-02T15:04:05")
	if len(text) < length || text[clock+3] != ':' || text[clock+6] != ':' {
		return 0, false
	}
	separated := text[clock] == 'T' || bare && text[clock] == ' '
	day, ok := civilDay(text)
	hour, minute, second := twoDigits(text[clock+1:]), twoDigits(text[clock+4:]), twoDigits(text[clock+7:])
	if !separated || !ok || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	rest := text[length:]
	fraction, n := fractionOf(rest)
	if n < 0 {
		return 0, false
	}
	rest = rest[n:]
	offset, n := offsetOf(rest, bare)
	zoned := n > 0 || bare
	micros = int64(day)*microsPerDay + int64(3600*hour+60*minute+second)*microsPerSecond + fraction
	return micros - int64(60*offset)*microsPerSecond, zoned && n == len(rest)
}

// fractionOf returns the microseconds of a fraction, and its length; -1 when there are more
// digits than that, or none.
func fractionOf(b []byte) (micros int64, n int) {
	const most = 6
	if len(b) == 0 || b[0] != '.' {
		return 0, 0
	}
	unit := int64(microsPerSecond)
	for n = 1; n < len(b) && isDigit(b[n]); n++ {
		if n > most {
			return 0, -1
		}
		unit /= 10
		micros += unit * int64(b[n]-'0')
	}
	if n == 1 {
		return 0, -1
	}
	return micros, n
}

// offsetOf returns the minutes of a zone, Z or +02:00, or a bare +02, and its length.
func offsetOf(b []byte, bare bool) (minutes, n int) {
	const short, long, mostHours = len("+02"), len("+02:00"), 14
	switch {
	case len(b) > 0 && b[0] == 'Z':
		return 0, 1
	case len(b) >= long && b[short] == ':':
		minutes, n = twoDigits(b[short+1:]), long
	case bare && len(b) == short:
		n = short
	default:
		return 0, 0
	}
	hours := twoDigits(b[1:])
	if hours > mostHours || minutes > 59 {
		return 0, 0
	}
	switch minutes += 60 * hours; b[0] {
	case '+':
		return minutes, n
	case '-':
		return -minutes, n
	}
	return 0, 0
}

// twoDigits is the number that two digits are, 100 when they are none.
func twoDigits(b []byte) int {
	if !isDigit(b[0]) || !isDigit(b[1]) {
		return 100
	}
	return 10*int(b[0]-'0') + int(b[1]-'0')
}

// monthDays are the days of the months of a year that is no leap year.
var monthDays = [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// civilDay returns the days since 1970 of the date that b begins with, as 2006-01-02.
func civilDay(b []byte) (day int32, ok bool) {
	century, ofCentury, month, ofMonth := twoDigits(b), twoDigits(b[2:]), twoDigits(b[5:]), twoDigits(b[8:])
	if b[4] != '-' || b[7] != '-' || century > 99 || ofCentury > 99 {
		return 0, false
	}
	return dayNumber(100*century+ofCentury, month, ofMonth)
}

// dayNumber returns the days since 1970 of a date, whose year has four digits.
func dayNumber(year, month, ofMonth int) (day int32, ok bool) {
	if year == 0 || month < 1 || month > 12 || ofMonth < 1 {
		return 0, false
	}
	most := monthDays[month-1]
	if leap := year%4 == 0 && (year%100 != 0 || year%400 == 0); leap && month == 2 {
		most++
	}
	if ofMonth > most {
		return 0, false
	}
	// Years that begin in March have their leap day at their end.
	if month < 3 {
		year, month = year-1, month+12
	}
	const march0To1970 = 719_468
	return int32(365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + ofMonth - 1 - march0To1970), true
}

// escapes are what characters behind a backslash mean, but for u.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// appendUnquoted appends the text of a JSON string. ok is false when it has a character
// that not every engine takes: zero, or half of a pair.
func appendUnquoted(out, quoted []byte) (_ []byte, ok bool) {
	text := quoted[1 : len(quoted)-1]
	for {
		slash := bytes.IndexByte(text, '\\')
		if slash < 0 {
			return append(out, text...), true
		}
		out = append(out, text[:slash]...)
		if text = text[slash+1:]; len(text) == 0 {
			return out, false
		}
		if text[0] != 'u' {
			if escapes[text[0]] == 0 {
				return out, false
			}
			out, text = append(out, escapes[text[0]]), text[1:]
			continue
		}
		r, n := escapedRune(text)
		if n == 0 {
			return out, false
		}
		out, text = utf8.AppendRune(out, r), text[n:]
	}
}

// escapedRune returns the character that is written by its number behind a backslash, maybe
// in two halves, and the length of that.
func escapedRune(b []byte) (r rune, n int) {
	const length, pair = len("u1234"), len(`u1234\u5678`)
	first := hexRune(b)
	switch {
	case first <= 0:
		return 0, 0
	case !utf16.IsSurrogate(first):
		return first, length
	case len(b) < pair || b[length] != '\\':
		return 0, 0
	}
	if r = utf16.DecodeRune(first, hexRune(b[length+1:])); r == utf8.RuneError {
		return 0, 0
	}
	return r, pair
}

// hexRune reads a character as u1234; -1 when b does not begin with one.
func hexRune(b []byte) rune {
	if len(b) < len("u1234") || b[0] != 'u' {
		return -1
	}
	v, err := strconv.ParseUint(string(b[1:5]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(v)
}
