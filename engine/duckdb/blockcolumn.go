package duckdb

import (
	"bytes"
	"encoding/json"
	"math"
	"time"

	"quern"
)

// columnForm is how a column's values are written and laid out.
type columnForm uint8

const (
	textForm    columnForm = iota // strings; other values as they are written
	wholeForm                     // int64
	numberForm                    // float64
	truthForm                     // bits
	dayForm                       // days since 1970, int32
	instantForm                   // microseconds since then, int64
	decimalForm                   // texts, which the engine casts
	nestedForm                    // texts of JSON
)

// blockColumn is one column of a block.
type blockColumn struct {
	form            columnForm
	precision, size int // of decimals
	rows, nulls     int
	valid           []byte   // a bit for every row, set when it is not null; none while no row is
	wide            []uint64 // the values of 64 bits
	days            []int32
	bits            []byte
	ends            []int32 // of the texts; the first is 0
	text            []byte
	missing         []int32 // rows without a value, while cells are taken together
}

func (c *blockColumn) set(t quern.Type) {
	switch t {
	case quern.Integer:
		c.form = wholeForm
	case quern.Double:
		c.form = numberForm
	case quern.Boolean:
		c.form = truthForm
	case quern.Date:
		c.form = dayForm
	case quern.Timestamp:
		c.form = instantForm
	case quern.JSON:
		c.form = nestedForm
	}
	if precision, scale, decimal := t.DecimalSize(); decimal {
		c.form, c.precision, c.size = decimalForm, precision, scale
	}
	c.reset()
}

func (c *blockColumn) reset() {
	c.rows, c.nulls = 0, 0
	c.valid, c.wide, c.days, c.bits = c.valid[:0], c.wide[:0], c.days[:0], c.bits[:0]
	c.ends, c.text = append(c.ends[:0], 0), c.text[:0]
}

// isText reports whether the column's values are laid out as texts.
func (c *blockColumn) isText() bool {
	return c.form == textForm || c.form == decimalForm || c.form == nestedForm
}

// null appends a missing value.
func (c *blockColumn) null() {
	if c.nulls == 0 {
		c.valid = setBits(c.valid[:0], c.rows)
	}
	c.nulls++
	c.valid = appendBit(c.valid, c.rows, 0)
	switch c.form {
	case wholeForm, numberForm, instantForm:
		c.wide = append(c.wide, 0)
	case dayForm:
		c.days = append(c.days, 0)
	case truthForm:
		c.bits = appendBit(c.bits, c.rows, 0)
	default:
		c.ends = append(c.ends, int32(len(c.text)))
	}
	c.rows++
}

// undo takes the last value back.
func (c *blockColumn) undo() {
	c.rows--
	if c.nulls > 0 {
		if c.valid[c.rows/8]>>(c.rows%8)&1 == 0 {
			c.nulls--
		}
		c.valid = cutBits(c.valid, c.rows)
	}
	switch c.form {
	case wholeForm, numberForm, instantForm:
		c.wide = c.wide[:c.rows]
	case dayForm:
		c.days = c.days[:c.rows]
	case truthForm:
		c.bits = cutBits(c.bits, c.rows)
	default:
		c.text, c.ends = c.text[:c.ends[c.rows]], c.ends[:c.rows+1]
	}
}

// cutBits leaves so many bits.
func cutBits(bits []byte, n int) []byte {
	bits = bits[:(n+7)/8]
	if n%8 > 0 {
		bits[n/8] &= 1<<(n%8) - 1
	}
	return bits
}

// setBits appends so many bits that are set.
func setBits(bits []byte, n int) []byte {
	for ; n >= 8; n -= 8 {
		bits = append(bits, 0xff)
	}
	if n > 0 {
		bits = append(bits, 1<<n-1)
	}
	return bits
}

// appendBit sets the bit at a place, which is the next.
func appendBit(bits []byte, at int, bit byte) []byte {
	if at%8 == 0 {
		return append(bits, bit)
	}
	bits[at/8] |= bit << (at % 8)
	return bits
}

// add appends the value that b begins with, counts it, and returns its length in b; 0 when
// it is written in an unusual form, and then nothing has happened.
func (c *blockColumn) add(b []byte, seen *quern.Registers) (n int) {
	if b[0] == 'n' && c.form != nestedForm {
		if !bytes.HasPrefix(b, []byte("null")) {
			return 0
		}
		c.null()
		return len("null")
	}
	switch c.form {
	case wholeForm:
		var v int64
		if v, n = wholeOf(b); n > 0 {
			c.addWide(uint64(v), quern.HashNumber(float64(v)), seen)
		}
	case numberForm:
		var v float64
		if v, n = numberOf(b); n > 0 {
			c.addWide(math.Float64bits(v), quern.HashNumber(v), seen)
		}
	case instantForm:
		var v int64
		if v, n = instantOf(b); n > 0 {
			c.addWide(uint64(v), quern.HashWhole(uint64(v)), seen)
		}
	case dayForm:
		var v int32
		if v, n = dayOf(b); n > 0 {
			c.days = append(c.days, v)
			c.noted(quern.HashWhole(uint64(uint32(v))), seen)
		}
	case truthForm:
		n = c.addTruth(b, seen)
	default:
		n = c.addText(b, seen)
	}
	return n
}

func (c *blockColumn) addWide(v, hash uint64, seen *quern.Registers) {
	c.wide = append(c.wide, v)
	c.noted(hash, seen)
}

// noted ends the adding of a value.
func (c *blockColumn) noted(hash uint64, seen *quern.Registers) {
	if c.nulls > 0 {
		c.valid = appendBit(c.valid, c.rows, 1)
	}
	c.rows++
	seen.Add(hash)
}

func (c *blockColumn) addTruth(b []byte, seen *quern.Registers) int {
	for bit, word := range []string{"false", "true"} {
		if len(b) >= len(word) && string(b[:len(word)]) == word {
			c.bits = appendBit(c.bits, c.rows, byte(bit))
			c.noted(quern.HashWhole(uint64(bit)), seen)
			return len(word)
		}
	}
	return 0
}

func (c *blockColumn) addText(b []byte, seen *quern.Registers) int {
	value, _ := cut(b)
	if len(value) == 0 {
		return 0
	}
	var ok bool
	from := len(c.text)
	switch first := value[0]; {
	case c.form == nestedForm:
		c.text, ok = append(c.text, value...), json.Valid(value)
	case c.form == decimalForm:
		var plain string
		plain, ok = plainDecimal(string(value), c.precision, c.size)
		c.text = append(c.text, plain...)
	case first == '"':
		c.text, ok = appendUnquoted(c.text, value)
	default:
		number := first == '-' || isDigit(first)
		c.text, ok = append(c.text, value...), number || string(value) == "true" || string(value) == "false"
	}
	if !ok || len(c.text) > math.MaxInt32 {
		c.text = c.text[:from]
		return 0
	}
	c.ends = append(c.ends, int32(len(c.text)))
	c.noted(quern.HashText(c.text[from:]), seen)
	return len(value)
}

// value is a value in the form that engine.Rows promises.
func (c *blockColumn) value(row int) any {
	if c.nulls > 0 && c.valid[row/8]>>(row%8)&1 == 0 {
		return nil
	}
	switch c.form {
	case wholeForm:
		return int64(c.wide[row])
	case numberForm:
		return math.Float64frombits(c.wide[row])
	case truthForm:
		return c.bits[row/8]>>(row%8)&1 == 1
	case dayForm:
		return dateText(c.days[row])
	case instantForm:
		return timestampText(int64(c.wide[row]), time.UnixMicro)
	}
	text := c.text[c.ends[row]:c.ends[row+1]]
	if c.form == textForm {
		return string(text)
	}
	return json.RawMessage(text)
}
