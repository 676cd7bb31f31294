package net

import (
	"context"
	"math"

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
	norm1, norm2       norm
	qkv, out, up, down *packed
	relationKeys       []packed // of heads, their biases in them
	relationValue      packed
}

// encode computes the items of a question, and what the decoder asks of them.
func (n *Net) encode(ctx context.Context, in *Input, m *memory, c crew) error {
	n.embed(in, m)
	for _, layer := range n.encoders {
		if err := ctx.Err(); err != nil {
			return err
		}
		n.attend(layer, m, c)
	}
	n.encoderNorm.apply(m.items, m.x, m.y)
	n.remember(m, c)
	return ctx.Err()
}

// embed sets the rows of x to what the items are by themselves.
func (n *Net) embed(in *Input, m *memory) {
	d, dim, q := n.size, n.vectors.Dim(), len(in.Words)
	names := len(in.Columns) + len(in.Tables)
	rows := roundUp(q, tileRows) + roundUp(2*names, tileRows)
	raw, words := make([]float32, rows*dim), make([]float32, rows*d)
	for i, id := range in.Words {
		n.vectors.Vector(id, raw[i*dim:])
	}
	first := roundUp(q, tileRows) // the names: for each its mean and its last word
	for i := range names {
		n.pool(in.name(i), raw[(first+2*i)*dim:(first+2*i+2)*dim])
	}
	n.vector.multiply(rows, raw, dim, words, d)
	for i, id := range in.Words {
		x := m.x[i*d : (i+1)*d]
		copy(x, words[i*d:])
		add(x, n.word.row(n.rows[id]))
		add(x, n.item.row(itemToken))
		add(x, n.kinds.row(min(int(in.Kinds[i]), kinds-1)))
	}
	own := make([]float32, 2*d)
	for i := range names {
		pair := words[(first+2*i)*d : (first+2*i+2)*d]
		n.poolOwn(in.name(i), own)
		add(pair, own)
	}
	n.embedNames(in, m, words[first*d:])
}

// embedNames sets the rows of columns and tables from pairs of means and lasts.
func (n *Net) embedNames(in *Input, m *memory, pairs []float32) {
	d, q, c := n.size, len(in.Words), len(in.Columns)
	names := make([]float32, roundUp(c+len(in.Tables), tileRows)*d)
	padded := make([]float32, roundUp(c+len(in.Tables), tileRows)*2*d)
	copy(padded, pairs)
	n.column.multiply(c, padded, 2*d, names, d)
	copy(m.x[q*d:(q+c)*d], names)
	for i, column := range in.Columns {
		x := m.x[(q+i)*d : (q+i+1)*d]
		add(x, n.item.row(itemColumn))
		add(x, n.types.row(min(int(column.Type), types-1)))
		add(x, n.flags.row(int(column.Flags)%flags))
	}
	copy(padded, pairs[2*c*d:2*(c+len(in.Tables))*d])
	n.table.multiply(len(in.Tables), padded, 2*d, names, d)
	copy(m.x[(q+c)*d:m.items*d], names)
	for i := range in.Tables {
		add(m.x[(q+c+i)*d:(q+c+i+1)*d], n.item.row(itemTable))
	}
}

var nameless = []int32{vector.Unknown}

// name gives the words of a column's name, or of a table's behind the columns.
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
		add(mean, last)
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
		add(mean, n.word.row(n.rows[id]))
	}
	for i := range mean {
		mean[i] /= float32(len(words))
	}
	copy(last, n.word.row(n.rows[words[len(words)-1]]))
}

// attend applies a layer to x.
func (n *Net) attend(layer *encoderLayer, m *memory, c crew) {
	d := n.size
	c.blocks(m.items, func(_, from, to int) {
		layer.norm1.apply(to-from, m.x[from*d:], m.y[from*d:])
		layer.qkv.multiply(to-from, m.y[from*d:], d, m.qkv[from*3*d:], 3*d)
	})
	c.each(n.heads, func(_, h int) {
		m.keys[h].transposed(m.qkv[d+h*n.each:], 3*d, n.each, m.items)
		m.values[h].straight(m.qkv[2*d+h*n.each:], 3*d, m.items, n.each)
	})
	c.blocks(m.items, func(worker, from, to int) {
		s := &m.scratch[worker]
		for h := range n.heads {
			n.attendHead(layer, m, s, h, from, to)
		}
		x, y := m.x[from*d:], m.y[from*d:]
		layer.out.multiply(to-from, s.mixed, d, y, d)
		add(x[:(to-from)*d], y)
		layer.norm2.apply(to-from, x, y)
		layer.up.multiply(to-from, y, d, s.wide, 4*d)
		activate(s.wide[:(to-from)*4*d])
		layer.down.multiply(to-from, s.wide, 4*d, y, d)
		add(x[:(to-from)*d], y)
	})
}

// attendHead computes one head of some rows into the columns of s.mixed.
func (n *Net) attendHead(layer *encoderLayer, m *memory, s *scratch, h, from, to int) {
	d, rows := n.size, to-from
	width, kinds := roundUp(m.items, tileColumns), roundUp(relations, tileColumns)
	scale := float32(1 / math.Sqrt(float64(n.each)))
	q := m.qkv[from*3*d+h*n.each:]
	layer.relationKeys[h].multiply(rows, q, 3*d, s.related, kinds)
	m.keys[h].multiply(rows, q, 3*d, s.scores, width)
	for r := range rows {
		scores := s.scores[r*width : r*width+m.items]
		related := s.related[r*kinds : (r+1)*kinds]
		relation := m.relation[(from+r)*m.items:][:len(scores)]
		for j := range scores {
			scores[j] = (scores[j] + related[relation[j]]) * scale
		}
		softmax(scores)
		shares := s.shares[r*kinds : (r+1)*kinds]
		clear(shares)
		for j, share := range scores {
			shares[relation[j]] += share
		}
	}
	each := roundUp(n.each, tileColumns)
	byRelation := s.head[blockRows*each:]
	m.values[h].multiply(rows, s.scores, width, s.head, each)
	layer.relationValue.multiply(rows, s.shares, kinds, byRelation, each)
	for r := range rows {
		to := s.mixed[r*d+h*n.each:][:n.each]
		copy(to, s.head[r*each:])
		add(to, byRelation[r*each:])
	}
}

// remember computes what the decoder asks of the items, which are in y.
func (n *Net) remember(m *memory, c crew) {
	d := n.size
	for i, layer := range n.decoders {
		kv := m.qkv
		c.blocks(m.items, func(_, from, to int) {
			layer.crossKeyValue.multiply(to-from, m.y[from*d:], d, kv[from*2*d:], 2*d)
		})
		c.each(n.heads, func(_, h int) {
			m.crossKeys[i][h].transposed(kv[h*n.each:], 2*d, n.each, m.items)
			m.crossValues[i][h].straight(kv[d+h*n.each:], 2*d, m.items, n.each)
		})
	}
	c.blocks(m.items, func(_, from, to int) {
		n.pointed.multiply(to-from, m.y[from*d:], d, m.pointed[from*d:], d)
		n.pointKey.multiply(to-from, m.y[from*d:], d, m.x[from*d:], d)
	})
	m.pointKeys.transposed(m.x, d, d, m.items)
}
