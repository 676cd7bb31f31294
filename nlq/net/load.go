package net

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"quern/nlq/grammar"
	"quern/nlq/kernel"
	"quern/nlq/vector"
	"quern/nlq/weights"
)

const (
	magic       = "QNET"
	normEpsilon = 1e-5
)

// header is what the file says about itself.
type header struct {
	Sizes struct {
		Size, Heads, Encoders, Decoders int
	}
	Own       []int32 // word ids with rows of their own
	Symbols   []string
	States    int
	Relations int
	Vectors   uint32 // checksum
}

// table is rows of numbers.
type table struct {
	rows, columns int
	data          []float32
}

// Load reads weights as learned/train/export.py writes and describes them. They
// belong to one table of word vectors, one list of symbols and the relations of
// package feature; others are refused.
func Load(data []byte, words *vector.Table) (*Net, error) {
	h, l, err := open(data, words)
	if err != nil {
		return nil, err
	}
	n := l.encoding(h, words)
	l.decoding(n, h)
	if l.Err() != nil {
		return nil, l.Err()
	}
	return n, nil
}

// open reads the header of weights and their tensors.
func open(data []byte, words *vector.Table) (*header, *loader, error) {
	h := new(header)
	file, err := weights.Open(data, magic, h)
	if err == nil {
		err = h.check(words)
	}
	return h, &loader{file, h.Sizes.Size}, err
}

func (h *header) check(words *vector.Table) error {
	s := h.Sizes
	switch {
	case h.Vectors != words.Sum():
		return errors.New("net: the weights belong to other word vectors")
	case h.Relations != relations:
		return fmt.Errorf("net: the weights know %d relations of words, columns and tables, and this build has %d: train them anew",
			h.Relations, relations)
	case !h.knowsGrammar():
		return errors.New("net: the weights belong to another grammar")
	case s.Size <= 0 || s.Size > 4096 || s.Size%kernel.TileColumns != 0 || s.Heads <= 0 || s.Size%s.Heads != 0:
		return weights.ErrFormat
	case s.Encoders < 0 || s.Encoders > 64 || s.Decoders < 0 || s.Decoders > 64:
		return weights.ErrFormat
	}
	return nil
}

// knowsGrammar reports whether the weights were trained with the grammar of this
// build, or with one that it only adds to: symbols and states that came later are
// never written.
func (h *header) knowsGrammar() bool {
	symbols := grammar.Symbols()
	return len(h.Symbols) <= len(symbols) && slices.Equal(h.Symbols, symbols[:len(h.Symbols)]) && h.States > 0 && h.States <= grammar.States
}

// loader hands out what networks are made of.
type loader struct {
	*weights.File
	size int
}

// table returns a tensor of so many rows and columns.
func (l *loader) table(name string, rows, columns int) table {
	return table{rows, columns, l.Numbers(name, rows, columns)}
}

func (l *loader) norm(name string) kernel.Norm { return l.Norm(name, l.size, normEpsilon) }

// encoding makes a network that encodes questions.
func (l *loader) encoding(h *header, words *vector.Table) *Net {
	d := l.size
	n := &Net{
		size: d, heads: h.Sizes.Heads, each: d / h.Sizes.Heads, vectors: words, rows: make(map[int32]int, len(h.Own)),
		word: l.table("word.weight", len(h.Own)+1, d), vector: l.Linear("vector", words.Dim(), d),
		column: l.Linear("column", 2*d, d), table: l.Linear("table", 2*d, d),
		kinds: l.table("kinds.weight", kinds, d), types: l.table("types.weight", types, d), flags: l.table("flags.weight", flags, d),
		item: l.table("item.weight", 3, d), encoderNorm: l.norm("encoder_norm"),
	}
	for i, id := range h.Own {
		n.rows[id] = i + 1
	}
	if n.meaning = l.Columns("from_word.weight"); n.meaning > 0 {
		n.fromWord, n.fromName = l.Linear("from_word", n.meaning, d), l.Linear("from_name", n.meaning, d)
	}
	if l.Columns("missing.weight") > 0 {
		n.missing, n.missingBias = l.Numbers("missing.weight", 1, d), l.Numbers("missing.bias", 1, 1)[0]
	}
	for i := range h.Sizes.Encoders {
		n.encoders = append(n.encoders, l.encoder(fmt.Sprintf("encoder.%d.", i), n))
	}
	return n
}

// decoding adds to a network what writes derivations.
func (l *loader) decoding(n *Net, h *header) {
	d := l.size
	n.symbol, n.state = l.table("symbol.weight", len(h.Symbols), d), l.table("state.weight", h.States, d)
	n.depth, n.decoderNorm = l.table("depth.weight", depths, d), l.norm("decoder_norm")
	n.pointed, n.write = l.Linear("pointed", d, d), l.Linear("write", d, len(h.Symbols))
	n.pointQuery, n.pointKey = l.Linear("point_q", d, d), l.Linear("point_k", d, d)
	for i := range h.Sizes.Decoders {
		n.decoders = append(n.decoders, l.decoder(fmt.Sprintf("decoder.%d.", i), n))
	}
}

func (l *loader) encoder(name string, n *Net) *encoderLayer {
	d := l.size
	e := &encoderLayer{
		norm1: l.norm(name + "norm1"), norm2: l.norm(name + "norm2"),
		qkv: l.Linear(name+"qkv", d, 3*d), out: l.Linear(name+"out", d, d),
		up: l.Linear(name+"up", d, 4*d), down: l.Linear(name+"down", 4*d, d),
	}
	e.relationValue.SetStraight(l.table(name+"relation_value", relations, n.each).data, n.each, relations, n.each)
	keys, bias := l.table(name+"relation_key", relations, n.each), l.table(name+"relation_bias", relations, n.heads)
	root := float32(math.Sqrt(float64(n.each)))
	for head := range n.heads {
		var p kernel.Packed
		p.SetTransposed(keys.data, n.each, n.each, relations)
		for r := range relations {
			p.Bias[r] = bias.data[r*n.heads+head] * root
		}
		e.relationKeys = append(e.relationKeys, p)
	}
	return e
}

func (l *loader) decoder(name string, n *Net) *decoderLayer {
	d := l.size
	return &decoderLayer{
		norm1: l.norm(name + "norm1"), norm2: l.norm(name + "norm2"), norm3: l.norm(name + "norm3"),
		qkv: l.Linear(name+"qkv", d, 3*d), out: l.Linear(name+"out", d, d),
		crossQuery: l.Linear(name+"cross_q", d, d), crossKeyValue: l.Linear(name+"cross_kv", d, 2*d), crossOut: l.Linear(name+"cross_out", d, d),
		up: l.Linear(name+"up", d, 4*d), down: l.Linear(name+"down", 4*d, d),
		distance: l.table(name+"distance", n.heads, reach),
	}
}
