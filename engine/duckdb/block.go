package duckdb

import (
	"bytes"
	"errors"
	"runtime"
	"sync/atomic"

	"quern"
	"quern/engine"
)

// errOdd says that a source has a line that blocks do not take: it must be read the
// careful way, which also finds out what is wrong with it, if anything is.
var errOdd = errors.New("duckdb: a line is written in an unusual form")

// block is some rows of a source as columns of values, in the layout that Arrow has for
// them.
type block struct {
	text    []byte // the lines
	columns []blockColumn
	seen    []quern.Registers // the values of each column
	rows    int
	values  int // of the row that has not ended
	lines   *blockReader
	ready   chan error // what came of making columns of the text
	// While the engine reads the block, its memory stays where it is.
	pins runtime.Pinner
	held atomic.Int32 // columns that the engine has not released
}

// newBlock makes a block for columns of these types, whose lines are read by a reader.
func newBlock(columns []quern.Column, lines *blockReader) *block {
	b := &block{columns: make([]blockColumn, len(columns)), seen: make([]quern.Registers, len(columns)), ready: make(chan error, 1), lines: lines}
	for i, c := range columns {
		b.columns[i].set(c.Type)
	}
	return b
}

// reset makes the block as good as new.
func (b *block) reset() {
	b.text, b.rows, b.values = b.text[:0], 0, 0
	clear(b.seen)
	for i := range b.columns {
		b.columns[i].reset()
	}
}

// Cell appends the value of a cell.
func (b *block) Cell(column int, text []byte, quoted bool) bool {
	to := &b.columns[column]
	b.values++
	if len(text) == 0 && !quoted {
		to.null()
		return true
	}
	return to.addCell(text, &b.seen[column])
}

// EndRow ends a row, whose missing values are null.
func (b *block) EndRow() {
	b.rows++
	if b.values < len(b.columns) {
		for i := range b.columns {
			if c := &b.columns[i]; c.rows < b.rows {
				c.null()
			}
		}
	}
	b.values = 0
}

// Undo takes back the values of a row that has not ended. That they were counted does not matter:
// either they come again, or nothing comes of the block.
func (b *block) Undo() {
	for i := range b.columns {
		if c := &b.columns[i]; c.rows > b.rows {
			c.undo()
		}
	}
	b.values = 0
}

// Line appends the row of a line.
func (b *block) Line(text []byte) bool { return b.lines.line(b, text) }

// blockReader makes columns of the lines of blocks.
type blockReader struct {
	members [][]byte  // what each column's member begins with
	cells   *csvCells // nil: the lines are NDJSON
}

func newBlockReader(src engine.Source) *blockReader {
	r := &blockReader{}
	if src.CSV != nil {
		r.cells = newCSVCells(*src.CSV)
	}
	for i := range src.Columns {
		r.members = append(r.members, appendPosition(nil, i))
	}
	return r
}

// read makes columns of a block's lines; errOdd when one of them has an unusual form.
func (r *blockReader) read(b *block) error {
	take := r.line
	if r.cells != nil {
		take = r.record
		r.cells.quotes = bytes.IndexByte(b.text, '"') >= 0
		r.cells.returns = bytes.IndexByte(b.text, '\r') >= 0
	}
	for rest := b.text; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			end = len(rest)
		}
		if end == 0 || !take(b, rest[:end]) {
			return errOdd
		}
		rest = rest[min(end+1, len(rest)):]
	}
	return nil
}

// line appends a row, an object without white space whose members are named by position.
func (r *blockReader) line(b *block, line []byte) (ok bool) {
	if len(line) < 2 || line[0] != '{' || line[len(line)-1] != '}' {
		return false
	}
	rest := line[1 : len(line)-1]
	for next := 0; len(rest) > 0; next++ {
		var column int
		if next < len(r.members) && bytes.HasPrefix(rest, r.members[next]) {
			column, rest = next, rest[len(r.members[next]):]
		} else if column, rest, ok = position(rest); !ok || column >= len(b.columns) {
			return false
		}
		next = column
		c := &b.columns[column]
		if c.rows != b.rows || len(rest) == 0 {
			return false // named twice, or cut off
		}
		b.values++
		n := c.add(rest, &b.seen[column])
		if rest = rest[n:]; n == 0 || len(rest) == 1 || len(rest) > 0 && rest[0] != ',' {
			return false
		}
		if len(rest) > 0 {
			rest = rest[1:]
		}
	}
	b.EndRow()
	return true
}
