package net

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"quern/nlq/grammar"
	"quern/nlq/vector"
)

const (
	magic   = "QNET"
	version = 1
	prefix  = len(magic) + 2*4
	// mostNumbers bounds what a header may ask for.
	mostNumbers = 1 << 27
)

var errFormat = errors.New("net: the data holds no weights of a known version")

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
	Tensors   []struct {
		Name  string
		Shape []int
		Type  string
	}
}

// tensor is a matrix, or a row when it had one dimension.
type tensor struct {
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
	if l.err != nil {
		return nil, l.err
	}
	return n, nil
}

// open reads the header of weights and their tensors.
func open(data []byte, words *vector.Table) (*header, *loader, error) {
	if len(data) < prefix || string(data[:len(magic)]) != magic || binary.LittleEndian.Uint32(data[4:]) != version {
		return nil, nil, errFormat
	}
	size, rest := int(binary.LittleEndian.Uint32(data[8:])), data[prefix:]
	if size > len(rest) {
		return nil, nil, errFormat
	}
	h := new(header)
	if err := json.Unmarshal(rest[:size], h); err != nil {
		return nil, nil, errFormat
	}
	if err := h.check(words); err != nil {
		return nil, nil, err
	}
	tensors, err := h.read(rest[size:])
	return h, &loader{tensors: tensors, size: h.Sizes.Size}, err
}

func (h *header) check(words *vector.Table) error {
	s := h.Sizes
	switch {
	case h.Vectors != words.Sum():
		return errors.New("net: the weights belong to other word vectors")
	case h.Relations != relations:
		return fmt.Errorf("net: the weights know %d relations of words, columns and tables, and this build has %d: train them anew",
			h.Relations, relations)
	case !slices.Equal(h.Symbols, grammar.Symbols()) || h.States != grammar.States:
		return errors.New("net: the weights belong to another grammar")
	case s.Size <= 0 || s.Size > 4096 || s.Size%tileColumns != 0 || s.Heads <= 0 || s.Size%s.Heads != 0:
		return errFormat
	case s.Encoders < 0 || s.Encoders > 64 || s.Decoders < 0 || s.Decoders > 64:
		return errFormat
	}
	return nil
}

func (h *header) read(data []byte) (map[string]tensor, error) {
	all := make(map[string]tensor, len(h.Tensors))
	for _, about := range h.Tensors {
		t := tensor{rows: 1, columns: 1}
		switch len(about.Shape) {
		case 1:
			t.columns = about.Shape[0]
		case 2:
			t.rows, t.columns = about.Shape[0], about.Shape[1]
		default:
			return nil, errFormat
		}
		if t.rows <= 0 || t.columns <= 0 || t.rows > mostNumbers || t.columns > mostNumbers/t.rows {
			return nil, errFormat
		}
		var err error
		if data, err = t.decode(about.Type, data); err != nil {
			return nil, err
		}
		all[about.Name] = t
	}
	if len(data) != 0 {
		return nil, errFormat
	}
	return all, nil
}

// decode reads the numbers of a tensor and returns what follows them.
func (t *tensor) decode(kind string, data []byte) (rest []byte, err error) {
	n := t.rows * t.columns
	need := map[string]int{"f16": 2 * n, "i8": 4*t.rows + n}[kind]
	if need == 0 || need > len(data) {
		return nil, errFormat
	}
	t.data = make([]float32, n)
	if kind == "f16" {
		for i := range t.data {
			t.data[i] = half(binary.LittleEndian.Uint16(data[2*i:]))
		}
		return data[need:], nil
	}
	for r := range t.rows {
		scale := math.Float32frombits(binary.LittleEndian.Uint32(data[4*r:]))
		row := data[4*t.rows+r*t.columns:]
		for c := range t.columns {
			t.data[r*t.columns+c] = float32(int8(row[c])) * scale
		}
	}
	return data[need:], nil
}

// loader hands out tensors by name and keeps the first error.
type loader struct {
	tensors map[string]tensor
	size    int
	err     error
}

// table returns a tensor of so many rows and columns; 0 rows: as many as it has.
func (l *loader) table(name string, rows, columns int) tensor {
	t, ok := l.tensors[name]
	if rows == 0 {
		rows = t.rows
	}
	fits := ok && t.rows == rows && t.columns == columns
	if l.err == nil && !fits {
		l.err = fmt.Errorf("net: tensor %q is not %d by %d", name, rows, columns)
	}
	if l.err != nil {
		return tensor{rows, columns, make([]float32, rows*columns)}
	}
	return t
}

// linear returns a layer's matrix, from in numbers to out.
func (l *loader) linear(name string, in, out int) *packed {
	p := &packed{}
	p.transposed(l.table(name+".weight", out, in).data, in, in, out)
	copy(p.bias, l.table(name+".bias", 1, out).data)
	p.halve()
	return p
}

func (l *loader) norm(name string) norm {
	return norm{l.table(name+".weight", 1, l.size).data, l.table(name+".bias", 1, l.size).data}
}

// encoding makes a network that encodes questions.
func (l *loader) encoding(h *header, words *vector.Table) *Net {
	d := l.size
	n := &Net{
		size: d, heads: h.Sizes.Heads, each: d / h.Sizes.Heads, vectors: words, rows: make(map[int32]int, len(h.Own)),
		word: l.table("word.weight", len(h.Own)+1, d), vector: l.linear("vector", words.Dim(), d),
		column: l.linear("column", 2*d, d), table: l.linear("table", 2*d, d),
		kinds: l.table("kinds.weight", kinds, d), types: l.table("types.weight", types, d), flags: l.table("flags.weight", flags, d),
		item: l.table("item.weight", 3, d), encoderNorm: l.norm("encoder_norm"),
	}
	for i, id := range h.Own {
		n.rows[id] = i + 1
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
	n.pointed, n.write = l.linear("pointed", d, d), l.linear("write", d, len(h.Symbols))
	n.pointQuery, n.pointKey = l.linear("point_q", d, d), l.linear("point_k", d, d)
	for i := range h.Sizes.Decoders {
		n.decoders = append(n.decoders, l.decoder(fmt.Sprintf("decoder.%d.", i), n))
	}
}

func (l *loader) encoder(name string, n *Net) *encoderLayer {
	d := l.size
	e := &encoderLayer{
		norm1: l.norm(name + "norm1"), norm2: l.norm(name + "norm2"),
		qkv: l.linear(name+"qkv", d, 3*d), out: l.linear(name+"out", d, d),
		up: l.linear(name+"up", d, 4*d), down: l.linear(name+"down", 4*d, d),
	}
	e.relationValue.straight(l.table(name+"relation_value", relations, n.each).data, n.each, relations, n.each)
	keys, bias := l.table(name+"relation_key", relations, n.each), l.table(name+"relation_bias", relations, n.heads)
	root := float32(math.Sqrt(float64(n.each)))
	for head := range n.heads {
		var p packed
		p.transposed(keys.data, n.each, n.each, relations)
		for r := range relations {
			p.bias[r] = bias.data[r*n.heads+head] * root
		}
		e.relationKeys = append(e.relationKeys, p)
	}
	return e
}

func (l *loader) decoder(name string, n *Net) *decoderLayer {
	d := l.size
	return &decoderLayer{
		norm1: l.norm(name + "norm1"), norm2: l.norm(name + "norm2"), norm3: l.norm(name + "norm3"),
		qkv: l.linear(name+"qkv", d, 3*d), out: l.linear(name+"out", d, d),
		crossQuery: l.linear(name+"cross_q", d, d), crossKeyValue: l.linear(name+"cross_kv", d, 2*d), crossOut: l.linear(name+"cross_out", d, d),
		up: l.linear(name+"up", d, 4*d), down: l.linear(name+"down", 4*d, d),
		distance: l.table(name+"distance", n.heads, reach),
	}
}
