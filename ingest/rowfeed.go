package ingest

import (
	"bufio"
	"bytes"
	"context"
	"slices"

	"quern"
	"quern/catalog"
	"quern/engine"
)

// rowFeed hands rows of JSON to the engine while they are read and learned, as values of what the
// columns seem to be by the first of them. It gives up as soon as that cannot be what they are.
type rowFeed struct {
	shapes  *shaper
	plan    func([]catalog.Batch) []quern.Column // what columns become in the dataset
	planned []quern.Column                       // what they seem to become
	ctx     context.Context
	to      engine.Blocks
	own     engine.Block // rows that came as lines; nil: none
	bytes   int          // of these
	part    []byte       // the beginning of a line
	learned int          // what the shaper had learned when it was last held against the plan
}

// newRowFeed makes a feed of what a shaper has learned of the first rows, which come again; nil when
// that is nothing that values can be taken as.
func newRowFeed(shapes *shaper, plan func([]catalog.Batch) []quern.Column) *rowFeed {
	f := &rowFeed{shapes: shapes, plan: plan, planned: plan(shapes.columns)}
	if shapes.bad.count > 0 || len(shapes.columns) == 0 || !shapes.takeInto(nil, f.planned) {
		return nil
	}
	shapes.rows = 0
	clear(shapes.lastRow)
	return f
}

// begin readies the feed for all rows.
func (f *rowFeed) begin(ctx context.Context, to engine.Blocks) {
	f.ctx, f.to, f.learned = ctx, to, f.shapes.learned
	f.shapes.out = bufio.NewWriterSize(f, batchSize)
	f.shapes.takeInto(to, f.planned)
}

// Write takes rows as a shaper writes them.
func (f *rowFeed) Write(text []byte) (int, error) {
	written := len(text)
	for len(text) > 0 {
		line, rest := cutLine(text)
		if text = rest; line[len(line)-1] != '\n' || len(f.part) > 0 {
			f.part = append(f.part, line...)
			line = f.part
		}
		if line[len(line)-1] != '\n' {
			break
		}
		if err := f.line(line[:len(line)-1]); err != nil {
			return 0, err
		}
		f.part = f.part[:0]
	}
	return written, nil
}

func (f *rowFeed) line(line []byte) error {
	if f.own == nil {
		f.own = f.to.Empty()
	}
	if !f.own.Line(line) {
		return errGivenUp
	}
	if f.bytes += len(line); f.bytes < chunkBytes {
		return nil
	}
	return f.putOwn()
}

// putOwn hands over the rows that came as lines.
func (f *rowFeed) putOwn() error {
	if f.own == nil {
		return nil
	}
	b := f.own
	f.own, f.bytes = nil, 0
	return f.to.Put(f.ctx, b)
}

// chunk hands over the usual rows of a chunk.
func (f *rowFeed) chunk(c *rowChunk) error {
	for i := range c.grown {
		at := &f.shapes.columns[i].Shape
		*at = at.Join(c.grown[i].Shape)
	}
	if c.count == 0 {
		return nil
	}
	if err := f.flush(); err != nil {
		return err
	}
	return f.to.Put(f.ctx, c.block)
}

// flush hands over all rows so far.
func (f *rowFeed) flush() error {
	if err := f.shapes.out.Flush(); err != nil {
		return err
	}
	return f.putOwn()
}

// changed reports whether the shaper has learned something since it was last asked. It fails with
// errGivenUp when what the columns seemed to be is not what they are.
func (f *rowFeed) changed() (bool, error) {
	if f.shapes.learned == f.learned {
		return false, nil
	}
	f.learned = f.shapes.learned
	return true, f.holds()
}

// holds fails with errGivenUp when the columns are not what they seemed to be.
func (f *rowFeed) holds() error {
	same := f.shapes.bad.count == 0 && slices.Equal(f.plan(f.shapes.columns), f.planned)
	if !same || !f.shapes.takeInto(f.to, f.planned) {
		return errGivenUp
	}
	return nil
}

// flatRow reports whether a row, an object that is known to be JSON, has neither objects nor
// lists in it.
func flatRow(row []byte) bool {
	for at := skipSpace(row, 1); row[at] != '}'; {
		at = skipSpace(row, skipSpace(row, stringEnd(row, at))+1)
		if row[at] == '{' || row[at] == '[' {
			return false
		}
		if at = skipSpace(row, valueEnd(row, at)); row[at] == ',' {
			at = skipSpace(row, at+1)
		}
	}
	return true
}

// takeLine has the shaper take a row that stands alone, usual or not; errGivenUp when it is none
// that is stored as it is.
func (f *rowFeed) takeLine(line []byte) error {
	row := bytes.Trim(line, " \t\r\n")
	if f.shapes.usual(row) == len(row) {
		return f.shapes.keepUsual()
	}
	return f.shapes.otherLine(row)
}
