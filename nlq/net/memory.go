package net

// memory is where one question is computed: reused from question to question.
type memory struct {
	items    int
	relation []uint8
	linked   []bool // of items: is a column at a link

	x, y, qkv    []float32 // rows of items
	keys, values []packed  // of heads
	scratch      []scratch // of workers

	// What the decoder asks of the items.
	crossKeys, crossValues [][]packed // of layers and heads
	pointed                []float32
	pointKeys              packed

	step steps
}

// scratch is what a worker computes a block of rows with.
type scratch struct {
	scores, related, shares, head, mixed, wide []float32
}

// grow gives a slice of so many numbers, of any content.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

func (n *Net) memory(in *Input) *memory {
	m, ok := n.memories.Get().(*memory)
	if !ok {
		m = &memory{scratch: make([]scratch, mostWorkers), keys: make([]packed, n.heads), values: make([]packed, n.heads)}
		for range n.decoders {
			m.crossKeys = append(m.crossKeys, make([]packed, n.heads))
			m.crossValues = append(m.crossValues, make([]packed, n.heads))
		}
	}
	m.items = in.items()
	rows := roundUp(m.items, tileRows)
	m.relation = grow(m.relation, m.items*m.items)
	m.linked = grow(m.linked, m.items)
	m.x, m.y, m.pointed = grow(m.x, rows*n.size), grow(m.y, rows*n.size), grow(m.pointed, rows*n.size)
	m.qkv = grow(m.qkv, rows*3*n.size)
	width := roundUp(m.items, tileColumns)
	for i := range m.scratch {
		s := &m.scratch[i]
		s.scores = grow(s.scores, blockRows*width)
		s.related = grow(s.related, blockRows*roundUp(relations, tileColumns))
		s.shares = grow(s.shares, blockRows*roundUp(relations, tileColumns))
		s.head = grow(s.head, 2*blockRows*roundUp(n.each, tileColumns))
		s.mixed = grow(s.mixed, blockRows*n.size)
		s.wide = grow(s.wide, blockRows*4*n.size)
	}
	in.relate(m.relation)
	clear(m.linked)
	for _, l := range in.Links {
		m.linked[len(in.Words)+l[0]], m.linked[len(in.Words)+l[1]] = true, true
	}
	return m
}
