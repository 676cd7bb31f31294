package trino

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"quern"
)

// value is an expression as it is printed, with the type that the embedded engine
// gives it.
type value struct {
	sql     string
	typ     quern.Type
	literal bool // a constant
}

// maxDigits is the most digits of a decimal.
const maxDigits = 38

// narrowDigits is the most digits of decimals that the embedded engine keeps in 64 bits,
// and does not go beyond for sums and products of such.
const narrowDigits = 18

// typeName is how Trino calls a type. JSON is text to it.
func typeName(t quern.Type) string {
	if precision, scale, ok := t.DecimalSize(); ok {
		return fmt.Sprintf("decimal(%d,%d)", precision, scale)
	}
	switch t {
	case quern.Boolean:
		return "boolean"
	case quern.Integer:
		return "bigint"
	case quern.Double:
		return "double"
	case quern.Date:
		return "date"
	case quern.Timestamp:
		return "timestamp(6) with time zone"
	}
	return "varchar"
}

// decimalSize is what a number counts as beside decimals.
func (v value) decimalSize() (precision, scale int) {
	if precision, scale, ok := v.typ.DecimalSize(); ok {
		return precision, scale
	}
	if n, err := strconv.ParseInt(v.sql, 10, 64); v.literal && err == nil && n >= math.MinInt32 && n <= math.MaxInt32 {
		return 10, 0
	}
	return 19, 0
}

// common returns the type that values of two types have together.
func common(a, b value) (quern.Type, bool) {
	switch {
	case a.typ == b.typ:
		return a.typ, true
	case !a.typ.Numeric() || !b.typ.Numeric():
		return "", false
	case a.typ == quern.Double || b.typ == quern.Double:
		return quern.Double, true
	}
	p, s := a.decimalSize()
	q, r := b.decimalSize()
	scale := max(s, r)
	return quern.Decimal(min(maxDigits, max(p-s, q-r)+scale), scale), true
}

// arithType returns the type of + - * % between two numbers.
func arithType(op byte, a, b value) (quern.Type, bool) {
	switch {
	case !a.typ.Numeric() || !b.typ.Numeric():
		return "", false
	case a.typ == quern.Double || b.typ == quern.Double:
		return quern.Double, true
	case a.typ == quern.Integer && b.typ == quern.Integer:
		return quern.Integer, true
	}
	p, s := a.decimalSize()
	q, r := b.decimalSize()
	width, scale := max(max(p-s, q-r)+max(s, r), p, q)+1, max(s, r)
	if op == '*' {
		width, scale = p+q, s+r
	}
	if width > narrowDigits && max(p, q) <= narrowDigits && scale < narrowDigits {
		width = narrowDigits
	}
	return quern.Decimal(min(width, maxDigits), scale), op != '%' && scale <= maxDigits
}

// numberType returns the type of a number as it is written.
func numberType(text string) (quern.Type, bool) {
	if strings.ContainsAny(text, "eE") {
		_, err := strconv.ParseFloat(text, 64)
		return quern.Double, err == nil
	}
	whole, fraction, decimal := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	if !decimal {
		_, err := strconv.ParseInt(text, 10, 64)
		return quern.Integer, err == nil
	}
	digits := len(strings.TrimLeft(whole, "0")) + len(fraction)
	if whole != "" && strings.Trim(whole, "0") == "" {
		digits++ // a zero before the point counts
	}
	return quern.Decimal(max(digits, 1), len(fraction)), digits <= maxDigits
}

// minus writes a negative number.
func minus(n int) string { return strconv.Itoa(-n) }
