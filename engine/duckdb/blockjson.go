package duckdb

import (
	"encoding/binary"
	"math"
	"math/bits"
	"unicode/utf8"

	"quern"
)

// Value appends the value that text begins with, which need not be JSON, to a column. It takes
// what is written as most values of a type are, and makes sure of that in the pass that makes a value of it.
func (b *block) Value(column int, text []byte) (n int, digits quern.Digits) {
	c, seen := &b.columns[column], &b.seen[column]
	if c.rows != b.rows || len(text) == 0 {
		return 0, digits // named twice, or cut off
	}
	switch {
	case c.form == nestedForm || c.form == decimalForm:
		return 0, digits
	case text[0] == 'n':
		if n = prefixed(text, "null"); n > 0 {
			c.null()
		}
	case c.form == textForm:
		n = c.addString(text, seen)
	case c.form == wholeForm || c.form == numberForm:
		n, digits = c.addNumber(text, seen)
	default:
		n = c.add(text, seen)
	}
	if n > 0 {
		b.values++
	}
	return n, digits
}

// prefixed is the length of a word that text begins with, or 0.
func prefixed(text []byte, word string) int {
	if len(text) < len(word) || string(text[:len(word)]) != word {
		return 0
	}
	return len(word)
}

// addString appends the text of the JSON string that b begins with.
func (c *blockColumn) addString(b []byte, seen *quern.Registers) int {
	end, escaped := stringIn(b)
	if end == 0 || len(c.text)+end > math.MaxInt32 {
		return 0
	}
	from := len(c.text)
	if escaped {
		var ok bool
		if c.text, ok = appendUnquoted(c.text, b[:end]); !ok {
			c.text = c.text[:from]
			return 0
		}
	} else {
		c.text = append(c.text, b[1:end-1]...)
	}
	c.ends = append(c.ends, int32(len(c.text)))
	c.noted(quern.HashText(c.text[from:]), seen)
	return end
}

// stringIn returns the length of the JSON string that b begins with, whose escapes are still to
// be looked at, if there are any; 0 when it is none.
func stringIn(b []byte) (n int, escaped bool) {
	if b[0] != '"' {
		return 0, false
	}
	ascii := true
	for n = 1; n < len(b); {
		if n+8 <= len(b) {
			marks := specialBytes(binary.LittleEndian.Uint64(b[n:]))
			if marks == 0 {
				n += 8
				continue
			}
			n += bits.TrailingZeros64(marks) / 8
		}
		switch c := b[n]; {
		case c == '"':
			if !ascii && !utf8.Valid(b[1:n]) {
				return 0, false
			}
			return n + 1, escaped
		case c == '\\':
			escaped = true
			n += 2
		case c < ' ':
			return 0, false
		default:
			ascii = ascii && c < utf8.RuneSelf
			n++
		}
	}
	return 0, false
}

// specialBytes marks, by its highest bit, the first of eight bytes that does not stand for itself in
// a JSON string of ASCII, and maybe bytes behind that.
func specialBytes(x uint64) uint64 {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	quote, slash := x^(ones*'"'), x^(ones*'\\')
	// Taking one from a byte that is zero, or a blank from one below, borrows from its highest bit.
	return (x | (quote-ones)&^quote | (slash-ones)&^slash | (x-ones*' ')&^x) & tops
}

// addNumber appends the number that b begins with, if it has so few digits that every double of
// as many is exact, and no exponent.
func (c *blockColumn) addNumber(b []byte, seen *quern.Registers) (n int, digits quern.Digits) {
	const most = 15 // characters but for the sign
	start := signed(b)
	text := b[start:min(len(b), start+most+1)]
	value, n := someDigits(text, 0, 0)
	digits.Whole = n
	zero := n > 0 && text[0] == '0'
	if n == 0 || zero && n > 1 {
		return 0, quern.Digits{}
	}
	fraction := 0 // digits behind the point
	if n < len(text) && text[n] == '.' && c.form == numberForm {
		point := n
		value, n = someDigits(text, point+1, value)
		if fraction = n - point - 1; fraction == 0 {
			return 0, quern.Digits{}
		}
		digits.Fraction = fraction
		for text[point+digits.Fraction] == '0' {
			digits.Fraction-- // down to the point
		}
		if zero {
			digits.Whole = 0 // the zero before a point is no digit of the number
		}
	}
	if n >= len(text) || !endsNumber[text[n]] || start == 1 && value == 0 {
		return 0, quern.Digits{}
	}
	if start == 1 {
		value = -value
	}
	number := float64(value) / tens[fraction]
	if c.form == wholeForm {
		c.addWide(uint64(value), quern.HashNumber(number), seen)
	} else {
		c.addWide(math.Float64bits(number), quern.HashNumber(number), seen)
	}
	return start + n, digits
}

// someDigits reads the digits of text from a place on, which follow those of a value, and returns the
// value with them and where they end.
func someDigits(text []byte, at int, value int64) (int64, int) {
	for ; at < len(text) && isDigit(text[at]); at++ {
		value = 10*value + int64(text[at]-'0')
	}
	return value, at
}

// endsNumber says which bytes may stand behind a number in an object.
var endsNumber = [256]bool{',': true, '}': true, ' ': true, '\n': true, '\r': true, '\t': true}
