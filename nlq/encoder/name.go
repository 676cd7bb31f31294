package encoder

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
)

// Bounds of texts; learned/train/pieces.py has the same.
const (
	mostQuestion   = 96 // pieces of a question, with its begin and end
	mostText       = 32 // pieces of a name's text
	mostKept       = 5  // pieces of a name that are kept
	tableWords     = 6
	ownWords       = 8
	valueRunes     = 24
	valuePieces    = 6
	scaleBytes     = 4
	greatestNumber = 127
)

// ShownValues is how many values of a column its name is read with.
const ShownValues = 3

// Text is what the name of a column or a table is read with.
type Text struct {
	Table  []string // the words of a column's table; none for a table
	Words  []string // its own
	Values []string // of a column, the first ShownValues of which count
}

// read returns the pieces of a text, and the places of those that are kept.
func (p *Pieces) read(t Text) (ids []int32, kept []int) {
	ids = append(ids, p.begin)
	for _, w := range t.Table[:min(len(t.Table), tableWords)] {
		ids = append(ids, p.Word(w)...)
	}
	if len(t.Table) > 0 {
		ids = append(ids, p.colon)
	}
	first := len(ids)
	for _, w := range t.Words[:min(len(t.Words), ownWords)] {
		ids = append(ids, p.Word(w)...)
	}
	last := len(ids)
	ids = p.appendValues(ids, t.Values[:min(len(t.Values), ShownValues)])
	ids = append(ids[:min(len(ids), mostText-1)], p.end)
	for i := first; i < min(last, mostText-1, first+mostKept); i++ {
		kept = append(kept, i)
	}
	if len(kept) == 0 {
		kept = append(kept, 0)
	}
	return ids, kept
}

func (p *Pieces) appendValues(ids []int32, values []string) []int32 {
	for i, v := range values {
		if i == 0 {
			ids = append(ids, p.opening)
		} else {
			ids = append(ids, p.comma)
		}
		pieces := p.Word(firstRunes(v, valueRunes))
		ids = append(ids, pieces[:min(len(pieces), valuePieces)]...)
	}
	if len(values) > 0 {
		ids = append(ids, p.closingMark)
	}
	return ids
}

func firstRunes(text string, n int) string {
	for at := range text {
		if n == 0 {
			return text[:at]
		}
		n--
	}
	return text
}

// Key tells texts apart by what the layers see of them.
type Key [16]byte

// Key returns the key of a text.
func (e *Encoder) Key(t Text) Key {
	ids, kept := e.pieces.read(t)
	data := make([]byte, 0, 4*(len(ids)+len(kept)))
	for _, id := range ids {
		data = binary.LittleEndian.AppendUint32(data, uint32(id))
	}
	for _, place := range kept {
		data = binary.LittleEndian.AppendUint32(data, uint32(place))
	}
	sum := sha256.Sum256(data)
	return Key(sum[:len(Key{})])
}

// Name is what the lower layers make of a text: for each piece that is kept a scale
// and a byte for each number.
type Name []byte

// nameOf rounds rows of so many numbers to bytes.
func nameOf(rows []float32, size int) Name {
	n := make(Name, 0, len(rows)/size*(scaleBytes+size))
	for ; len(rows) >= size; rows = rows[size:] {
		most := float32(0)
		for _, x := range rows[:size] {
			most = max(most, x, -x)
		}
		scale := most / greatestNumber
		n = binary.LittleEndian.AppendUint32(n, math.Float32bits(scale))
		for _, x := range rows[:size] {
			whole := 0.0
			if scale > 0 {
				whole = math.RoundToEven(float64(x / scale))
			}
			n = append(n, byte(int8(min(max(whole, -greatestNumber), greatestNumber))))
		}
	}
	return n
}

// Fits reports whether a name has what the encoder kept of one: what was stored may
// be damaged.
func (e *Encoder) Fits(n Name) bool {
	each := scaleBytes + e.Size
	if len(n) == 0 || len(n)%each != 0 || len(n)/each > mostKept {
		return false
	}
	for at := 0; at < len(n); at += each {
		scale := float64(math.Float32frombits(binary.LittleEndian.Uint32(n[at:])))
		if math.IsNaN(scale) || math.IsInf(scale, 0) {
			return false
		}
	}
	return true
}

// count is how many pieces a name has.
func (n Name) count(size int) int { return len(n) / (scaleBytes + size) }

// write sets rows of so many numbers to the pieces of a name.
func (n Name) write(to []float32, size int) {
	for ; len(n) > 0; n, to = n[scaleBytes+size:], to[size:] {
		scale := math.Float32frombits(binary.LittleEndian.Uint32(n))
		for i, b := range n[scaleBytes : scaleBytes+size] {
			to[i] = float32(int8(b)) * scale
		}
	}
}
