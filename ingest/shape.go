package ingest

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"quern"
	"quern/catalog"
)

// exactDigits is how many decimal digits every double of ordinary size holds.
const exactDigits = 15

// shapeOf returns the shape of one JSON value; reason says why it cannot be kept.
func shapeOf(v jsontext.Value) (s catalog.Shape, reason string) {
	switch v.Kind() {
	case 'n':
		return catalog.Shape{}, ""
	case 't', 'f':
		return catalog.Shape{Type: quern.Boolean}, ""
	case '"':
		return catalog.Shape{Type: textType(v[1 : len(v)-1])}, ""
	case '{', '[':
		return catalog.Shape{Type: quern.JSON}, ""
	}
	return numberShape(v)
}

// textType tells dates and instants from other text. A string counts as one
// only in the one form that prints back unchanged (a date) or as the same
// instant (a timestamp).
func textType(s []byte) quern.Type {
	if len(s) < 10 || len(s) > 32 || s[4] != '-' || s[7] != '-' {
		return quern.Text
	}
	if len(s) == 10 {
		if t, err := time.Parse(time.DateOnly, string(s)); err == nil && t.Year() > 0 {
			return quern.Date
		}
		return quern.Text
	}
	if !rfc3339(s) || !microsecondsAtMost(s) {
		return quern.Text
	}
	if t, err := time.Parse(time.RFC3339Nano, string(s)); err == nil && t.UTC().Year() > 0 && t.UTC().Year() < 10000 {
		return quern.Timestamp
	}
	return quern.Text
}

// rfc3339 refuses what the standard library lets pass beside RFC 3339: hours of
// one digit, a comma before the fraction, zones of a day and more.
func rfc3339(s []byte) bool {
	if len(s) < 20 || s[10] != 'T' || s[13] != ':' || bytes.IndexByte(s, ',') >= 0 {
		return false
	}
	zone := s[len(s)-6:]
	return s[len(s)-1] == 'Z' || string(zone[1:3]) < "24" && string(zone[4:]) < "60"
}

func microsecondsAtMost(s []byte) bool {
	point := bytes.IndexByte(s, '.')
	if point < 0 {
		return true
	}
	zone := bytes.IndexAny(s[point:], "Z+-")
	return zone >= 0 && zone <= 7
}

// holds tells whether joining b to a would change nothing, the common case.
func holds(a, b catalog.Shape) bool {
	return a.Type == b.Type && a.Whole >= b.Whole && a.Fraction >= b.Fraction
}

// plainNumber returns the shape of a number without an exponent and with so few
// digits that its type follows from its form.
func plainNumber(v []byte) (s catalog.Shape, ok bool) {
	if v[0] == '-' {
		v = v[1:]
	}
	point := bytes.IndexByte(v, '.')
	switch {
	case len(v) > exactDigits || v[len(v)-1] > '9' || bytes.ContainsAny(v, "eE"):
		return s, false
	case point < 0:
		return catalog.Shape{Type: quern.Integer, Digits: quern.Digits{Whole: len(v)}}, true
	}
	whole, fraction := bytes.TrimLeft(v[:point], "0"), bytes.TrimRight(v[point+1:], "0")
	return catalog.Shape{Type: quern.Double, Digits: quern.Digits{Whole: len(whole), Fraction: len(fraction)}}, true
}

// numberShape tells integers, doubles and decimals apart: a number is a double
// only when the double nearest to it prints as the same digits.
func numberShape(v jsontext.Value) (s catalog.Shape, reason string) {
	text := string(v)
	if s, ok := plainNumber(v); ok && text != "-0" {
		return s, ""
	}
	if !strings.ContainsAny(text, ".eE") && text != "-0" {
		if _, err := strconv.ParseInt(text, 10, 64); err != nil {
			return s, "is an integer beyond 64 bits; send it as a string to keep it"
		}
		return catalog.Shape{Type: quern.Integer, Digits: quern.Digits{Whole: len(strings.TrimPrefix(text, "-"))}}, ""
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return s, "is a number beyond the range of a double; send it as a string to keep it"
	}
	digits, point := significant(text)
	s = catalog.Shape{Type: quern.Double, Digits: quern.Digits{Whole: max(1, point), Fraction: max(0, len(digits)-point)}}
	exact := len(digits) <= exactDigits && point > -290
	if digits == "" || exact {
		return s, ""
	}
	if shortest, at := significant(strconv.FormatFloat(f, 'e', -1, 64)); shortest == digits && at == point {
		return s, ""
	}
	if s.Whole+s.Fraction > quern.MaxDecimalDigits {
		return s, "has more than " + strconv.Itoa(quern.MaxDecimalDigits) + " digits; send it as a string to keep them"
	}
	s.Type = quern.Decimal(s.Whole+s.Fraction, s.Fraction)
	return s, ""
}

// significant returns a number's significant digits and where its point stands
// among them: the value is 0.digits × 10^point.
func significant(text string) (digits string, point int) {
	text = strings.TrimPrefix(text, "-")
	mantissa, exponent := text, 0
	if e := strings.IndexAny(text, "eE"); e >= 0 {
		mantissa = text[:e]
		exponent, _ = strconv.Atoi(text[e+1:])
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits, point = whole+fraction, len(whole)+exponent
	trimmed := strings.TrimLeft(digits, "0")
	point -= len(digits) - len(trimmed)
	digits = strings.TrimRight(trimmed, "0")
	if digits == "" {
		return "", 0
	}
	return digits, point
}
