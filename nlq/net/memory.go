package net

import "slices"

// memory is where one question is computed: reused from question to question.
type memory struct {
	items    int
	relation []uint8 // of every pair of items; the same for all networks

	x, y, qkv    []float32   // rows of items
	keys, values [2][]packed // of heads: a layer's, while the next one's are made
	scratch      []scratch   // of workers

	// What the decoder asks of the items.
	crossKeys, crossValues [][]packed // of layers and heads
	pointed                []float32
	pointKeys              packed

	step steps
}

// scratch is what a worker computes a block of rows with.
type scratch struct {
	scores, related, shares, head, mixed, wide []float32
	sums                                       [4][256]float32 // by relation
}

// grow returns a slice of so many numbers, of any content.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// memory makes room for a question, whose items are related so.
func (n *Net) memory(in *Input, relation []uint8) *memory {
	m, ok := n.memories.Get().(*memory)
	if !ok {
		m = n.newMemory()
	}
	m.items, m.relation = in.items(), relation
	rows := roundUp(m.items, tileRows)
	m.x, m.y, m.pointed = grow(m.x, rows*n.size), grow(m.y, rows*n.size), grow(m.pointed, rows*n.size)
	m.qkv = grow(m.qkv, rows*3*n.size)
	for i := range m.scratch {
		m.scratch[i].grow(n, m.items)
	}
	n.resetHeads(m)
	m.step.count = 0
	m.step.past = grow(m.step.past, len(n.decoders))
	return m
}

func (n *Net) newMemory() *memory {
	m := &memory{scratch: make([]scratch, mostWorkers)}
	for i := range m.keys {
		m.keys[i], m.values[i] = make([]packed, n.heads), make([]packed, n.heads)
	}
	for range n.decoders {
		m.crossKeys = append(m.crossKeys, make([]packed, n.heads))
		m.crossValues = append(m.crossValues, make([]packed, n.heads))
	}
	return m
}

// resetHeads makes room for what rows ask of each other.
func (n *Net) resetHeads(m *memory) {
	for _, all := range slices.Concat(m.crossKeys, m.keys[:]) {
		for h := range all {
			all[h].reset(n.each, m.items)
		}
	}
	for _, all := range slices.Concat(m.crossValues, m.values[:]) {
		for h := range all {
			all[h].reset(m.items, n.each)
		}
	}
	m.pointKeys.reset(n.size, m.items)
}

func (s *scratch) grow(n *Net, items int) {
	kinds := roundUp(relations, tileColumns)
	s.scores = grow(s.scores, blockRows*roundUp(items, tileColumns))
	s.related, s.shares = grow(s.related, blockRows*kinds), grow(s.shares, blockRows*kinds)
	s.head = grow(s.head, 2*blockRows*roundUp(n.each, tileColumns))
	s.mixed = grow(s.mixed, blockRows*n.size)
	s.wide = grow(s.wide, blockRows*4*n.size)
}
