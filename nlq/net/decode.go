package net

import (
	"math"

	"quern/nlq/kernel"
)

// decoderLayer is attention to the steps before and to the items, and a network
// on every step.
type decoderLayer struct {
	norm1, norm2, norm3                 kernel.Norm
	qkv, out                            *kernel.Packed
	crossQuery, crossKeyValue, crossOut *kernel.Packed
	up, down                            *kernel.Packed
	distance                            table // by head, how much steps so far back count
}

// steps is what the decoder keeps of the steps of one question: the keys and
// values of every step of every hypothesis. A hypothesis names its steps.
type steps struct {
	count           int
	past            [][]float32 // of layers: keys and values, by step
	x, y, z, qkv    []float32   // rows of hypotheses
	wide, scores    []float32
	symbols, points []float32
	paths           []kernel.Path // of rows
}

// query is the next step of a hypothesis.
type query struct {
	last         int // token before: a symbol, or an item behind the symbols; -1: none
	state, depth int
	path         []int32 // the steps before, oldest first
}

// addSteps makes room for one step of so many hypotheses, and returns its number;
// the others' follow.
func (n *Net) addSteps(m *memory, rows int) (first int) {
	first = m.step.count
	m.step.count += rows
	n.makeRoom(m, rows)
	return first
}

// decode computes one step of some hypotheses, from a multiple of kernel.TileRows on:
// the scores of symbols and of items, which scores returns. The queries are those
// of all hypotheses, and first is what addSteps returned for them.
func (n *Net) decode(m *memory, queries []query, first int, b kernel.Block) {
	d, from, rows := n.size, b.From, b.Rows()
	s := m.step.rows(n, m, from)
	queries = queries[from:b.To]
	for r, q := range queries {
		n.embedStep(m, q, s.x[r*d:(r+1)*d])
	}
	for i, layer := range n.decoders {
		n.attendSteps(i, layer, &s, queries, first+from)
		layer.norm2.Apply(rows, s.x, s.y)
		layer.crossQuery.Multiply(rows, s.y, d, s.qkv, d)
		n.attendItems(i, m, &s, rows)
		layer.crossOut.Multiply(rows, s.z, d, s.y, d)
		kernel.Add(s.x[:rows*d], s.y)
		layer.norm3.Apply(rows, s.x, s.y)
		layer.up.Multiply(rows, s.y, d, s.wide, 4*d)
		kernel.Activate(s.wide[:rows*4*d])
		layer.down.Multiply(rows, s.wide, 4*d, s.y, d)
		kernel.Add(s.x[:rows*d], s.y)
	}
	n.decoderNorm.Apply(rows, s.x, s.y)
	n.write.Multiply(rows, s.y, d, s.symbols, n.write.Width())
	n.pointQuery.Multiply(rows, s.y, d, s.z, d)
	m.pointKeys.Multiply(rows, s.z, d, s.points, m.pointKeys.Width())
	scale := float32(1 / math.Sqrt(float64(d)))
	for i := range s.points[:rows*m.pointKeys.Width()] {
		s.points[i] *= scale
	}
}

// rows returns the steps with the rows from one on in the first place.
func (s *steps) rows(n *Net, m *memory, from int) steps {
	d := n.size
	return steps{
		past: s.past, x: s.x[from*d:], y: s.y[from*d:], z: s.z[from*d:], qkv: s.qkv[from*3*d:], wide: s.wide[from*4*d:],
		scores: s.scores[from*n.scoresWidth(m):], symbols: s.symbols[from*n.write.Width():], points: s.points[from*m.pointKeys.Width():],
		paths: s.paths[from:],
	}
}

// scoresWidth is how many numbers a row needs to attend to the items.
func (n *Net) scoresWidth(m *memory) int {
	return kernel.RoundUp(m.items, kernel.TileColumns) + kernel.RoundUp(n.each, kernel.TileColumns)
}

// scores returns the scores of symbols and items that decode computed for a query.
func (n *Net) scores(m *memory, row int) (symbols, items []float32) {
	symbols = m.step.symbols[row*n.write.Width():][:n.write.N]
	return symbols, m.step.points[row*m.pointKeys.Width():][:m.items]
}

func (n *Net) makeRoom(m *memory, rows int) {
	s, d := &m.step, n.size
	rows = kernel.RoundUp(rows, kernel.TileRows)
	s.x, s.y, s.z, s.qkv = kernel.Grow(s.x, rows*d), kernel.Grow(s.y, rows*d), kernel.Grow(s.z, rows*d), kernel.Grow(s.qkv, rows*3*d)
	s.wide = kernel.Grow(s.wide, rows*4*d)
	s.scores = kernel.Grow(s.scores, rows*n.scoresWidth(m))
	s.paths = kernel.Grow(s.paths, rows)
	s.symbols, s.points = kernel.Grow(s.symbols, rows*n.write.Width()), kernel.Grow(s.points, rows*m.pointKeys.Width())
	for i := range s.past {
		if need := s.count * 2 * d; cap(s.past[i]) < need {
			s.past[i] = append(make([]float32, 0, 2*need+256*d), s.past[i]...)
		}
		s.past[i] = s.past[i][:s.count*2*d]
	}
}

func (n *Net) embedStep(m *memory, q query, x []float32) {
	switch item := q.last - n.symbol.rows; {
	case q.last < 0:
		copy(x, n.symbol.row(0))
	case item < 0:
		copy(x, n.symbol.row(q.last))
	default:
		copy(x, m.pointed[item*n.size:])
	}
	kernel.Add(x, n.state.row(q.state))
	kernel.Add(x, n.depth.row(q.depth))
}

// attendSteps adds to x what the steps before say, and keeps this one.
func (n *Net) attendSteps(i int, layer *decoderLayer, s *steps, queries []query, first int) {
	d, rows, past := n.size, len(queries), s.past[i]
	layer.norm1.Apply(rows, s.x, s.y)
	layer.qkv.Multiply(rows, s.y, d, s.qkv, 3*d)
	scale := float32(1 / math.Sqrt(float64(n.each)))
	for r, q := range queries {
		copy(past[(first+r)*2*d:], s.qkv[r*3*d+d:(r+1)*3*d])
		p := &s.paths[r]
		p.Steps = append(append(p.Steps[:0], q.path...), int32(first+r))
		weights := kernel.Grow(p.Weights, maxSteps)[:len(p.Steps)]
		p.Weights = weights
		for h := range n.heads {
			p.Score(s.qkv[r*3*d+h*n.each:][:n.each], past[h*n.each:], 2*d)
			far := layer.distance.row(h)
			for j := range weights {
				weights[j] = float32(weights[j]*scale) + far[min(len(weights)-1-j, reach-1)]
			}
			kernel.Softmax(weights)
			p.Mix(s.z[r*d+h*n.each:][:n.each], past[d+h*n.each:], 2*d)
		}
	}
	layer.out.Multiply(rows, s.z, d, s.y, d)
	kernel.Add(s.x[:rows*d], s.y)
}

// attendItems sets z to what the items say to the queries in qkv.
func (n *Net) attendItems(i int, m *memory, s *steps, rows int) {
	d := n.size
	width, each := kernel.RoundUp(m.items, kernel.TileColumns), kernel.RoundUp(n.each, kernel.TileColumns)
	scale := float32(1 / math.Sqrt(float64(n.each)))
	head := s.scores[kernel.RoundUp(rows, kernel.TileRows)*width:]
	for h := range n.heads {
		m.crossKeys[i][h].Multiply(rows, s.qkv[h*n.each:], d, s.scores, width)
		for r := range rows {
			scores := s.scores[r*width : r*width+m.items]
			for j := range scores {
				scores[j] *= scale
			}
			kernel.Softmax(scores)
		}
		m.crossValues[i][h].Multiply(rows, s.scores, width, head, each)
		for r := range rows {
			copy(s.z[r*d+h*n.each:][:n.each], head[r*each:])
		}
	}
}
