package duckdb

import (
	"bytes"
	"math"

	"quern"
	"quern/engine"
)

// csvCells says how the cells of a line of delimited text become values of columns.
type csvCells struct {
	engine.CSV
	columns []int // per cell, which column it is; -1: none
	cell    []byte
	quotes  bool // there are some in the block
	returns bool // likewise
}

func newCSVCells(csv engine.CSV) *csvCells {
	c := &csvCells{CSV: csv, columns: make([]int, csv.Cells)}
	for i := range c.columns {
		c.columns[i] = -1
	}
	for column, cell := range csv.At {
		c.columns[cell] = column
	}
	return c
}

// record appends the row of a line; ok is false when it has an unusual form.
func (r *blockReader) record(b *block, line []byte) (ok bool) {
	c := r.cells
	if c.Returns {
		if line, ok = bytes.CutSuffix(line, []byte{'\r'}); !ok {
			return false
		}
	}
	if len(line) == 0 || c.returns && bytes.IndexByte(line, '\r') >= 0 {
		return false
	}
	last := len(c.columns) - 1
	for cell, column := range c.columns {
		text, quoted, n := c.next(line)
		if ended := n == len(line); n < 0 || ended != (cell == last) {
			return false
		}
		if line = line[min(n+1, len(line)):]; column < 0 {
			continue
		}
		if !b.Cell(column, text, quoted) {
			return false
		}
	}
	b.EndRow()
	return true
}

// next returns the cell that a line begins with, whether it is in quotes, and where the
// delimiter behind it is, or the end; -1 when quotes stand where they should not.
func (c *csvCells) next(line []byte) (text []byte, quoted bool, n int) {
	if len(line) == 0 || line[0] != '"' {
		if n = bytes.IndexByte(line, c.Delimiter); n < 0 {
			n = len(line)
		}
		if c.quotes && bytes.IndexByte(line[:n], '"') >= 0 {
			return nil, false, -1
		}
		return line[:n], false, n
	}
	c.cell = c.cell[:0]
	for n = 1; ; n++ {
		end := bytes.IndexByte(line[n:], '"')
		if end < 0 {
			return nil, true, -1
		}
		c.cell = append(c.cell, line[n:n+end]...)
		n += end + 1
		if n == len(line) || line[n] == c.Delimiter {
			return c.cell, true, n
		}
		if line[n] != '"' {
			return nil, true, -1
		}
		c.cell = append(c.cell, '"')
	}
}

// addCell appends the value of a cell and counts it. ok is false when it is written in an
// unusual form, and then the column is of no use any more.
func (c *blockColumn) addCell(text []byte, seen *quern.Registers) (ok bool) {
	if c.form == textForm {
		if len(c.text)+len(text) > math.MaxInt32 {
			return false
		}
		c.text = append(c.text, text...)
		c.ends = append(c.ends, int32(len(c.text)))
		c.noted(quern.HashText(text), seen)
		return true
	}
	if len(text) == 0 {
		return false
	}
	switch c.form {
	case wholeForm:
		v, n := wholeOf(text)
		c.addWide(uint64(v), quern.HashNumber(float64(v)), seen)
		return n == len(text)
	case numberForm:
		v, n := numberOf(text)
		c.addWide(math.Float64bits(v), quern.HashNumber(v), seen)
		return n == len(text)
	case truthForm:
		if c.addTruth(text, seen) == len(text) {
			return true
		}
		return c.addTruth(bytes.ToLower(text), seen) == len(text) // True, TRUE
	case dayForm:
		day, ok := int32(0), len(text) == len("2006-01-02")
		if ok {
			day, ok = civilDay(text)
		}
		c.days = append(c.days, day)
		c.noted(quern.HashWhole(uint64(uint32(day))), seen)
		return ok
	case instantForm:
		micros, ok := civilInstant(text, true)
		c.addWide(uint64(micros), quern.HashWhole(uint64(micros)), seen)
		return ok
	case decimalForm:
		plain, ok := plainDecimal(string(text), c.precision, c.size)
		c.text = append(c.text, plain...)
		c.ends = append(c.ends, int32(len(c.text)))
		c.noted(0, seen) // decimals are counted by the engine
		return ok
	}
	return false
}
