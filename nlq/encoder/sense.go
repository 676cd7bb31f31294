package encoder

import (
	"math"

	"quern/nlq/weights"
)

const sensesMagic = "QSNS"

// Senses knows short texts by what they mean: penalties and fine are near to each other.
// It is safe for concurrent use.
type Senses struct {
	pieces *Pieces
	width  int
	turn   []float32 // a row of width numbers for each number of a piece
}

// LoadSenses reads what learned/train/senses.py writes. It belongs to one list of
// pieces; others are refused.
func LoadSenses(data []byte, p *Pieces) (*Senses, error) {
	var h struct {
		Size, Width int
		Pieces      uint32
	}
	rest, err := weights.ReadHeader(data, sensesMagic, &h)
	if err != nil {
		return nil, err
	}
	if h.Pieces != p.sum || h.Size != p.size || h.Width < 1 {
		return nil, weights.ErrFormat
	}
	turn, err := weights.WholeTensor(rest, h.Size, h.Width)
	if err != nil {
		return nil, err
	}
	return &Senses{p, h.Width, turn.Numbers()}, nil
}

// Of returns a vector of length one, whose product with that of another text is how much
// the two mean the same, up to 1; nil when nothing is known of the text.
func (s *Senses) Of(text string) []float32 {
	mean, piece := make([]float32, s.pieces.size), make([]float32, s.pieces.size)
	known := false
	for _, id := range s.pieces.Word(text) {
		known = known || id != s.pieces.unknown
		s.pieces.vectors.Row(int(id), piece)
		for i, x := range piece {
			mean[i] += x
		}
	}
	if !known {
		return nil
	}
	sense := make([]float32, s.width)
	for i, x := range mean {
		for j, y := range s.turn[i*s.width : (i+1)*s.width] {
			sense[j] += x * y
		}
	}
	return unit(sense)
}

// unit makes a vector one long; nil when it has no length.
func unit(v []float32) []float32 {
	squares := 0.0
	for _, x := range v {
		squares += float64(x) * float64(x)
	}
	if squares == 0 {
		return nil
	}
	scale := float32(1 / math.Sqrt(squares))
	for i := range v {
		v[i] *= scale
	}
	return v
}
