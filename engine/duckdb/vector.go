package duckdb

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"unsafe"

	bindings "github.com/duckdb/duckdb-go-bindings"

	"quern"
	"quern/engine"
)

// vector reads one column of a chunk straight from the engine's memory; it is
// valid as long as the chunk is.
type vector struct {
	*kind
	data     unsafe.Pointer
	mask     unsafe.Pointer // one bit per row, set when not null; nil when none is null
	children []vector
}

func newVector(k *kind, v bindings.Vector) vector {
	out := vector{kind: k, data: bindings.VectorGetData(v), mask: bindings.VectorGetValidity(v)}
	switch k.id {
	case bindings.TypeList:
		out.children = []vector{newVector(k.children[0], bindings.ListVectorGetChild(v))}
	case bindings.TypeArray:
		out.children = []vector{newVector(k.children[0], bindings.ArrayVectorGetChild(v))}
	case bindings.TypeMap:
		entries := bindings.ListVectorGetChild(v)
		for i, child := range k.children {
			out.children = append(out.children, newVector(child, bindings.StructVectorGetChild(entries, bindings.IdxT(i))))
		}
	case bindings.TypeStruct:
		for i, child := range k.children {
			out.children = append(out.children, newVector(child, bindings.StructVectorGetChild(v, bindings.IdxT(i))))
		}
	case bindings.TypeUnion:
		// A union is stored as a struct whose first member is the tag.
		tag := bindings.StructVectorGetChild(v, 0)
		out.data = bindings.VectorGetData(tag)
		for i, child := range k.children {
			out.children = append(out.children, newVector(child, bindings.StructVectorGetChild(v, bindings.IdxT(i+1))))
		}
	}
	return out
}

func at[T any](v *vector, row int) T {
	var zero T
	return *(*T)(unsafe.Add(v.data, uintptr(row)*unsafe.Sizeof(zero)))
}

func (v *vector) null(row int) bool {
	if v.mask == nil {
		return v.id == bindings.TypeSQLNull
	}
	word := *(*uint64)(unsafe.Add(v.mask, uintptr(row/64)*8))
	return word&(1<<(row%64)) == 0
}

// text is the engine's string: a length, then the bytes when they are few, or
// else a prefix and a pointer.
type text struct {
	length uint32
	inline [4]byte
	rest   unsafe.Pointer
}

const inlineText = 12

// bytes returns the string's bytes where the engine keeps them.
func (v *vector) bytes(row int) []byte {
	t := (*text)(unsafe.Add(v.data, uintptr(row)*unsafe.Sizeof(text{})))
	if t.length <= inlineText {
		return unsafe.Slice(&t.inline[0], t.length)
	}
	return unsafe.Slice((*byte)(t.rest), t.length)
}

// value is the row's value in the form that engine.Rows promises.
func (v *vector) value(row int) any {
	if v.null(row) {
		return nil
	}
	switch v.id {
	case bindings.TypeBoolean:
		return at[uint8](v, row) != 0
	case bindings.TypeTinyInt:
		return int64(at[int8](v, row))
	case bindings.TypeSmallInt:
		return int64(at[int16](v, row))
	case bindings.TypeInteger:
		return int64(at[int32](v, row))
	case bindings.TypeBigInt:
		return at[int64](v, row)
	case bindings.TypeUTinyInt:
		return int64(at[uint8](v, row))
	case bindings.TypeUSmallInt:
		return int64(at[uint16](v, row))
	case bindings.TypeUInteger:
		return int64(at[uint32](v, row))
	case bindings.TypeFloat:
		return single(at[float32](v, row))
	case bindings.TypeDouble:
		return double(at[float64](v, row))
	case bindings.TypeVarchar:
		return v.varchar(row)
	case bindings.TypeUBigInt, bindings.TypeHugeInt, bindings.TypeUHugeInt, bindings.TypeDecimal:
		return v.exact(row)
	case bindings.TypeEnum:
		return v.words[v.ordinal(row)]
	case bindings.TypeBlob:
		return base64.StdEncoding.EncodeToString(v.bytes(row))
	case bindings.TypeList, bindings.TypeArray, bindings.TypeMap, bindings.TypeStruct, bindings.TypeUnion:
		return json.RawMessage(v.appendJSON(nil, row))
	}
	return v.temporal(row)
}

// walk hands over the row's value; it is the same as value's.
func (v *vector) walk(row int, to engine.Values) {
	if v.null(row) {
		to.Other(nil)
		return
	}
	switch {
	case v.id == bindings.TypeInteger:
		to.Int(int64(at[int32](v, row)))
	case v.id == bindings.TypeBigInt:
		to.Int(at[int64](v, row))
	case v.id == bindings.TypeDouble && isFinite(at[float64](v, row)):
		to.Float(at[float64](v, row))
	case v.id == bindings.TypeVarchar && v.column == quern.Text:
		to.Text(v.bytes(row))
	default:
		to.Other(v.value(row))
	}
}

func isFinite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

func (v *vector) varchar(row int) any {
	b := v.bytes(row)
	if v.column == quern.Text {
		return string(b)
	}
	if !json.Valid(b) {
		// The engine's JSON allows NaN and infinities, ours does not.
		quoted, _ := json.Marshal(string(b))
		return json.RawMessage(quoted)
	}
	return json.RawMessage(append([]byte(nil), b...))
}

// double returns null for what JSON has no number for.
func double(f float64) any {
	if !isFinite(f) {
		return nil
	}
	return f
}

// single widens by way of the shortest decimal text, so that 0.1 stays 0.1.
func single(f float32) any {
	wide, err := strconv.ParseFloat(strconv.FormatFloat(float64(f), 'g', -1, 32), 64)
	if err != nil {
		return nil
	}
	return double(wide)
}

type hugeint struct {
	lower uint64
	upper int64
}

func (h hugeint) big() *big.Int {
	n := big.NewInt(h.upper)
	return n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(h.lower))
}

// exact returns whole numbers as int64 when they fit, else as a json.Number, and
// decimals as a json.Number with all digits of their scale.
func (v *vector) exact(row int) any {
	switch v.id {
	case bindings.TypeDecimal:
		return json.Number(v.decimal(row))
	case bindings.TypeUBigInt:
		if n := at[uint64](v, row); n > math.MaxInt64 {
			return json.Number(strconv.FormatUint(n, 10))
		}
		return at[int64](v, row)
	case bindings.TypeUHugeInt:
		h := at[hugeint](v, row)
		n := new(big.Int).SetUint64(uint64(h.upper))
		return fitted(n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(h.lower)))
	}
	return fitted(at[hugeint](v, row).big())
}

func fitted(n *big.Int) any {
	if n.IsInt64() {
		return n.Int64()
	}
	return json.Number(n.String())
}

func (v *vector) decimal(row int) string {
	var digits string
	switch v.store {
	case bindings.TypeSmallInt:
		digits = strconv.FormatInt(int64(at[int16](v, row)), 10)
	case bindings.TypeInteger:
		digits = strconv.FormatInt(int64(at[int32](v, row)), 10)
	case bindings.TypeBigInt:
		digits = strconv.FormatInt(at[int64](v, row), 10)
	default:
		digits = at[hugeint](v, row).big().String()
	}
	if v.scale == 0 {
		return digits
	}
	sign := ""
	if digits[0] == '-' {
		sign, digits = "-", digits[1:]
	}
	for len(digits) <= v.scale {
		digits = "0" + digits
	}
	point := len(digits) - v.scale
	return sign + digits[:point] + "." + digits[point:]
}

func (v *vector) ordinal(row int) int {
	switch v.store {
	case bindings.TypeUTinyInt:
		return int(at[uint8](v, row))
	case bindings.TypeUSmallInt:
		return int(at[uint16](v, row))
	}
	return int(at[uint32](v, row))
}
