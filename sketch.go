package quern

import (
	"encoding/binary"
	"math"
	"slices"
)

// SketchRegisters is the number of registers of a Sketch: the estimate is off
// by about three percent.
const SketchRegisters = 1024

// Registers are a HyperLogLog's registers. A value whose hash is h updates the
// register numbered by the top ten bits of h with one more than the number of
// leading zeros among the other 54.
type Registers [SketchRegisters]uint8

// Sketch estimates the number of distinct values. It is a compact encoding of
// Registers, small while few values were seen. The zero Sketch has seen none.
type Sketch []byte

const (
	sparse = 0 // then triples of register number (2 bytes) and value
	dense  = 1 // then every register
)

// Merge adds the values that other has seen.
func (r *Registers) Merge(other *Registers) {
	for i, v := range other {
		r[i] = max(r[i], v)
	}
}

// Sketch encodes the registers.
func (r *Registers) Sketch() Sketch {
	seen := 0
	for _, v := range r {
		if v > 0 {
			seen++
		}
	}
	switch {
	case seen == 0:
		return nil
	case 1+3*seen > SketchRegisters:
		return append(append(make(Sketch, 0, 1+SketchRegisters), dense), r[:]...)
	}
	s := append(make(Sketch, 0, 1+3*seen), sparse)
	for i, v := range r {
		if v > 0 {
			s = append(binary.BigEndian.AppendUint16(s, uint16(i)), v)
		}
	}
	return s
}

// registers decodes s; what is not an encoding counts as nothing seen.
func (s Sketch) registers() *Registers {
	r := new(Registers)
	switch {
	case len(s) == 1+SketchRegisters && s[0] == dense:
		copy(r[:], s[1:])
	case len(s) > 0 && s[0] == sparse:
		for t := s[1:]; len(t) >= 3; t = t[3:] {
			if i := binary.BigEndian.Uint16(t); int(i) < len(r) {
				r[i] = t[2]
			}
		}
	}
	return r
}

// Merge returns the sketch of all values that either has seen. Where other has seen few, and
// nothing new, that is s itself; neither is ever changed.
func (s Sketch) Merge(other Sketch) Sketch {
	switch {
	case len(s) == 0:
		return other
	case len(other) == 0:
		return s
	case s.isDense() && other.isSparse():
		return s.mergeSparse(other)
	case s.isSparse() && other.isSparse():
		if merged := s.mergeFew(other); len(merged) <= SketchRegisters {
			return merged
		}
	}
	r := s.registers()
	r.Merge(other.registers())
	return r.Sketch()
}

func (s Sketch) isDense() bool { return len(s) == 1+SketchRegisters && s[0] == dense }

// isSparse reports whether s is of few values, in the order of their registers.
func (s Sketch) isSparse() bool {
	if len(s) == 0 || s[0] != sparse || len(s)%3 != 1 {
		return false
	}
	next := 0
	for t := s[1:]; len(t) > 0; t = t[3:] {
		i := int(binary.BigEndian.Uint16(t))
		if i < next || i >= SketchRegisters || t[2] == 0 {
			return false
		}
		next = i + 1
	}
	return true
}

// mergeSparse is Merge of a dense sketch and a sparse one.
func (s Sketch) mergeSparse(other Sketch) Sketch {
	merged := s
	for t := other[1:]; len(t) > 0; t = t[3:] {
		i := 1 + int(binary.BigEndian.Uint16(t))
		if t[2] <= merged[i] {
			continue
		}
		if &merged[0] == &s[0] {
			merged = slices.Clone(s)
		}
		merged[i] = t[2]
	}
	return merged
}

// mergeFew is Merge of two sparse sketches, written as one, which may be too long for that.
func (s Sketch) mergeFew(other Sketch) Sketch {
	merged := append(make(Sketch, 0, len(s)+len(other)-1), sparse)
	a, b := s[1:], other[1:]
	for len(a) > 0 && len(b) > 0 {
		x, y := binary.BigEndian.Uint16(a), binary.BigEndian.Uint16(b)
		switch {
		case x < y:
			merged, a = append(merged, a[:3]...), a[3:]
		case y < x:
			merged, b = append(merged, b[:3]...), b[3:]
		default:
			merged = append(merged, a[0], a[1], max(a[2], b[2]))
			a, b = a[3:], b[3:]
		}
	}
	return append(append(merged, a...), b...)
}

// Estimate returns about how many distinct values were seen.
func (s Sketch) Estimate() int64 {
	const m = float64(SketchRegisters)
	sum, zeros := 0.0, 0.0
	for _, v := range s.registers() {
		sum += math.Ldexp(1, -int(v))
		if v == 0 {
			zeros++
		}
	}
	estimate := 0.7213 / (1 + 1.079/m) * m * m / sum
	if estimate <= 2.5*m && zeros > 0 {
		estimate = m * math.Log(m/zeros)
	}
	return int64(math.Round(estimate))
}
