package ingest

import (
	"bytes"
	"slices"

	"quern"
	"quern/catalog"
	"quern/engine"
)

// Where it is known what the columns will be, usual rows become values of a block in the pass
// that makes sure that they are usual, and JSON.

// holding says what values change nothing of what is known of a column.
type holding uint8

const (
	holdsNothing  holding = iota // but null
	holdsAll                     // that are of its type
	holdsInstants                // likewise, but for some of the first and of the last year
	holdsWhole
	holdsNumbers
)

// holdingOf returns what a column of a shape holds that is planned as a type; ok is false when the
// values of the type are not those of the shape.
func holdingOf(known catalog.Shape, planned quern.Type) (h holding, ok bool) {
	switch known.Type {
	case "":
		return holdsNothing, true
	case quern.Text, quern.Date, quern.Boolean:
		return holdsAll, planned == known.Type
	case quern.Timestamp:
		return holdsInstants, planned == known.Type
	case quern.Integer:
		return holdsWhole, planned == quern.Integer || planned == quern.Double
	case quern.Double:
		return holdsNumbers, planned == quern.Double
	}
	return holdsNothing, false
}

// take appends the row that text begins with to a block and returns its length in text. The row is
// still to be ended; or to be undone, when the length is 0, for it is not a usual one.
func (s *shaper) take(text []byte, to engine.Block) int {
	if len(text) < 2 || text[0] != '{' {
		return 0
	}
	at := 1
	for position := 0; ; position++ {
		column, end := s.takeName(text[at:], position)
		if end == 0 {
			return 0
		}
		at = spaceEnd(text, at+end)
		if end = s.takeValue(text[at:], column, to); end == 0 {
			return 0
		}
		at = spaceEnd(text, at+end)
		switch {
		case at >= len(text):
			return 0
		case text[at] == '}':
			return at + 1
		case text[at] != ',':
			return 0
		}
		at++
	}
}

// takeName returns the column that the member in front of text is of, and the length of its name
// with the colon and the space around it; 0 when it is of no column so far.
func (s *shaper) takeName(text []byte, position int) (column, end int) {
	if position < len(s.before) {
		known := &s.before[position]
		if end = len(known.raw); len(text) > end && text[end] == ':' && bytes.Equal(text[:end], known.raw) && known.column >= 0 {
			return known.column, end + 1
		}
	}
	at := spaceEnd(text, 0)
	if column, end = s.usualName(text[at:], position); end == 0 {
		return 0, 0
	}
	if at = spaceEnd(text, at+end); at >= len(text) || text[at] != ':' {
		return 0, 0
	}
	return column, at + 1
}

// takeValue appends the value that text begins with to a column of a block, and returns its length;
// 0 when it changes what is known of its column, or may do so, but for how many digits it has.
func (s *shaper) takeValue(text []byte, column int, to engine.Block) int {
	n, digits := to.Value(column, text)
	if n == 0 || text[0] == 'n' {
		return n
	}
	switch s.holdings[column] {
	case holdsAll:
		return n
	case holdsInstants:
		if text[1] != '0' && text[1] != '9' || holdsText(quern.Timestamp, text[1:n-1]) {
			return n
		}
		return 0
	case holdsWhole:
		if bytes.IndexByte(text[:n], '.') >= 0 {
			return 0
		}
	case holdsNothing:
		return 0
	}
	if known := &s.columns[column].Digits; digits.Whole > known.Whole || digits.Fraction > known.Fraction {
		known.Whole, known.Fraction = max(known.Whole, digits.Whole), max(known.Fraction, digits.Fraction)
		s.grown = true
	}
	return n
}

// takeInto makes the rows of chunks values of blocks of columns; ok is false when their values are
// not of the columns' types.
func (s *shaper) takeInto(blocks engine.Blocks, planned []quern.Column) (ok bool) {
	s.blocks, s.holdings = blocks, make([]holding, len(s.columns))
	ok = len(s.columns) == len(planned)
	for i := range planned {
		if ok {
			s.holdings[i], ok = holdingOf(s.columns[i].Shape, planned[i].Type)
		}
	}
	return ok
}

// took returns the columns as they are known, if rows that were taken have more digits than was
// known before.
func (s *shaper) took() []catalog.Batch {
	if !s.grown {
		return nil
	}
	s.grown = false
	return slices.Clone(s.columns)
}
