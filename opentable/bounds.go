package opentable

import (
	"encoding/binary"
	"math"
	"math/big"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"quern"
)

// boundText is how many characters of a text a bound has.
const boundText = 16

// bound writes a bound of a column's values as Iceberg stores single values; ok is
// false where there is none that holds. A text is cut, upwards for an upper bound.
func bound(text string, t quern.Type, upper bool) (value []byte, ok bool) {
	if text == "" {
		return nil, false
	}
	if _, scale, decimal := t.DecimalSize(); decimal {
		return decimalBytes(text, scale)
	}
	switch t {
	case quern.Boolean:
		return map[string][]byte{"true": {1}, "false": {0}}[text], text == "true" || text == "false"
	case quern.Integer:
		n, err := strconv.ParseInt(text, 10, 64)
		return binary.LittleEndian.AppendUint64(nil, uint64(n)), err == nil
	case quern.Double:
		f, err := strconv.ParseFloat(text, 64)
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(f)), err == nil && !math.IsNaN(f)
	case quern.Date:
		day, err := time.Parse(time.DateOnly, text)
		return binary.LittleEndian.AppendUint32(nil, uint32(int32(day.Unix()/86400))), err == nil && day.Unix()%86400 == 0
	case quern.Timestamp:
		at, err := time.Parse(time.RFC3339Nano, text)
		return binary.LittleEndian.AppendUint64(nil, uint64(at.UnixMicro())), err == nil
	case quern.Text:
		return textBound(text, upper)
	}
	return nil, false
}

// decimalBytes is the unscaled value, big-endian in two's complement, in as few bytes as
// hold it.
func decimalBytes(text string, scale int) ([]byte, bool) {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, false
	}
	r.Mul(r, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)))
	if !r.IsInt() {
		return nil, false
	}
	n := r.Num()
	if n.Sign() >= 0 {
		return slices.Concat(make([]byte, leadingByte(n)), n.Bytes()), true
	}
	size := (new(big.Int).Not(n).BitLen() + 8) / 8
	return new(big.Int).Add(n, new(big.Int).Lsh(big.NewInt(1), uint(8*size))).Bytes(), true
}

// leadingByte is 1 where a number that is not negative needs a byte before its own, so
// that its first bit is none of its value.
func leadingByte(n *big.Int) int {
	if n.BitLen()%8 == 0 {
		return 1
	}
	return 0
}

func textBound(text string, upper bool) ([]byte, bool) {
	runes := []rune(text)
	if !utf8.ValidString(text) || len(runes) <= boundText {
		return []byte(text), utf8.ValidString(text)
	}
	runes = runes[:boundText]
	if !upper {
		return []byte(string(runes)), true
	}
	for i := len(runes) - 1; i >= 0; i-- {
		if next := after(runes[i]); next > 0 {
			runes[i] = next
			return []byte(string(runes[:i+1])), true
		}
	}
	return nil, false
}

// after is the next character, or 0 behind the last one.
func after(r rune) rune {
	switch r {
	case utf8.MaxRune:
		return 0
	case 0xD7FF: // what follows are no characters
		return 0xE000
	}
	return r + 1
}
