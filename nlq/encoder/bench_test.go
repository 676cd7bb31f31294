package encoder_test

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"quern/nlq/encoder"
)

// grown returns an encoder as large as the one that is shipped, of random numbers,
// over the pieces of the tests.
func grown(b *testing.B) *encoder.Encoder {
	b.Helper()
	const size, wide = 384, 1536
	words := strings.Fields("[PAD] [UNK] [CLS] [SEP] : ( , )")
	for c := 'a'; c <= 'z'; c++ {
		words = append(words, string(c), "##"+string(c))
	}
	random := rand.New(rand.NewPCG(1, 2))
	whole := func(data []byte, rows, columns int) []byte {
		for range rows {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(0.001))
		}
		for range rows * columns {
			data = append(data, byte(int8(random.IntN(255)-127)))
		}
		return data
	}
	file := func(magic string, header map[string]any, body []byte) []byte {
		text, err := json.Marshal(header)
		if err != nil {
			b.Fatal(err)
		}
		data := binary.LittleEndian.AppendUint32([]byte(magic), 1)
		data = binary.LittleEndian.AppendUint32(data, uint32(len(text)))
		return append(append(data, text...), body...)
	}
	pieces, err := encoder.LoadPieces(file("QPCS", map[string]any{"size": size, "pieces": words}, whole(nil, len(words), size)))
	if err != nil {
		b.Fatal(err)
	}
	var tensors []map[string]any
	var body []byte
	matrix := func(name string, rows, columns int) {
		tensors = append(tensors, map[string]any{"name": "pretrained." + name + ".weight", "shape": []int{rows, columns}, "type": "i8"})
		body = whole(body, rows, columns)
	}
	row := func(name string, n int) {
		tensors = append(tensors, map[string]any{"name": "pretrained." + name, "shape": []int{n}, "type": "f16"})
		for range n {
			body = append(body, 0, 0x3c)
		}
	}
	matrix("place", 96, size)
	row("norm.weight", size)
	row("norm.bias", size)
	for _, layer := range []string{"layers.0.", "layers.1.", "layers.2."} {
		for _, m := range []struct {
			name      string
			out, from int
		}{{"qkv", 3 * size, size}, {"out", size, size}, {"up", wide, size}, {"down", size, wide}} {
			matrix(layer+m.name, m.out, m.from)
			row(layer+m.name+".bias", m.out)
		}
		for _, name := range []string{"norm1.", "norm2."} {
			row(layer+name+"weight", size)
			row(layer+name+"bias", size)
		}
	}
	sizes := map[string]int{"size": size, "heads": 12, "layers": 3, "apart": 2, "wide": wide}
	e, err := encoder.Load(file("QNET", map[string]any{"pretrained": sizes, "pieces": pieces.Sum(), "tensors": tensors}, body), pieces)
	if err != nil {
		b.Fatal(err)
	}
	return e
}

// A question of 20 pieces over names of 100, and one name with its values.
func BenchmarkEncode(b *testing.B) {
	e := grown(b)
	text := encoder.Text{Table: []string{"ab", "cd"}, Words: []string{"ef"}, Values: []string{"gh", "ij", "kl"}}
	texts := make([]encoder.Text, 50)
	for i := range texts {
		texts[i] = text
	}
	names, err := e.Names(b.Context(), texts)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("question", func(b *testing.B) {
		for b.Loop() {
			if _, err := e.Encode(b.Context(), strings.Split(strings.Repeat("ab ", 9)+"ab", " "), names); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("name", func(b *testing.B) {
		for b.Loop() {
			if _, err := e.Names(b.Context(), texts[:1]); err != nil {
				b.Fatal(err)
			}
		}
	})
}
