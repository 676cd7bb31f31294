package net

import (
	"context"

	"quern/nlq/kernel"
	"quern/nlq/vector"
)

// Doubter is a network that tells which words of a question nothing in the data
// answers to. It is safe for concurrent use.
type Doubter struct {
	net    *Net // encodes, and writes nothing
	weight []float32
	bias   float32
}

// LoadDoubter reads weights as learned/train/doubt.py writes them; see Load.
func LoadDoubter(data []byte, words *vector.Table) (*Doubter, error) {
	h, l, err := open(data, words)
	if err != nil {
		return nil, err
	}
	d := &Doubter{net: l.encoding(h, words), weight: l.table("missing.weight", 1, l.size).data}
	d.bias = l.table("missing.bias", 1, 1).data[0]
	if l.Err() != nil {
		return nil, l.Err()
	}
	return d, nil
}

// Doubts returns a number for each word of a question: the logarithm of the odds
// that nothing in the data answers to it. It ends early with the context's error
// when that is done.
func (d *Doubter) Doubts(ctx context.Context, in Input) ([]float64, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	w := kernel.TakeWorkers()
	defer w.Release()
	m := d.net.memory(&in, in.relate())
	s := &search{in: &in, nets: Ensemble{d.net}, memories: []*memory{m}}
	if err := s.encode(ctx, w); err != nil {
		return nil, err // what the memory holds is not known
	}
	defer d.net.memories.Put(m)
	doubts := make([]float64, len(in.Words))
	for i := range doubts {
		doubts[i] = float64(d.bias)
		for j, x := range m.y[i*d.net.size : (i+1)*d.net.size] {
			doubts[i] += float64(x * d.weight[j])
		}
	}
	return doubts, nil
}
