package net

import (
	"context"
	"math"

	"quern/nlq/kernel"
	"quern/nlq/vector"
)

// What an item is, as the table of items counts.
const (
	itemToken = iota
	itemColumn
	itemTable
)

// encoderLayer is attention that knows relations, and a network on every item.
type encoderLayer struct {
	norm1, norm2       kernel.Norm
	qkv, out, up, down *kernel.Packed
	relationKeys       []kernel.Packed // of heads, their biases in them
	relationValue      kernel.Packed
}

// encode computes the items of a question in every network, and what their
// decoders ask of them. The networks go through their layers together, each
// block of rows on its own: a layer's blocks wait for all of the layer before.
func (s *search) encode(ctx context.Context, w kernel.Workers) error {
	if err := w.Each(len(s.nets), func(_, i int) { s.nets[i].embed(s.in, s.memories[i]) }); err != nil {
		return err
	}
	if err := s.eachBlock(w, func(n *Net, m *memory, _ *scratch, b kernel.Block) { n.prepare(0, m, b) }); err != nil {
		return err
	}
	deepest := 0
	for _, n := range s.nets {
		deepest = max(deepest, len(n.encoders))
	}
	for layer := range deepest {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := s.eachBlock(w, func(n *Net, m *memory, own *scratch, b kernel.Block) {
			if layer < len(n.encoders) {
				n.attend(layer, m, own, b)
				n.prepare(layer+1, m, b)
			}
		})
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// eachBlock calls f for runs of rows of every network, several at a time. Every
// row is in one run, and what is computed for it does not depend on which.
func (s *search) eachBlock(w kernel.Workers, f func(n *Net, m *memory, own *scratch, b kernel.Block)) error {
	items := s.in.items()
	each := (items + kernel.BlockRows - 1) / kernel.BlockRows
	return w.Each(len(s.nets)*each, func(worker, i int) {
		m, from := s.memories[i/each], i%each*kernel.BlockRows
		f(s.nets[i/each], m, &m.scratch[worker], kernel.Block{From: from, To: min(items, from+kernel.BlockRows)})
	})
}

// embed sets the rows of x to what the items are by themselves.
func (n *Net) embed(in *Input, m *memory) {
	d, dim, q := n.size, n.vectors.Dim(), len(in.Words)
	names := len(in.Columns) + len(in.Tables)
	rows := kernel.RoundUp(q, kernel.TileRows) + kernel.RoundUp(2*names, kernel.TileRows)
	raw, words := make([]float32, rows*dim), make([]float32, rows*d)
	for i, id := range in.Words {
		n.vectors.Vector(id, raw[i*dim:])
	}
	first := kernel.RoundUp(q, kernel.TileRows) // the names: for each its mean and its last word
	for i := range names {
		n.pool(in.name(i), raw[(first+2*i)*dim:(first+2*i+2)*dim])
	}
	n.vector.Multiply(rows, raw, dim, words, d)
	for i, id := range in.Words {
		x := m.x[i*d : (i+1)*d]
		copy(x, words[i*d:])
		kernel.Add(x, n.word.row(n.rows[id]))
		kernel.Add(x, n.item.row(itemToken))
		kernel.Add(x, n.kinds.row(min(int(in.Kinds[i]), kinds-1)))
	}
	own := make([]float32, 2*d)
	for i := range names {
		pair := words[(first+2*i)*d : (first+2*i+2)*d]
		n.poolOwn(in.name(i), own)
		kernel.Add(pair, own)
	}
	n.embedNames(in, m, words[first*d:])
	n.addMeanings(in, m)
}

// addMeanings adds to the rows of x what the items mean by the pretrained encoder.
func (n *Net) addMeanings(in *Input, m *memory) {
	if n.meaning == 0 {
		return
	}
	d, q := n.size, len(in.Words)
	padded := make([]float32, kernel.RoundUp(m.items, kernel.TileRows)*n.meaning)
	added := make([]float32, kernel.RoundUp(m.items, kernel.TileRows)*d)
	copy(padded, in.Meanings[:q*n.meaning])
	n.fromWord.Multiply(q, padded, n.meaning, added, d)
	kernel.Add(m.x[:q*d], added)
	copy(padded, in.Meanings[q*n.meaning:])
	n.fromName.Multiply(m.items-q, padded, n.meaning, added, d)
	kernel.Add(m.x[q*d:m.items*d], added)
}

// embedNames sets the rows of columns and tables from pairs of means and lasts.
func (n *Net) embedNames(in *Input, m *memory, pairs []float32) {
	d, q, c := n.size, len(in.Words), len(in.Columns)
	names := make([]float32, kernel.RoundUp(c+len(in.Tables), kernel.TileRows)*d)
	padded := make([]float32, kernel.RoundUp(c+len(in.Tables), kernel.TileRows)*2*d)
	copy(padded, pairs)
	n.column.Multiply(c, padded, 2*d, names, d)
	copy(m.x[q*d:(q+c)*d], names)
	for i, column := range in.Columns {
		x := m.x[(q+i)*d : (q+i+1)*d]
		kernel.Add(x, n.item.row(itemColumn))
		kernel.Add(x, n.types.row(min(int(column.Type), types-1)))
		kernel.Add(x, n.flags.row(int(column.Flags)%flags))
	}
	copy(padded, pairs[2*c*d:2*(c+len(in.Tables))*d])
	n.table.Multiply(len(in.Tables), padded, 2*d, names, d)
	copy(m.x[(q+c)*d:m.items*d], names)
	for i := range in.Tables {
		kernel.Add(m.x[(q+c+i)*d:(q+c+i+1)*d], n.item.row(itemTable))
	}
}

var nameless = []int32{vector.Unknown}

// name returns the words of a column's name, or of a table's behind the columns.
func (in *Input) name(i int) []int32 {
	var words []int32
	if i < len(in.Columns) {
		words = in.Columns[i].Words
	} else {
		words = in.Tables[i-len(in.Columns)]
	}
	if len(words) == 0 {
		return nameless
	}
	return words[:min(len(words), maxWords)]
}

// pool writes the mean of the words' vectors and the last one's behind it.
func (n *Net) pool(words []int32, out []float32) {
	dim := len(out) / 2
	mean, last := out[:dim], out[dim:]
	for _, id := range words {
		n.vectors.Vector(id, last)
		kernel.Add(mean, last)
	}
	for i := range mean {
		mean[i] /= float32(len(words))
	}
}

// poolOwn does the same with the rows that the network has of its own.
func (n *Net) poolOwn(words []int32, out []float32) {
	mean, last := out[:n.size], out[n.size:]
	clear(mean)
	for _, id := range words {
		kernel.Add(mean, n.word.row(n.rows[id]))
	}
	for i := range mean {
		mean[i] /= float32(len(words))
	}
	copy(last, n.word.row(n.rows[words[len(words)-1]]))
}

// prepare computes what a layer asks of some rows, or behind the last layer what
// the decoder does.
func (n *Net) prepare(layer int, m *memory, b kernel.Block) {
	d, from, rows := n.size, b.From, b.Rows()
	if layer == len(n.encoders) {
		n.prepareDecoder(m, b)
		return
	}
	n.encoders[layer].norm1.Apply(rows, m.x[from*d:], m.y[from*d:])
	n.encoders[layer].qkv.Multiply(rows, m.y[from*d:], d, m.qkv[from*3*d:], 3*d)
	keys, values := m.keys[layer%2], m.values[layer%2]
	for h := range n.heads {
		keys[h].SetColumns(m.qkv[from*3*d+d+h*n.each:], 3*d, from, rows)
		values[h].SetRows(m.qkv[from*3*d+2*d+h*n.each:], 3*d, from, rows)
	}
}

// attend applies a layer to some rows of x.
func (n *Net) attend(layer int, m *memory, s *scratch, b kernel.Block) {
	d, rows, l := n.size, b.Rows(), n.encoders[layer]
	for h := range n.heads {
		n.attendHead(layer, h, m, s, b)
	}
	x, y := m.x[b.From*d:], m.y[b.From*d:]
	l.out.Multiply(rows, s.mixed, d, y, d)
	kernel.Add(x[:rows*d], y)
	l.norm2.Apply(rows, x, y)
	l.up.Multiply(rows, y, d, s.wide, 4*d)
	kernel.Activate(s.wide[:rows*4*d])
	l.down.Multiply(rows, s.wide, 4*d, y, d)
	kernel.Add(x[:rows*d], y)
}

// attendHead computes one head of some rows into the columns of s.mixed.
func (n *Net) attendHead(layer, h int, m *memory, s *scratch, b kernel.Block) {
	d, from, rows, l := n.size, b.From, b.Rows(), n.encoders[layer]
	width, kinds := kernel.RoundUp(m.items, kernel.TileColumns), kernel.RoundUp(relations, kernel.TileColumns)
	scale := float32(1 / math.Sqrt(float64(n.each)))
	q := m.qkv[from*3*d+h*n.each:]
	l.relationKeys[h].Multiply(rows, q, 3*d, s.related, kinds)
	m.keys[layer%2][h].Multiply(rows, q, 3*d, s.scores, width)
	for r := range rows {
		scores := s.scores[r*width : r*width+m.items]
		relation := m.relation[(from+r)*m.items:][:m.items]
		kernel.Relate(scores, s.related[r*kinds:(r+1)*kinds], relation, scale)
		kernel.Softmax(scores)
		s.share(scores, relation, s.shares[r*kinds:(r+1)*kinds])
	}
	each := kernel.RoundUp(n.each, kernel.TileColumns)
	byRelation := s.head[kernel.BlockRows*each:]
	m.values[layer%2][h].Multiply(rows, s.scores, width, s.head, each)
	l.relationValue.Multiply(rows, s.shares, kinds, byRelation, each)
	for r := range rows {
		to := s.mixed[r*d+h*n.each:][:n.each]
		copy(to, s.head[r*each:])
		kernel.Add(to, byRelation[r*each:])
	}
}

// share sets shares to what the items of each relation have together. Neighbours
// often have the same relation: they are added to different sums, so that none
// waits for the one before.
func (s *scratch) share(scores []float32, relation []uint8, shares []float32) {
	p := &s.sums
	for i := range p {
		clear(p[i][:len(shares)])
	}
	relation = relation[:len(scores)]
	for ; len(scores) >= len(p) && len(relation) >= len(p); scores, relation = scores[len(p):], relation[len(p):] {
		p[0][relation[0]] += scores[0]
		p[1][relation[1]] += scores[1]
		p[2][relation[2]] += scores[2]
		p[3][relation[3]] += scores[3]
	}
	for i, share := range scores {
		p[i][relation[i]] += share
	}
	copy(shares, p[0][:])
	for _, sums := range p[1:] {
		kernel.Add(shares, sums[:])
	}
}

// prepareDecoder computes what the decoder asks of some of the items, and leaves the
// items themselves in y.
func (n *Net) prepareDecoder(m *memory, b kernel.Block) {
	d, from, rows := n.size, b.From, b.Rows()
	x, y, kv := m.x[from*d:], m.y[from*d:], m.qkv[from*3*d:]
	n.encoderNorm.Apply(rows, x, y)
	if n.pointed == nil { // it only encodes
		return
	}
	for i, layer := range n.decoders {
		layer.crossKeyValue.Multiply(rows, y, d, kv, 2*d)
		for h := range n.heads {
			m.crossKeys[i][h].SetColumns(kv[h*n.each:], 2*d, from, rows)
			m.crossValues[i][h].SetRows(kv[d+h*n.each:], 2*d, from, rows)
		}
	}
	n.pointed.Multiply(rows, y, d, m.pointed[from*d:], d)
	n.pointKey.Multiply(rows, y, d, x, d)
	m.pointKeys.SetColumns(x, d, from, rows)
}
