package net_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"quern/nlq/grammar"
	"quern/nlq/model"
	"quern/nlq/net"
)

// sizes are those of a network.
type sizes struct {
	Size     int `json:"size"`
	Heads    int `json:"heads"`
	Encoders int `json:"encoders"`
	Decoders int `json:"decoders"`
	Meaning  int `json:"-"` // numbers that are read of an item's meaning
}

type shape struct {
	Name  string `json:"name"`
	Shape []int  `json:"shape"`
	Type  string `json:"type"`
}

// relations is how many a pair of items can have.
const relations = 91

func shapes(s sizes, own, dim int) []shape {
	d, symbols := s.Size, len(grammar.Symbols())
	var all []shape
	add := func(name string, dims ...int) { all = append(all, shape{name, dims, "i8"}) }
	linear := func(name string, in, out int) {
		add(name+".weight", out, in)
		all = append(all, shape{name + ".bias", []int{out}, "f16"})
	}
	norm := func(name string) {
		all = append(all, shape{name + ".weight", []int{d}, "f16"}, shape{name + ".bias", []int{d}, "f16"})
	}
	for name, rows := range map[string]int{"word": own + 1, "kinds": 16, "types": 8, "flags": 8, "item": 3, "symbol": symbols, "state": grammar.States, "depth": 4} {
		add(name+".weight", rows, d)
	}
	linear("vector", dim, d)
	linear("column", 2*d, d)
	linear("table", 2*d, d)
	for _, name := range []string{"pointed", "point_q", "point_k"} {
		linear(name, d, d)
	}
	linear("write", d, symbols)
	if s.Meaning > 0 {
		linear("from_word", s.Meaning, d)
		linear("from_name", s.Meaning, d)
		linear("missing", d, 1)
	}
	norm("encoder_norm")
	norm("decoder_norm")
	block := func(name string, norms int) {
		for i := range norms {
			norm(fmt.Sprintf("%snorm%d", name, i+1))
		}
		linear(name+"qkv", d, 3*d)
		linear(name+"out", d, d)
		linear(name+"up", d, 4*d)
		linear(name+"down", 4*d, d)
	}
	for i := range s.Encoders {
		name := fmt.Sprintf("encoder.%d.", i)
		block(name, 2)
		add(name+"relation_key", relations, d/s.Heads)
		add(name+"relation_value", relations, d/s.Heads)
		add(name+"relation_bias", relations, s.Heads)
	}
	for i := range s.Decoders {
		name := fmt.Sprintf("decoder.%d.", i)
		block(name, 3)
		linear(name+"cross_q", d, d)
		linear(name+"cross_kv", d, 2*d)
		linear(name+"cross_out", d, d)
		add(name+"distance", s.Heads, 64)
	}
	return all
}

// randomWeights writes a network that learned nothing.
func randomWeights(t testing.TB, s sizes) []byte {
	t.Helper()
	words, err := model.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	all := shapes(s, 2, words.Dim())
	header, err := json.Marshal(map[string]any{
		"sizes": s, "own": []int{1, 2}, "symbols": grammar.Symbols(), "states": grammar.States,
		"relations": relations, "vectors": words.Sum(), "tensors": all,
	})
	if err != nil {
		t.Fatal(err)
	}
	out := bytes.NewBufferString("QNET")
	write := func(v any) { _ = binary.Write(out, binary.LittleEndian, v) }
	write([]uint32{1, uint32(len(header))})
	out.Write(header)
	random := rand.New(rand.NewPCG(1, 2))
	for _, tensor := range all {
		if tensor.Type == "f16" {
			for range tensor.Shape[0] {
				write(uint16(random.IntN(2)<<15 | 0x2c00 + random.IntN(0x800))) // up to a quarter
			}
			continue
		}
		for range tensor.Shape[0] {
			write(float32(0.002))
		}
		for range tensor.Shape[0] * tensor.Shape[1] {
			write(int8(random.IntN(255) - 127))
		}
	}
	return out.Bytes()
}

func randomNet(t testing.TB, s sizes) *net.Net {
	t.Helper()
	words, err := model.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	n, err := net.Load(randomWeights(t, s), words)
	if err != nil {
		t.Fatalf("Load = %v", err)
	}
	return n
}

// randomInput is a question of so many words about tables of so many columns.
func randomInput(words, tables, columns int) net.Input {
	random := rand.New(rand.NewPCG(3, 4))
	name := func() []int32 { return []int32{int32(random.IntN(60000)), int32(random.IntN(60000))} }
	var in net.Input
	for t := range tables {
		in.Tables = append(in.Tables, name())
		for c := range columns {
			in.Columns = append(in.Columns, net.Column{Words: name(), Type: uint8(random.IntN(5)), Flags: uint8(random.IntN(8)), Table: t})
			if c == 1 && t > 0 {
				in.Links = append(in.Links, [2]int{t*columns + 1, 0})
			}
		}
	}
	for range words {
		in.Words = append(in.Words, int32(random.IntN(60000)))
		in.Kinds = append(in.Kinds, uint8(random.IntN(8)))
		toColumns, toTables := make([]uint8, len(in.Columns)), make([]uint8, tables)
		for i := range toColumns {
			toColumns[i] = uint8(random.IntN(21))
		}
		for i := range toTables {
			toTables[i] = uint8(random.IntN(7))
		}
		in.TokenColumns, in.TokenTables = append(in.TokenColumns, toColumns), append(in.TokenTables, toTables)
	}
	return in
}
