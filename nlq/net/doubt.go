package net

import (
	"context"

	"quern/nlq/kernel"
)

// Doubter is a network that tells which words of a question nothing in the data
// answers to. It is safe for concurrent use.
type Doubter struct {
	net *Net
}

// Doubter returns the network of an ensemble that tells which words nothing answers
// to; ok is false when there is none.
func (e Ensemble) Doubter() (d *Doubter, ok bool) {
	for _, n := range e {
		if n.missing != nil {
			return &Doubter{n}, true
		}
	}
	return nil, false
}

// Doubts returns a number for each word of a question: the logarithm of the odds
// that nothing in the data answers to it. It ends early with the context's error
// when that is done.
func (d *Doubter) Doubts(ctx context.Context, in Input) ([]float64, error) {
	nets := Ensemble{d.net}
	if err := in.check(nets); err != nil {
		return nil, err
	}
	w := kernel.TakeWorkers()
	defer w.Release()
	m := d.net.memory(&in, in.relate())
	s := &search{in: &in, nets: nets, memories: []*memory{m}}
	if err := s.encode(ctx, w); err != nil {
		return nil, err // what the memory holds is not known
	}
	defer d.net.memories.Put(m)
	return d.net.doubts(m, len(in.Words)), nil
}

// doubts returns what encoded words say of themselves.
func (n *Net) doubts(m *memory, words int) []float64 {
	doubts := make([]float64, words)
	for i := range doubts {
		doubts[i] = float64(n.missingBias)
		for j, x := range m.y[i*n.size : (i+1)*n.size] {
			doubts[i] += float64(x * n.missing[j])
		}
	}
	return doubts
}
