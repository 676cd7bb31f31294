package net

import (
	"slices"

	"quern/nlq/kernel"
)

// memory is where one question is computed: reused from question to question.
type memory struct {
	items    int
	relation []uint8 // of every pair of items; the same for all networks

	x, y, qkv    []float32          // rows of items
	keys, values [2][]kernel.Packed // of heads: a layer's, while the next one's are made
	scratch      []scratch          // of workers

	// What the decoder asks of the items.
	crossKeys, crossValues [][]kernel.Packed // of layers and heads
	pointed                []float32
	pointKeys              kernel.Packed

	step steps
}

// scratch is what a worker computes a block of rows with.
type scratch struct {
	scores, related, shares, head, mixed, wide []float32
	sums                                       [4][256]float32 // by relation
}

// memory makes room for a question, whose items are related so.
func (n *Net) memory(in *Input, relation []uint8) *memory {
	m, ok := n.memories.Get().(*memory)
	if !ok {
		m = n.newMemory()
	}
	m.items, m.relation = in.items(), relation
	rows := kernel.RoundUp(m.items, kernel.TileRows)
	m.x, m.y, m.pointed = kernel.Grow(m.x, rows*n.size), kernel.Grow(m.y, rows*n.size), kernel.Grow(m.pointed, rows*n.size)
	m.qkv = kernel.Grow(m.qkv, rows*3*n.size)
	for i := range m.scratch {
		m.scratch[i].grow(n, m.items)
	}
	n.resetHeads(m)
	m.step.count = 0
	m.step.past = kernel.Grow(m.step.past, len(n.decoders))
	return m
}

func (n *Net) newMemory() *memory {
	m := &memory{scratch: make([]scratch, kernel.MostWorkers)}
	for i := range m.keys {
		m.keys[i], m.values[i] = make([]kernel.Packed, n.heads), make([]kernel.Packed, n.heads)
	}
	for range n.decoders {
		m.crossKeys = append(m.crossKeys, make([]kernel.Packed, n.heads))
		m.crossValues = append(m.crossValues, make([]kernel.Packed, n.heads))
	}
	return m
}

// resetHeads makes room for what rows ask of each other.
func (n *Net) resetHeads(m *memory) {
	for _, all := range slices.Concat(m.crossKeys, m.keys[:]) {
		for h := range all {
			all[h].Reset(n.each, m.items)
		}
	}
	for _, all := range slices.Concat(m.crossValues, m.values[:]) {
		for h := range all {
			all[h].Reset(m.items, n.each)
		}
	}
	m.pointKeys.Reset(n.size, m.items)
}

func (s *scratch) grow(n *Net, items int) {
	kinds := kernel.RoundUp(relations, kernel.TileColumns)
	s.scores = kernel.Grow(s.scores, kernel.BlockRows*kernel.RoundUp(items, kernel.TileColumns))
	s.related, s.shares = kernel.Grow(s.related, kernel.BlockRows*kinds), kernel.Grow(s.shares, kernel.BlockRows*kinds)
	s.head = kernel.Grow(s.head, 2*kernel.BlockRows*kernel.RoundUp(n.each, kernel.TileColumns))
	s.mixed = kernel.Grow(s.mixed, kernel.BlockRows*n.size)
	s.wide = kernel.Grow(s.wide, kernel.BlockRows*4*n.size)
}
