package ingest

import (
	"bytes"
	"maps"
	"slices"
	"unicode/utf8"

	"quern"
)

// Most rows are like those before them: flat, of members that are known, whose values
// change nothing of what is known of their columns. The functions below make sure of that
// and write such a row in one pass, also making sure that it is JSON. They refuse what they
// do not know; it is taken apart by row then.

// usual writes the row that text begins with to the current line, and returns its length in
// text; 0 when it is not a usual row, and then nothing has happened.
func (s *shaper) usual(text []byte) int {
	s.tries++
	s.line = append(append(s.line[:0], '{'), s.prefix...)
	if s.prefix != nil {
		s.lastTry[0] = s.tries
	}
	if len(text) < 2 || text[0] != '{' {
		return 0
	}
	at := spaceEnd(text, 1)
	for position := 0; ; position++ {
		column, end := s.usualName(text[at:], position)
		if end == 0 || s.lastTry[column] == s.tries {
			return 0
		}
		s.lastTry[column] = s.tries
		at = spaceEnd(text, at+end)
		if at >= len(text) || text[at] != ':' {
			return 0
		}
		at = spaceEnd(text, at+1)
		if end = s.usualValue(text[at:], column); end == 0 {
			return 0
		}
		at = spaceEnd(text, at+end)
		switch {
		case at >= len(text):
			return 0
		case text[at] == '}':
			s.line = append(s.line, '}')
			return at + 1
		case text[at] != ',':
			return 0
		}
		at = spaceEnd(text, at+1)
	}
}

// usualNext is usual for a row that stands behind a comma, which counts.
func (s *shaper) usualNext(text []byte) int {
	at := nextRow(text)
	if at == 0 {
		return 0
	}
	if n := s.usual(text[at:]); n > 0 {
		return at + n
	}
	return 0
}

// nextRow returns where the row begins that stands behind a comma; 0 when there is none.
func nextRow(text []byte) int {
	at := spaceEnd(text, 0)
	if at >= len(text) || text[at] != ',' {
		return 0
	}
	return spaceEnd(text, at+1)
}

// keepUsual takes the current line, which usual wrote, as a row.
func (s *shaper) keepUsual() error {
	s.rows++
	_, err := s.out.Write(append(s.line, '\n'))
	return err
}

// spaceEnd returns the place of the first character from at on that is no space, which may
// be behind the end.
func spaceEnd(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r') {
		at++
	}
	return at
}

// usualName returns the column that the string in front of text names, and the string's
// length; 0 when it is no column's name so far.
func (s *shaper) usualName(text []byte, position int) (column, end int) {
	if position < len(s.before) && bytes.HasPrefix(text, s.before[position].raw) && s.before[position].column >= 0 {
		return s.before[position].column, len(s.before[position].raw)
	}
	if end = usualString(text); end == 0 {
		return 0, 0
	}
	column, known := s.byRaw[string(text[:end])]
	if !known || column < 0 {
		return 0, 0
	}
	if position < len(s.before) {
		s.before[position] = spelling{bytes.Clone(text[:end]), column}
	}
	return column, end
}

// usualValue appends the value that text begins with as a member of the current line, and
// returns its length; 0 when it changes what is known of its column, or may do so.
func (s *shaper) usualValue(text []byte, column int) int {
	known := &s.columns[column].Shape
	end := 0
	switch {
	case len(text) == 0:
	case text[0] == '"':
		if end = usualString(text); end > 0 && !holdsText(known.Type, text[1:end-1]) {
			return 0
		}
	case text[0] == 'n':
		return wordEnd(text, "null")
	case text[0] == 't' && known.Type == quern.Boolean:
		end = wordEnd(text, "true")
	case text[0] == 'f' && known.Type == quern.Boolean:
		end = wordEnd(text, "false")
	case known.Type == quern.Integer || known.Type == quern.Double:
		end = usualNumber(text, known.Type, known.Digits)
	}
	if end == 0 {
		return 0
	}
	if len(s.line) > 1 {
		s.line = append(s.line, ',')
	}
	s.line = append(append(s.line, s.members[column]...), text[:end]...)
	return end
}

func wordEnd(text []byte, word string) int {
	if len(text) < len(word) || string(text[:len(word)]) != word {
		return 0
	}
	return len(word)
}

// holdsText reports whether a column of a type stays one with a string.
func holdsText(t quern.Type, text []byte) bool {
	switch t {
	case quern.Text:
		return true
	case quern.Date:
		return isoDate(text)
	case quern.Timestamp:
		zoned := len(text) > 19 && (text[len(text)-1] == 'Z' || text[len(text)-3] == ':')
		return zoned && text[10] == 'T' && isoTime(text)
	}
	return false
}

// plainByte says which bytes of a string mean themselves and are ASCII.
var plainByte = func() (plain [256]bool) {
	for c := byte(' '); c < utf8.RuneSelf; c++ {
		plain[c] = c != '"' && c != '\\'
	}
	return plain
}()

// usualString returns the length of the string that text begins with; 0 when it is none, or
// has a character that is written by its number.
func usualString(text []byte) int {
	if len(text) == 0 || text[0] != '"' {
		return 0
	}
	ascii := true
	for at := 1; at < len(text); at++ {
		c := text[at]
		switch {
		case plainByte[c]:
		case c == '"':
			if !ascii && !utf8.Valid(text[1:at]) {
				return 0
			}
			return at + 1
		case c >= utf8.RuneSelf:
			ascii = false
		case c == '\\' && at+1 < len(text) && bytes.IndexByte([]byte(`"\/bfnrt`), text[at+1]) >= 0:
			at++
		default:
			return 0
		}
	}
	return 0
}

// usualNumber returns the length of the number that text begins with; 0 when it is none
// of those that plainNumber knows, or a column of numbers of a type and so many digits
// would change with it.
func usualNumber(text []byte, t quern.Type, most quern.Digits) int {
	start := len(text) - len(bytes.TrimPrefix(text, []byte("-")))
	at := digitsEnd(text, start)
	whole := at - start
	zero := whole > 0 && text[start] == '0'
	if whole == 0 || zero && whole > 1 {
		return 0
	}
	fraction, point := 0, at < len(text) && text[at] == '.'
	if point {
		first := at + 1
		if at = digitsEnd(text, first); at == first {
			return 0
		}
		fraction = len(bytes.TrimRight(text[first:at], "0"))
		if zero {
			whole = 0 // the zero before a point is no digit of the number
		}
	}
	minusZero := start == 1 && zero && !point
	fits := at-start <= exactDigits && whole <= most.Whole && fraction <= most.Fraction && !(point && t == quern.Integer)
	if !numberEnds(text, at) || minusZero || !fits {
		return 0
	}
	return at
}

// digitsEnd returns the place of the first character from at on that is no digit.
func digitsEnd(text []byte, at int) int {
	for at < len(text) && digit(text[at]) {
		at++
	}
	return at
}

// numberEnds reports whether a number may end before a place.
func numberEnds(text []byte, at int) bool {
	return at < len(text) && (text[at] == ',' || text[at] == '}' || text[at] <= ' ')
}

// snapshot returns a copy of what usual looks at.
func (s *shaper) snapshot() *shaper {
	return &shaper{
		byRaw: maps.Clone(s.byRaw), columns: slices.Clone(s.columns), members: slices.Clone(s.members), before: slices.Clone(s.before), prefix: s.prefix,
		blocks: s.blocks, holdings: slices.Clone(s.holdings),
	}
}

// reader returns a shaper that finds usual rows by a snapshot, which it does not change.
func (s *shaper) reader() *shaper {
	own := *s
	own.columns = slices.Clone(s.columns)
	own.before, own.lastTry = slices.Clone(s.before), make([]int64, len(s.columns))
	return &own
}
