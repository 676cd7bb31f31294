package ingest

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// form is one way in which text can be a value of a type other than text. A
// column has a form when all of its values do, so that 03/04/2024 is read the
// same way from the first row to the last.
type form uint8

// The forms, in order of preference where several fit.
const (
	asBoolean    form = iota
	pointNumber       // 1234.5, 1,234.5
	commaNumber       // 1234,5, 1.234,5
	pointSpaced       // 1 234.5, 1'234.5
	commaSpaced       // 1 234,5, 1'234,5
	yearMonthDay      // 2024-03-04, also with slashes or points
	dayMonthYear      // 04/03/2024
	monthDayYear      // 03/04/2024
	dayPoint          // 4.3.2024
	dayDash           // 04-03-2024
	monthDash         // 03-04-2024
	dayName           // 4 Mar 2024
	monthName         // March 4, 2024
	dayShort          // 04/03/24
	monthShort        // 03/04/24
	pointShort        // 04.03.24
	nameShort         // 4 Mar 24
	withTime          // the first of the same dates with a time behind them
	lastForm          = withTime + (withTime - yearMonthDay)
	noForm       form = 255
)

// formNames name the forms for people.
var formNames = map[form]string{
	commaNumber: "decimal commas", pointSpaced: "grouped digits", commaSpaced: "grouped digits, decimal commas",
	dayMonthYear: "day/month/year", monthDayYear: "month/day/year", dayPoint: "day.month.year",
	dayDash: "day-month-year", monthDash: "month-day-year", dayName: "day, month by name, year", monthName: "month by name, day, year",
	dayShort: "day/month/year, years " + window, monthShort: "month/day/year, years " + window, pointShort: "day.month.year, years " + window,
	nameShort: "day, month by name, year, years " + window,
}

// window says which years two digits stand for.
const window = "00 to 68 being 2000 to 2068 and 69 to 99 being 1969 to 1999"

// century returns the year that two digits stand for.
func century(year int) int {
	if year < 69 {
		return 2000 + year
	}
	return 1900 + year
}

// date returns the form without its time.
func (f form) date() form {
	if f >= withTime && f < lastForm {
		return f - withTime + yearMonthDay
	}
	return f
}

func (f form) isNumber() bool { return f >= pointNumber && f <= commaSpaced }
func (f form) isDate() bool   { return f >= yearMonthDay && f < withTime }
func (f form) isTime() bool   { return f >= withTime && f < lastForm }

// forms is a set of them.
type forms uint32

func (s forms) has(f form) bool { return s&(1<<f) != 0 }

const (
	anyNumber = forms(1<<pointNumber | 1<<commaNumber | 1<<pointSpaced | 1<<commaSpaced)
	anyForm   = forms(1<<lastForm - 1)
	// pointForms are those in which a number with one point is that number.
	pointForms = forms(1<<pointNumber | 1<<pointSpaced)
)

// formsOf returns the forms that text has.
func formsOf(text []byte) forms {
	if len(text) == 0 || len(text) > 48 {
		return 0
	}
	c := text[0]
	switch {
	case c >= '0' && c <= '9':
		return digitForms(text)
	case c == '-' || c == '.' || c == ',':
		return numberForms(text)
	case c == 't' || c == 'T' || c == 'f' || c == 'F':
		if isTruth(text) {
			return 1 << asBoolean
		}
		return dateForms(text)
	case c|0x20 >= 'a' && c|0x20 <= 'z':
		return dateForms(text)
	}
	return 0
}

// digitForms returns the forms of text that begins with a digit.
func digitForms(text []byte) forms {
	switch {
	case isoDate(text):
		return 1 << yearMonthDay
	case isoTime(text):
		return 1 << withTime
	}
	if s := numberForms(text); s != 0 {
		return s
	}
	return dateForms(text)
}

func isTruth(text []byte) bool {
	return len(text) == 4 && strings.EqualFold(string(text), "true") || len(text) == 5 && strings.EqualFold(string(text), "false")
}

// numberForms returns the number forms of text. A number that begins with a zero
// it does not need, or has more digits than a number type holds, has none: it is
// rather a name.
func numberForms(text []byte) forms {
	digits := text
	if digits[0] == '-' {
		digits = digits[1:]
	}
	plain := true
	for _, c := range digits {
		if c < '0' || c > '9' {
			plain = false
			break
		}
	}
	if plain {
		padded := len(digits) > 1 && digits[0] == '0'
		if len(digits) == 0 || padded || !fits64(text, digits) {
			return 0
		}
		return anyNumber
	}
	if s := decimalForms(digits); s != 0 {
		return s
	}
	var s forms
	for f := pointNumber; f <= commaSpaced; f++ {
		if _, ok := canonicalNumber(text, f); ok {
			s |= 1 << f
		}
	}
	return s
}

// decimalForms returns the forms of the commonest numbers, digits with one point
// among them, without much ado; 0 for all others.
func decimalForms(digits []byte) forms {
	point := bytes.IndexByte(digits, '.')
	padded := point > 1 && digits[0] == '0'
	if point < 1 || padded || !allDigits(digits[:point]) || !allDigits(digits[point+1:]) {
		return 0
	}
	if point <= 3 && digits[0] != '0' && len(digits)-point == 4 {
		return pointForms | 1<<commaNumber
	}
	return pointForms
}

func fits64(text, digits []byte) bool {
	if len(digits) < 19 {
		return true
	}
	_, err := strconv.ParseInt(string(text), 10, 64)
	return err == nil
}

// canonicalNumber writes a number of a form as JSON does; ok is false when text
// is none.
func canonicalNumber(text []byte, f form) (number string, ok bool) {
	var buf [56]byte
	out := buf[:0]
	rest := text
	if rest[0] == '-' {
		out, rest = append(out, '-'), rest[1:]
	}
	point := byte('.')
	if f == commaNumber || f == commaSpaced {
		point = ','
	}
	whole, fraction, exponent, ok := cutNumber(rest, point)
	if !ok {
		return "", false
	}
	from := len(out)
	if out, ok = appendWhole(out, whole, f); !ok {
		return "", false
	}
	if len(out) == from {
		if len(fraction) == 0 {
			return "", false
		}
		out = append(out, '0')
	}
	if len(out)-from > 1 && out[from] == '0' {
		return "", false
	}
	if len(fraction) > 0 {
		out = append(append(out, '.'), fraction...)
	}
	return string(append(out, exponent...)), true
}

// cutNumber takes a number without its sign apart and checks the digits behind
// the point and of the exponent.
func cutNumber(text []byte, point byte) (whole, fraction, exponent []byte, ok bool) {
	if e := exponentAt(text); e >= 0 {
		text, exponent = text[:e], text[e:]
		sign := bytes.TrimLeft(exponent[1:], "+-")
		if len(exponent)-1-len(sign) > 1 || len(sign) > 3 || !allDigits(sign) {
			return nil, nil, nil, false
		}
	}
	whole = text
	if i := bytes.IndexByte(text, point); i >= 0 {
		whole, fraction = text[:i], text[i+1:]
		if !allDigits(fraction) {
			return nil, nil, nil, false
		}
	}
	return whole, fraction, exponent, true
}

func exponentAt(text []byte) int {
	for i, c := range text {
		if c|0x20 == 'e' {
			return i
		}
	}
	return -1
}

func allDigits(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(text) > 0
}

// appendWhole appends digits without what groups them by three.
func appendWhole(out, whole []byte, f form) ([]byte, bool) {
	grouped, run, first := false, 0, true
	for len(whole) > 0 {
		if c := whole[0]; c >= '0' && c <= '9' {
			out, whole, run = append(out, c), whole[1:], run+1
			continue
		}
		n := groupMark(whole, f)
		short := !first && run != 3
		if n == 0 || run == 0 || run > 3 || short {
			return out, false
		}
		whole, run, grouped, first = whole[n:], 0, true, false
	}
	return out, !grouped || run == 3
}

// groupMark returns the length of the mark that groups digits in a form.
func groupMark(text []byte, f form) int {
	switch f {
	case pointNumber:
		if text[0] == ',' {
			return 1
		}
	case commaNumber:
		if text[0] == '.' {
			return 1
		}
	default:
		for _, mark := range []string{" ", "'", "\u00a0", "\u202f", "\u2019"} {
			if bytes.HasPrefix(text, []byte(mark)) {
				return len(mark)
			}
		}
	}
	return 0
}

// dateForms returns the date forms of text, with or without a time.
func dateForms(text []byte) forms {
	d, rest, ok := cutDate(text)
	if !ok {
		return 0
	}
	var s forms
	for _, f := range d.forms {
		if f != noForm && validDate(d.inOrder(f)) {
			s |= 1 << f
		}
	}
	if len(rest) == 0 || s == 0 {
		return s
	}
	if _, ok := cutClock(rest); !ok {
		return 0
	}
	return s << (withTime - yearMonthDay)
}

// numbers are the three numbers of a date as written, and what they can mean.
type numbers struct {
	a, b, c int
	forms   [2]form
}

// inOrder returns year, month and day under a form.
func (n numbers) inOrder(f form) (year, month, day int) {
	switch f {
	case yearMonthDay:
		return n.a, n.b, n.c
	case monthDayYear, monthDash, monthName:
		return n.c, n.a, n.b
	case monthShort:
		return century(n.c), n.a, n.b
	case dayShort, pointShort, nameShort:
		return century(n.c), n.b, n.a
	}
	return n.c, n.b, n.a
}

func validDate(year, month, day int) bool {
	if year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 || day > 31 {
		return false
	}
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Day() == day
}

// cutDate takes a date off the beginning of text.
func cutDate(text []byte) (n numbers, rest []byte, ok bool) {
	if text[0] < '0' || text[0] > '9' {
		return cutNamedMonth(text)
	}
	var digits int
	n.a, digits, rest = cutInt(text)
	if len(rest) == 0 {
		return n, nil, false
	}
	mark := rest[0]
	monthFollows := mark == '-' && len(rest) > 1 && rest[1] > '9'
	if mark == ' ' || monthFollows {
		return cutMonthInside(n.a, digits, rest)
	}
	if mark != '-' && mark != '/' && mark != '.' {
		return n, nil, false
	}
	var second, third int
	n.b, second, rest = cutInt(rest[1:])
	if second == 0 || second > 2 || len(rest) == 0 || rest[0] != mark {
		return n, nil, false
	}
	n.c, third, rest = cutInt(rest[1:])
	n.forms, ok = writtenAs(mark, digits, third)
	twoEach := digits == 2 && second == 2
	if n.forms[0] == pointShort && !twoEach {
		return n, nil, false // 1.2.10 is rather a version
	}
	return n, rest, ok
}

// writtenAs tells what three numbers with a mark between can mean, by the digits
// of the first and of the last.
func writtenAs(mark byte, first, last int) ([2]form, bool) {
	oneOrTwo := last == 1 || last == 2
	switch {
	case first == 4 && oneOrTwo:
		return [2]form{yearMonthDay, noForm}, true
	case first <= 2 && last == 2 && mark == '/':
		return [2]form{dayShort, monthShort}, true
	case first <= 2 && last == 2 && mark == '.':
		return [2]form{pointShort, noForm}, true
	case first > 2 || last != 4:
		return [2]form{}, false
	case mark == '/':
		return [2]form{dayMonthYear, monthDayYear}, true
	case mark == '-':
		return [2]form{dayDash, monthDash}, true
	}
	return [2]form{dayPoint, noForm}, true
}

// cutInt takes up to four digits off.
func cutInt(text []byte) (n, digits int, rest []byte) {
	for digits < len(text) && digits < 5 && text[digits] >= '0' && text[digits] <= '9' {
		n = n*10 + int(text[digits]-'0')
		digits++
	}
	return n, digits, text[digits:]
}
