package duckdb

import (
	"encoding/binary"
	"math/bits"
)

// The functions below read values from eight bytes at a time. They may look at bytes behind a value, which
// engine.CellSlack promises.

const (
	zeros    = 0x3030303030303030 // eight digits
	highBits = 0x8080808080808080
	overNine = 0x7676767676767676 // makes the highest bit of a byte set that is more than nine
	points   = 0x2e2e2e2e2e2e2e2e
	lowBits  = 0x7f7f7f7f7f7f7f7f
	wordSize = 8
)

// eightDigits is the number that eight digits are, the first in the lowest byte, each the number that it
// stands for; ok is false when some are none.
func eightDigits(digits uint64) (v uint64, ok bool) {
	if (digits|(digits+overNine))&highBits != 0 {
		return 0, false
	}
	digits = digits * 2561 >> 8
	digits = digits & 0x00ff00ff00ff00ff * 6553601 >> 16
	return digits & 0x0000ffff0000ffff * 42949672960001 >> 32, true
}

// fewDigits is the number that the first one to eight bytes of a word are as digits.
func fewDigits(word uint64, n int) (v uint64, ok bool) {
	return eightDigits((word ^ zeros) << (8 * (wordSize - n)))
}

// digitsOf is the number that one to sixteen digits are; ok is false when they are other than that.
func digitsOf(text []byte, from, to int) (v uint64, ok bool) {
	n := to - from
	if n <= 0 || n > 2*wordSize {
		return 0, false
	}
	word := binary.LittleEndian.Uint64(text[from:])
	if n <= wordSize {
		return fewDigits(word, n)
	}
	n -= wordSize
	high, ok := eightDigits(word ^ zeros)
	if !ok {
		return 0, false
	}
	low, ok := fewDigits(binary.LittleEndian.Uint64(text[from+wordSize:]), n)
	return high*wholeTens[n] + low, ok
}

// wholeTens are powers of ten.
var wholeTens = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}

// plainNumber is the number that a text is which has digits, a point among them, and a minus maybe, and how many digits
// stand before and behind the point, of which a zero before it is none. whole is -1 for all other texts,
// and for those whose number dividing would not make exactly.
func plainNumber(text []byte, from, to int) (v float64, whole, fraction int) {
	minus := text[from] == '-'
	if minus {
		from++
	}
	n := to - from
	if n <= 0 || n > 2*wordSize {
		return 0, -1, 0
	}
	point := pointIn(text, from, n)
	if point < 0 {
		point = n
	}
	digits, ok := pointedDigits(text, from, to, point)
	needless := text[from] == '0' && point > 1
	if !ok || minus && digits == 0 || needless {
		return 0, -1, 0
	}
	if v = float64(digits); point < n {
		fraction = n - point - 1
		v /= tens[fraction]
	}
	if minus {
		v = -v
	}
	if whole = point; fraction > 0 && text[from] == '0' {
		whole = 0
	}
	return v, whole, fraction
}

// pointedDigits is the number that the digits of a text are whose point, if it has one, stands behind so many of
// them; ok is false where there is none on one side, or there are more digits than doubles have.
func pointedDigits(text []byte, from, to, point int) (digits uint64, ok bool) {
	const safe = 15
	n := to - from
	switch {
	case point == n:
		digits, ok = digitsOf(text, from, to)
		return digits, ok && n <= safe
	case point == 0 || point == n-1 || n > safe+1:
		return 0, false
	case n <= wordSize:
		word := binary.LittleEndian.Uint64(text[from:])
		before := uint64(1)<<(8*point) - 1
		return fewDigits(word&before|word>>8&^before, n-1)
	}
	whole, ok := digitsOf(text, from, from+point)
	if !ok {
		return 0, false
	}
	fraction, ok := digitsOf(text, from+point+1, to)
	return whole*uint64(tens[n-point-1]) + fraction, ok
}

// pointIn is where the first point among n bytes is, up to sixteen; -1 when there is none.
func pointIn(text []byte, from, n int) int {
	for at := 0; at < n; at += wordSize {
		word := binary.LittleEndian.Uint64(text[from+at:]) ^ points
		if found := ^((word&lowBits + lowBits) | word) & highBits; found != 0 {
			if at += bits.TrailingZeros64(found) / 8; at < n {
				return at
			}
			return -1
		}
	}
	return -1
}

// truthOf is the truth value that a text is.
func truthOf(text []byte) (bit byte, ok bool) {
	switch string(text) {
	case "true":
		return 1, true
	case "false":
		return 0, true
	}
	return 0, false
}

const dayLength = len("2006-01-02")

// dayReader reads days, and knows the last again.
type dayReader struct {
	head uint64
	tail uint16
	day  int32
	has  bool
}

// read is the day that a text begins with, as civilDay reads it. again says that it is the last one.
func (d *dayReader) read(text []byte, from int) (day int32, again, ok bool) {
	const form = 0x2d30302d30303030 // 0000-00-
	head, tail := binary.LittleEndian.Uint64(text[from:]), binary.LittleEndian.Uint16(text[from+wordSize:])
	if d.has && head == d.head && tail == d.tail {
		return d.day, true, true
	}
	digits, ofMonth := head^form, tail^0x3030
	if (digits|(digits+overNine))&highBits != 0 || digits&0xff0000ff00000000 != 0 || (ofMonth|(ofMonth+0x7676))&0x8080 != 0 {
		return 0, false, false
	}
	year := int(digits&0xff)*1000 + int(digits>>8&0xff)*100 + int(digits>>16&0xff)*10 + int(digits>>24&0xff)
	month := int(digits>>40&0xff)*10 + int(digits>>48&0xff)
	if day, ok = dayNumber(year, month, int(ofMonth&0xff)*10+int(ofMonth>>8)); ok {
		*d = dayReader{head, tail, day, true}
	}
	return day, false, ok
}

// instant is the instant that a text is, as civilInstant reads a bare one.
func (d *dayReader) instant(text []byte, from, to int) (micros int64, ok bool) {
	const form = 0x30303a30303a3030 // 00:00:00
	const clock, length = dayLength + 1, dayLength + len(" 00:00:00")
	if to-from < length {
		return 0, false
	}
	day, _, ok := d.read(text, from)
	digits := binary.LittleEndian.Uint64(text[from+clock:]) ^ form
	between := text[from+clock-1]
	if !ok || between != ' ' && between != 'T' || (digits|(digits+overNine))&highBits != 0 || digits&0x0000ff0000ff0000 != 0 {
		return 0, false
	}
	hour, minute, second := (digits&0xff)*10+digits>>8&0xff, (digits>>24&0xff)*10+digits>>32&0xff, (digits>>48&0xff)*10+digits>>56
	if hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	micros = int64(day)*microsPerDay + int64(3600*hour+60*minute+second)*microsPerSecond
	rest := text[from+length : to]
	if len(rest) == 0 {
		return micros, true
	}
	fraction, n := fractionOf(rest)
	if n < 0 {
		return 0, false
	}
	rest = rest[n:]
	offset, n := offsetOf(rest, true)
	return micros + fraction - int64(60*offset)*microsPerSecond, n == len(rest)
}
