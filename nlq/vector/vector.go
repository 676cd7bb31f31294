// Package vector owns the meaning of single words: a table of word vectors, the
// ids by which models know words, and which of them mean the same.
//
// It never splits text and never stems: a word is in the table or it is not, in
// training and in serving alike. The failure it is built around is the drift
// between the two, so there is one file of vectors and one of synonyms, which
// learned/train/vectors.py and learned/train/synonyms.py write and describe.
package vector

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
)

// The ids that are not words of the table.
const (
	Padding int32 = iota
	Unknown       // a word that is not in the table
	Number        // a word that is not in the table and starts with a digit
	first         // the first word of the table
)

const (
	magic   = "QVEC"
	version = 1
	header  = len(magic) + 3*4
	// maxDim keeps dot products of bytes within 32 bits.
	maxDim = 1 << 14
)

var errFormat = errors.New("vector: the data holds no word vectors of a known version")

// Table is a set of words with their vectors. It is safe for concurrent use.
type Table struct {
	dim     int
	sum     uint32
	ids     map[string]int32
	scales  []float32
	norms   []float32 // of the whole numbers, before scaling
	numbers []byte    // signed

	bases, related lists // by word; see Relate
	senses         func(text string) []float32
}

// Load reads a table as learned/train/vectors.py writes it. It keeps data.
func Load(data []byte) (*Table, error) {
	if len(data) < header || string(data[:len(magic)]) != magic || binary.LittleEndian.Uint32(data[4:]) != version {
		return nil, errFormat
	}
	n, dim := int(binary.LittleEndian.Uint32(data[8:])), int(binary.LittleEndian.Uint32(data[12:]))
	rest := data[header:]
	if n > len(rest) || dim == 0 || dim > maxDim {
		return nil, errFormat
	}
	t := &Table{dim: dim, sum: crc32.ChecksumIEEE(data), ids: make(map[string]int32, n)}
	for i := range n {
		if len(rest) == 0 || len(rest) < 1+int(rest[0]) {
			return nil, errFormat
		}
		end := 1 + int(rest[0])
		t.ids[string(rest[1:end])] = first + int32(i)
		rest = rest[end:]
	}
	if len(rest) != n*(4+dim) {
		return nil, errFormat
	}
	t.scales = make([]float32, n)
	for i := range t.scales {
		t.scales[i] = math.Float32frombits(binary.LittleEndian.Uint32(rest[4*i:]))
	}
	t.numbers = rest[4*n:]
	t.norms = make([]float32, n)
	for i := range t.norms {
		v := t.row(i)
		t.norms[i] = float32(math.Sqrt(float64(dot(v, v))))
	}
	return t, nil
}

// Len is one more than the greatest id.
func (t *Table) Len() int { return int(first) + len(t.scales) }

// Sum is a checksum of the table: what was trained with one belongs to it.
func (t *Table) Sum() uint32 { return t.sum }

// Dim is how many numbers a vector has.
func (t *Table) Dim() int { return t.dim }

// ID returns the id of a word in lower case.
func (t *Table) ID(word string) int32 {
	if id, ok := t.ids[word]; ok {
		return id
	}
	if word != "" && word[0] >= '0' && word[0] <= '9' {
		return Number
	}
	return Unknown
}

// Words returns the words of the table, the most frequent first.
func (t *Table) Words() []string {
	all := make([]string, len(t.ids))
	for word, id := range t.ids {
		all[id-first] = word
	}
	return all
}

// Known reports whether a word is in the table.
func (t *Table) Known(word string) bool { return t.ID(word) >= first }

// frequent is how many words of the table are words for sure: among rarer ones are names,
// abbreviations and mistakes.
const frequent = 15_000

// IsWord reports whether a word is one that people write often, or one whose meaning or
// origin is known.
func (t *Table) IsWord(word string) bool {
	id := t.ID(word)
	return id >= first && (id < first+frequent || len(t.Bases(id)) > 0 || len(t.Related(id)) > 0)
}

// Vector writes the vector of an id to dst, which holds Dim numbers; ids that
// are no words have a vector of zeros.
func (t *Table) Vector(id int32, dst []float32) {
	i := int(id - first)
	if i < 0 || i >= len(t.scales) {
		clear(dst[:t.dim])
		return
	}
	scale := t.scales[i]
	for k, b := range t.row(i) {
		dst[k] = float32(int8(b)) * scale
	}
}

// Cosine is how near two words are in meaning, from -1 to 1; 0 when either has
// no vector.
func (t *Table) Cosine(a, b int32) float32 {
	i, j := int(a-first), int(b-first)
	if min(i, j) < 0 || max(i, j) >= len(t.norms) || t.norms[i] == 0 || t.norms[j] == 0 {
		return 0
	}
	return float32(dot(t.row(i), t.row(j))) / (t.norms[i] * t.norms[j])
}

func (t *Table) row(i int) []byte { return t.numbers[i*t.dim : (i+1)*t.dim] }

func dot(a, b []byte) int32 {
	var sum int32
	for i := range a {
		sum += int32(int8(a[i])) * int32(int8(b[i]))
	}
	return sum
}

// WithSenses lets the table know short texts by what they mean, and returns it.
func (t *Table) WithSenses(of func(text string) []float32) *Table {
	t.senses = of
	return t
}

// Sense returns a vector of length one, whose product with that of another text is how
// much the two mean the same; nil when nothing is known of the text.
func (t *Table) Sense(text string) []float32 {
	if t.senses == nil {
		return nil
	}
	return t.senses(text)
}
