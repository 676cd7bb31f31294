package format

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"quern/engine"
)

// Split takes the block apart at once, where every record stands on a line of its own and is
// written as it should be. If ok is false nothing has happened, and Read tells what is in it. Otherwise
// the cells are valid until the block is worked on no more, and it cannot be read again.
func (b *Block) Split() (cells engine.Cells, ok bool) {
	text, quote := b.text, b.dialect.Quote
	if len(text) == 0 || quote != '"' && quote != 0 || !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 || text[len(text)-1] == 0x1a {
		return cells, false
	}
	s := splitter{text: text, delimiter: b.dialect.Delimiter, places: b.places[:0], width: b.width}
	s.lines = bytes.Count(text, []byte{'\n'})
	if s.open = text[len(text)-1] != '\n'; s.open {
		s.lines++
	}
	if quotes := bytes.Count(text, []byte{'"'}); quote == 0 || quotes == 0 {
		ok = s.plain()
	} else {
		ok = s.quoted() && s.quotes == quotes
	}
	b.places = s.places
	if ok = ok && len(s.places) == s.lines*s.width && s.endRows(); !ok {
		return cells, false
	}
	s.unquote()
	b.Returns = s.returns
	if b.named {
		s.places = s.places[s.width:]
	}
	b.Rows = int64(len(s.places) / s.width)
	b.text = append(b.text, make([]byte, engine.CellSlack)...)
	return engine.Cells{Text: b.text, Places: s.places, Width: s.width}, true
}

// splitter finds the cells of a text.
type splitter struct {
	text      []byte
	delimiter byte
	width     int  // cells of a line
	lines     int  // that there are
	open      bool // the last has no end
	places    []engine.Place
	quotes    int   // that stand around cells, or doubled in them
	doubled   []int // cells that have some
	returns   int64 // before the ends of lines
}

const (
	eachByte = 0x0101010101010101
	lowBits  = 0x7f7f7f7f7f7f7f7f
)

// notZero has the highest bit of every byte of a word that is not zero, and others.
func notZero(word uint64) uint64 { return (word&lowBits + lowBits) | word }

// plain finds the cells of a text without quotes: whatever stands between delimiters and ends of lines.
func (s *splitter) plain() bool {
	text, count := s.text, s.lines*s.width
	if bytes.Count(text, []byte{s.delimiter})+s.lines != count {
		return false
	}
	if cap(s.places) < count {
		s.places = make([]engine.Place, count)
	}
	places := s.places[:count]
	delimiters, ends := eachByte*uint64(s.delimiter), uint64(eachByte*'\n')
	n, from, at := 0, uint32(0), 0
	for ; at+8 <= len(text); at += 8 {
		word := binary.LittleEndian.Uint64(text[at:])
		for found := ^(notZero(word^delimiters) & notZero(word^ends)) &^ lowBits; found != 0; found &= found - 1 {
			to := uint32(at + bits.TrailingZeros64(found)/8)
			places[n] = engine.Place{From: from, To: to}
			n, from = n+1, to+1
		}
	}
	for ; at < len(text); at++ {
		if c := text[at]; c == s.delimiter || c == '\n' {
			places[n] = engine.Place{From: from, To: uint32(at)}
			n, from = n+1, uint32(at+1)
		}
	}
	if s.open {
		places[n] = engine.Place{From: from, To: uint32(len(text))}
	}
	s.places = places
	return true
}

// quoted finds the cells of a text with quotes.
func (s *splitter) quoted() bool {
	text, most := s.text, s.lines*s.width
	for at := 0; at < len(text); at++ {
		if len(s.places) >= most {
			return false
		}
		if text[at] == '"' {
			if at = s.quotedCell(at + 1); at < 0 {
				return false
			}
		} else {
			from := at
			for at < len(text) && text[at] != s.delimiter && text[at] != '\n' {
				at++
			}
			s.places = append(s.places, engine.Place{From: uint32(from), To: uint32(at)})
		}
		if at == len(text)-1 && text[at] == s.delimiter {
			s.places = append(s.places, engine.Place{From: uint32(len(text)), To: uint32(len(text))})
		}
	}
	return true
}

// quotedCell finds the end of a cell from behind its opening quote, and returns where the delimiter or the end of
// the line behind it is; -1 when there is none.
func (s *splitter) quotedCell(from int) (next int) {
	at, pairs := from, 0
	for {
		end := bytes.IndexByte(s.text[at:], '"')
		if end < 0 {
			return -1
		}
		if at += end + 1; at == len(s.text) || s.text[at] != '"' {
			break
		}
		at++
		pairs++
	}
	if pairs > 0 {
		s.doubled = append(s.doubled, len(s.places))
	}
	s.quotes += 2 + 2*pairs
	s.places = append(s.places, engine.Place{From: uint32(from), To: uint32(at - 1)})
	if at < len(s.text) && s.text[at] == '\r' {
		at++
		if at < len(s.text) && s.text[at] != '\n' {
			return -1
		}
		s.returns++
		return at
	}
	if at < len(s.text) && s.text[at] != s.delimiter && s.text[at] != '\n' {
		return -1
	}
	return at
}

// endRows makes sure that lines end where records do, and no record is empty, and takes the carriage
// returns off the last cells.
func (s *splitter) endRows() bool {
	returns := int64(bytes.Count(s.text, []byte{'\r'}))
	from := 0
	for i := s.width - 1; i < len(s.places); i += s.width {
		last := &s.places[i]
		end := int(last.To)
		if s.quotes > 0 && last.From > 0 && s.text[last.From-1] == '"' {
			if end++; end < len(s.text) && s.text[end] == '\r' {
				end++
			}
		} else if returns > 0 && end > int(last.From) && s.text[end-1] == '\r' {
			last.To--
			s.returns++
		}
		if end < len(s.text) && s.text[end] != '\n' || int(last.To)-from == s.width-1 && last.From == last.To {
			return false
		}
		from = end + 1
	}
	return s.returns == returns
}

// unquote makes one quote of two in the cells that have such.
func (s *splitter) unquote() {
	for _, i := range s.doubled {
		p := &s.places[i]
		to := p.From
		for at := p.From; at < p.To; at++ {
			s.text[to] = s.text[at]
			if to++; s.text[at] == '"' {
				at++
			}
		}
		p.To = to
	}
}
