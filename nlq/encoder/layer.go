package encoder

import (
	"math"

	"quern/nlq/kernel"
)

// memory is where pieces are computed: used again and again.
type memory struct {
	pieces       int
	x, qkv       []float32       // rows of pieces
	keys, values []kernel.Packed // of heads
	scratch      []scratch       // of workers
}

// scratch is what a worker computes a block of rows with.
type scratch struct {
	scores, head, mixed, wide, y []float32
	rounded                      kernel.WholeRows
}

// memory makes room for so many pieces.
func (e *Encoder) memory(pieces int) *memory {
	m, ok := e.memories.Get().(*memory)
	if !ok {
		m = &memory{
			keys: make([]kernel.Packed, e.Heads), values: make([]kernel.Packed, e.Heads), scratch: make([]scratch, kernel.MostWorkers),
		}
	}
	m.pieces = pieces
	rows := kernel.RoundUp(pieces, kernel.TileRows)
	m.x, m.qkv = kernel.Grow(m.x, rows*e.Size), kernel.Grow(m.qkv, rows*3*e.Size)
	for i := range m.scratch {
		s := &m.scratch[i]
		s.scores = kernel.Grow(s.scores, kernel.BlockRows*kernel.RoundUp(pieces, kernel.TileColumns))
		s.head = kernel.Grow(s.head, kernel.BlockRows*e.Size/e.Heads)
		s.mixed, s.y = kernel.Grow(s.mixed, kernel.BlockRows*e.Size), kernel.Grow(s.y, kernel.BlockRows*e.Size)
		s.wide = kernel.Grow(s.wide, kernel.BlockRows*e.Wide)
	}
	for h := range e.Heads {
		m.keys[h].Reset(e.Size/e.Heads, pieces)
		m.values[h].Reset(pieces, e.Size/e.Heads)
	}
	return m
}

// embed sets the first rows of x to pieces in their places.
func (e *Encoder) embed(m *memory, ids []int32) {
	for i, id := range ids {
		row := m.x[i*e.Size : (i+1)*e.Size]
		e.pieces.vectors.Row(int(id), row)
		kernel.Add(row, e.place[i*e.Size:])
	}
	e.norm.Apply(len(ids), m.x, m.x)
}

// apply lets the pieces of a memory go through some layers. Blocks of rows are
// computed by themselves, and what is computed for a row does not depend on which.
func (e *Encoder) apply(w kernel.Workers, m *memory, layers []*layer) error {
	each := min(kernel.BlockRows, kernel.RoundUp((m.pieces+int(w)-1)/int(w), kernel.TileRows))
	blocks := (m.pieces + each - 1) / each
	block := func(i int) kernel.Block { return kernel.Block{From: i * each, To: min(m.pieces, (i+1)*each)} }
	for _, l := range layers {
		if err := w.Each(blocks, func(worker, i int) { e.ask(l, m, &m.scratch[worker], block(i)) }); err != nil {
			return err
		}
		if err := w.Each(blocks, func(worker, i int) { e.attend(l, m, &m.scratch[worker], block(i)) }); err != nil {
			return err
		}
	}
	return nil
}

// ask computes what some rows ask of others and say to them.
func (e *Encoder) ask(l *layer, m *memory, s *scratch, b kernel.Block) {
	d, each, rows := e.Size, e.Size/e.Heads, b.Rows()
	qkv := m.qkv[b.From*3*d:]
	l.qkv.Multiply(rows, m.x[b.From*d:], d, qkv, 3*d, &s.rounded)
	for h := range e.Heads {
		m.keys[h].SetColumns(qkv[d+h*each:], 3*d, b.From, rows)
		m.values[h].SetRows(qkv[2*d+h*each:], 3*d, b.From, rows)
	}
}

// attend applies a layer to some rows of x.
func (e *Encoder) attend(l *layer, m *memory, s *scratch, b kernel.Block) {
	d, rows := e.Size, b.Rows()
	for h := range e.Heads {
		e.attendHead(h, m, s, b)
	}
	x := m.x[b.From*d : b.To*d]
	l.out.Multiply(rows, s.mixed, d, s.y, d, &s.rounded)
	kernel.Add(x, s.y)
	l.norm1.Apply(rows, x, x)
	l.up.Multiply(rows, x, d, s.wide, e.Wide, &s.rounded)
	kernel.Activate(s.wide[:rows*e.Wide])
	l.down.Multiply(rows, s.wide, e.Wide, s.y, d, &s.rounded)
	kernel.Add(x, s.y)
	l.norm2.Apply(rows, x, x)
}

// attendHead computes one head of some rows into its columns of s.mixed.
func (e *Encoder) attendHead(h int, m *memory, s *scratch, b kernel.Block) {
	d, each, rows := e.Size, e.Size/e.Heads, b.Rows()
	width := kernel.RoundUp(m.pieces, kernel.TileColumns)
	scale := float32(1 / math.Sqrt(float64(each)))
	m.keys[h].Multiply(rows, m.qkv[b.From*3*d+h*each:], 3*d, s.scores, width)
	for r := range rows {
		scores := s.scores[r*width : r*width+m.pieces]
		for i := range scores {
			scores[i] *= scale
		}
		kernel.Softmax(scores)
	}
	m.values[h].Multiply(rows, s.scores, width, s.head, each)
	for r := range rows {
		copy(s.mixed[r*d+h*each:][:each], s.head[r*each:])
	}
}
