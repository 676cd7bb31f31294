package duckdb

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"

	"quern"
	"quern/engine"
)

// Column appends a column of cells.
func (b *block) Column(column int, cells engine.Cells, at int) (seen engine.Seen, ok bool) {
	c, known := &b.columns[column], &b.seen[column]
	if c.rows > 0 || len(c.text)+len(cells.Text) > math.MaxInt32 {
		return b.cellByCell(column, cells, at)
	}
	c.missing = c.missing[:0]
	f := cellFill{blockColumn: c, Cells: cells, at: at, known: known}
	switch c.form {
	case textForm:
		f.texts()
		ok = true
	case wholeForm:
		ok = f.wholes()
	case numberForm:
		ok = f.numbers()
	case truthForm:
		ok = f.truths()
	case dayForm:
		ok = f.daysOf()
	case instantForm:
		ok = f.instants()
	default:
		return b.cellByCell(column, cells, at)
	}
	f.end()
	return f.seen, ok
}

// cellByCell appends cells one by one.
func (b *block) cellByCell(column int, cells engine.Cells, at int) (seen engine.Seen, ok bool) {
	for row := range cells.Rows() {
		if text, quoted := cells.Cell(row, at); !b.Cell(column, text, quoted) {
			return seen, false
		}
	}
	return engine.Seen{Odd: true}, true
}

// EndRows ends rows whose columns are all there.
func (b *block) EndRows(rows int) { b.rows, b.values = b.rows+rows, 0 }

// cellFill fills an empty column with cells.
type cellFill struct {
	*blockColumn
	engine.Cells
	at    int // of a record's cells
	known *quern.Registers
	seen  engine.Seen
}

// isNull reports whether a cell is missing, and notes that.
func (f *cellFill) isNull(row int, p engine.Place) bool {
	if p.From != p.To || f.Quoted(p) {
		return false
	}
	f.missing = append(f.missing, int32(row))
	return true
}

// end notes how many rows there are, and which have no value.
func (f *cellFill) end() {
	f.rows, f.nulls = f.Rows(), len(f.missing)
	if f.nulls == 0 {
		return
	}
	f.valid = setBits(f.valid[:0], f.rows)
	for _, row := range f.missing {
		f.valid[row/8] &^= 1 << (row % 8)
	}
}

// texts copies and hashes texts, as quern.HashText does, eight bytes at a time. What is copied
// behind a text is written over by the next.
func (f *cellFill) texts() {
	const word = 8
	to, ends, n := f.text[:cap(f.text)], slices.Grow(f.ends, f.Rows()), 0
	for row, i := 0, f.at; i < len(f.Places); row, i = row+1, i+f.Width {
		p := f.Places[i]
		from, length := int(p.From), int(p.To-p.From)
		if length == 0 && f.isNull(row, p) {
			ends = append(ends, int32(n))
			continue
		}
		if n+length+word > len(to) {
			to = slices.Grow(to, length+word+len(to)/2)
			to = to[:cap(to)]
		}
		h := quern.NewTextHash(length)
		for ; length >= word; length, from, n = length-word, from+word, n+word {
			v := binary.LittleEndian.Uint64(f.Text[from:])
			binary.LittleEndian.PutUint64(to[n:], v)
			h = h.With(v)
		}
		if length > 0 {
			v := binary.LittleEndian.Uint64(f.Text[from:])
			binary.LittleEndian.PutUint64(to[n:], v)
			h = h.With(v & (1<<(8*length) - 1))
			n += length
		}
		ends = append(ends, int32(n))
		f.known.Add(h.Sum())
	}
	f.text, f.ends = to[:n], ends
}

// wholes reads integers.
func (f *cellFill) wholes() bool {
	wide := slices.Grow(f.wide[:0], f.Rows())
	most, odd := 0, false
	for row, i := 0, f.at; i < len(f.Places); row, i = row+1, i+f.Width {
		p := f.Places[i]
		if p.From == p.To {
			if !f.isNull(row, p) {
				return false
			}
			wide = append(wide, 0)
			continue
		}
		from, to, minus := int(p.From), int(p.To), false
		if f.Text[from] == '-' {
			from, minus = from+1, true
		}
		digits, ok := digitsOf(f.Text, from, to)
		v := int64(digits)
		if minus {
			v = -v
		}
		if !ok {
			var n int
			if v, n = wholeOf(f.Text[p.From:to]); n != int(p.To-p.From) {
				return false
			}
		}
		odd = odd || f.Text[from] == '0' && (minus || to-from > 1)
		most = max(most, to-from)
		wide = append(wide, uint64(v))
		f.known.Add(quern.HashNumber(float64(v)))
	}
	f.wide, f.seen = wide, engine.Seen{Whole: most, Both: most, Odd: odd}
	return true
}

// numbers reads doubles.
func (f *cellFill) numbers() bool {
	wide := slices.Grow(f.wide[:0], f.Rows())
	for row, i := 0, f.at; i < len(f.Places); row, i = row+1, i+f.Width {
		p := f.Places[i]
		if p.From == p.To {
			if !f.isNull(row, p) {
				return false
			}
			wide = append(wide, 0)
			continue
		}
		v, whole, fraction := plainNumber(f.Text, int(p.From), int(p.To))
		if whole < 0 {
			var n int
			if v, n = numberOf(f.Text[p.From:p.To]); n != int(p.To-p.From) {
				return false
			}
			f.seen.Odd = true
		} else {
			f.seen.Whole, f.seen.Fraction, f.seen.Both = max(f.seen.Whole, whole), max(f.seen.Fraction, fraction), max(f.seen.Both, whole+fraction)
		}
		wide = append(wide, math.Float64bits(v))
		f.known.Add(quern.HashNumber(v))
	}
	f.wide = wide
	return true
}

// truths reads truth values.
func (f *cellFill) truths() bool {
	var had [2]bool
	bits := append(f.bits[:0], make([]byte, (f.Rows()+7)/8)...)
	for row, i := 0, f.at; i < len(f.Places); row, i = row+1, i+f.Width {
		p := f.Places[i]
		if p.From == p.To {
			if !f.isNull(row, p) {
				return false
			}
			continue
		}
		bit, ok := truthOf(f.Text[p.From:p.To])
		if !ok {
			f.seen.Odd = true
			if bit, ok = truthOf(bytes.ToLower(f.Text[p.From:p.To])); !ok { // True, TRUE
				return false
			}
		}
		bits[row/8] |= bit << (row % 8)
		had[bit] = true
	}
	f.bits = bits
	for bit, is := range had {
		if is {
			f.known.Add(quern.HashWhole(uint64(bit)))
		}
	}
	return true
}

// daysOf reads days. One that is the same as the one before needs no reading.
func (f *cellFill) daysOf() bool {
	days := slices.Grow(f.days[:0], f.Rows())
	var last dayReader
	for row, i := 0, f.at; i < len(f.Places); row, i = row+1, i+f.Width {
		p := f.Places[i]
		if p.From == p.To {
			if !f.isNull(row, p) {
				return false
			}
			days = append(days, 0)
			continue
		}
		day, again, ok := last.read(f.Text, int(p.From))
		if !ok || p.To-p.From != uint32(dayLength) {
			return false
		}
		days = append(days, day)
		if !again {
			f.known.Add(quern.HashWhole(uint64(uint32(day))))
		}
	}
	f.days = days
	return true
}

// instants reads instants, whose days are often the same.
func (f *cellFill) instants() bool {
	wide := slices.Grow(f.wide[:0], f.Rows())
	var last dayReader
	for row, i := 0, f.at; i < len(f.Places); row, i = row+1, i+f.Width {
		p := f.Places[i]
		if p.From == p.To {
			if !f.isNull(row, p) {
				return false
			}
			wide = append(wide, 0)
			continue
		}
		micros, ok := last.instant(f.Text, int(p.From), int(p.To))
		if !ok {
			if micros, ok = civilInstant(f.Text[p.From:p.To], true); !ok {
				return false
			}
		}
		wide = append(wide, uint64(micros))
		f.known.Add(quern.HashWhole(uint64(micros)))
	}
	f.wide = wide
	return true
}
