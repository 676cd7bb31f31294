package quern

import (
	"encoding/binary"
	"math"
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
	s := Sketch{sparse}
	for i, v := range r {
		if v > 0 {
			s = append(binary.BigEndian.AppendUint16(s, uint16(i)), v)
		}
	}
	switch {
	case len(s) == 1:
		return nil
	case len(s) > SketchRegisters:
		return append(Sketch{dense}, r[:]...)
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

// Merge returns the sketch of all values that either has seen.
func (s Sketch) Merge(other Sketch) Sketch {
	if len(s) == 0 {
		return other
	}
	r := s.registers()
	r.Merge(other.registers())
	return r.Sketch()
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
