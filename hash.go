package quern

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// The hashes below are those of DuckDB, under which a Sketch counts values: sketches that
// are made here merge with those that are made in the engine.

const (
	hashFactor = 0xd6e8feb86659fd93
	hashSeed   = 0xe17a1465
	hashLength = 0xc6a4a7935bd1e995
)

// HashWhole is the hash of a boolean, 0 or 1, of a date, in days since 1970, or of an
// instant, in microseconds since then.
func HashWhole(x uint64) uint64 {
	x ^= x >> 32
	x *= hashFactor
	x ^= x >> 32
	x *= hashFactor
	x ^= x >> 32
	return x
}

// HashNumber is the hash of a number. Integers and decimals are hashed as doubles.
func HashNumber(f float64) uint64 {
	if f == 0 {
		f = 0 // both zeros are one value
	}
	return HashWhole(math.Float64bits(f))
}

// HashText is the hash of a text, also of JSON.
func HashText(text []byte) uint64 {
	h := uint64(hashSeed) ^ uint64(len(text))*hashLength
	rest := text
	for ; len(rest) >= 8; rest = rest[8:] {
		h ^= binary.LittleEndian.Uint64(rest)
		h *= hashFactor
	}
	if n := len(rest); n > 0 {
		if len(text) >= 8 { // the last eight bytes, less those that are hashed already
			h ^= binary.LittleEndian.Uint64(text[len(text)-8:]) >> (8 * (8 - n))
		} else {
			h ^= fewBytes(rest)
		}
		h *= hashFactor
	}
	return HashWhole(h)
}

// TextHash makes the hash of a text, as HashText does, of words of eight bytes, the first byte the
// lowest. The last word has zeros behind the text.
type TextHash uint64

// NewTextHash begins with a text of so many bytes.
func NewTextHash(length int) TextHash { return TextHash(uint64(hashSeed) ^ uint64(length)*hashLength) }

// With adds a word.
func (h TextHash) With(word uint64) TextHash { return (h ^ TextHash(word)) * hashFactor }

// Sum is the hash of all words.
func (h TextHash) Sum() uint64 { return HashWhole(uint64(h)) }

// fewBytes is up to eight bytes as a number, the first the lowest.
func fewBytes(text []byte) (v uint64) {
	if n := len(text); n >= 4 {
		return uint64(binary.LittleEndian.Uint32(text)) | uint64(binary.LittleEndian.Uint32(text[n-4:]))<<(8*(n-4))
	}
	for i, b := range text {
		v |= uint64(b) << (8 * i)
	}
	return v
}

// Add counts a value by its hash.
func (r *Registers) Add(hash uint64) {
	i, rank := hashPlace(hash)
	r[i] = max(r[i], rank)
}

// hashPlace is the register that a hash updates, and with what.
func hashPlace(hash uint64) (register int, rank uint8) {
	const numberBits = 10
	return int(hash >> (64 - numberBits)), uint8(min(bits.LeadingZeros64(hash<<numberBits), 64-numberBits) + 1)
}

// SketchOf returns the sketch of values with these hashes, few of them.
func SketchOf(hashes []uint64) Sketch {
	var r Registers
	for _, h := range hashes {
		r.Add(h)
	}
	return r.Sketch()
}
