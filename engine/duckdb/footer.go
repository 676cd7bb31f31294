package duckdb

import (
	"encoding/binary"
	"errors"
	"math"
)

// footer is what the foot of a Parquet file says of where its columns are.
type footer struct {
	groups []rowGroup
}

// rowGroup is rows of a file whose columns lie together.
type rowGroup struct {
	chunks []columnChunk
}

// columnChunk is a column of a row group, or of one that is nested a leaf.
type columnChunk struct {
	column   string // the name of the column, not of the leaf
	nested   bool
	from, to int64
	filter   [2]int64 // where its Bloom filter is; both 0: it has none
	min, max []byte   // of the values as they are stored; nil: not known
	kind     int64    // how values are stored
}

// How Parquet stores values that are whole numbers underneath.
const (
	storedInt32 = 1
	storedInt64 = 2
)

// errFooter says that a foot cannot be read.
var errFooter = errors.New("duckdb: the foot of a segment cannot be read")

// readFooter reads the foot of a file, as engine.ReadFoot gives it.
func readFooter(foot []byte) (f footer, err error) {
	if len(foot) < 8 {
		return f, errFooter
	}
	t := &thrift{data: foot[:len(foot)-8]}
	t.fields(func(id int, kind byte) {
		if id == 4 && kind == thriftList {
			t.list(func(byte) { f.groups = append(f.groups, t.rowGroup()) })
			return
		}
		t.skip(kind)
	})
	if t.bad {
		return footer{}, errFooter
	}
	return f, nil
}

func (t *thrift) rowGroup() (g rowGroup) {
	t.fields(func(id int, kind byte) {
		if id == 1 && kind == thriftList {
			t.list(func(byte) { g.chunks = append(g.chunks, t.columnChunk()) })
			return
		}
		t.skip(kind)
	})
	return g
}

func (t *thrift) columnChunk() (c columnChunk) {
	t.fields(func(id int, kind byte) {
		if id == 3 && kind == thriftStruct {
			t.columnMeta(&c)
			return
		}
		t.skip(kind)
	})
	t.bad = t.bad || c.column == "" // whose pages are in another file, or nowhere
	return c
}

// columnMeta reads what says where the pages of a column are.
func (t *thrift) columnMeta(c *columnChunk) {
	var data, dictionary, size, filter, filterSize int64
	numbers := map[int]*int64{1: &c.kind, 7: &size, 9: &data, 11: &dictionary, 14: &filter, 15: &filterSize}
	t.fields(func(id int, kind byte) {
		number := numbers[id]
		switch {
		case number != nil && (kind == thriftI32 || kind == thriftI64):
			*number = t.zigzag()
		case id == 3 && kind == thriftList:
			depth := 0
			t.list(func(byte) {
				if name := t.bytes(); depth == 0 {
					c.column = string(name)
				}
				depth++
			})
			c.nested = depth > 1
		case id == 12 && kind == thriftStruct:
			t.statistics(c)
		default:
			t.skip(kind)
		}
	})
	c.from = data
	if dictionary > 0 {
		c.from = min(data, dictionary)
	}
	c.to = c.from + size
	if filter > 0 && filterSize > 0 {
		c.filter = [2]int64{filter, filter + filterSize}
	}
	unsized := filter > 0 && filterSize <= 0
	if c.from < 4 || size <= 0 || c.to < c.from || data <= 0 || unsized {
		t.bad = true
	}
}

func (t *thrift) statistics(c *columnChunk) {
	t.fields(func(id int, kind byte) {
		switch {
		case id == 5 && kind == thriftBinary:
			c.max = t.bytes()
		case id == 6 && kind == thriftBinary:
			c.min = t.bytes()
		default:
			t.skip(kind)
		}
	})
}

// bounds are the least and the greatest value of a column that is stored as whole numbers.
func (c columnChunk) bounds() (least, most int64, known bool) {
	switch {
	case c.nested:
	case c.kind == storedInt32 && len(c.min) == 4 && len(c.max) == 4:
		return int64(int32(binary.LittleEndian.Uint32(c.min))), int64(int32(binary.LittleEndian.Uint32(c.max))), true
	case c.kind == storedInt64 && len(c.min) == 8 && len(c.max) == 8:
		return int64(binary.LittleEndian.Uint64(c.min)), int64(binary.LittleEndian.Uint64(c.max)), true
	}
	return 0, 0, false
}

// thrift reads the compact protocol of Thrift, in which feet are written. What cannot be is
// noted, and nothing is read from there on.
type thrift struct {
	data  []byte
	depth int
	bad   bool
}

// The kinds of values, as they are written.
const (
	thriftStop   = 0
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftI16    = 4
	thriftI32    = 5
	thriftI64    = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

// maxThriftDepth bounds how deep values may be nested.
const maxThriftDepth = 32

func (t *thrift) take(n uint64) []byte {
	if t.bad || n > uint64(len(t.data)) {
		t.bad, t.data = true, nil
		return nil
	}
	taken := t.data[:n]
	t.data = t.data[n:]
	return taken
}

func (t *thrift) byte() byte {
	if b := t.take(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (t *thrift) varint() uint64 {
	v, n := binary.Uvarint(t.data)
	if n <= 0 {
		t.bad, t.data = true, nil
		return 0
	}
	t.data = t.data[n:]
	return v
}

func (t *thrift) zigzag() int64 {
	v := t.varint()
	return int64(v>>1) ^ -int64(v&1)
}

func (t *thrift) bytes() []byte { return t.take(t.varint()) }

// fields reads a struct; field has to read or skip the value of each of its fields.
func (t *thrift) fields(field func(id int, kind byte)) {
	defer t.deeper()()
	for id := int64(0); !t.bad; {
		head := t.byte()
		kind := head & 0x0f
		if kind == thriftStop {
			return
		}
		if step := head >> 4; step != 0 {
			id += int64(step)
		} else {
			id = t.zigzag()
		}
		if id < 0 || id > math.MaxInt16 {
			t.bad = true
			return
		}
		field(int(id), kind)
	}
}

// deeper goes into a value; what it returns comes out of it.
func (t *thrift) deeper() func() {
	if t.depth++; t.depth > maxThriftDepth {
		t.bad, t.data = true, nil
	}
	return func() { t.depth-- }
}

// list reads a list; item has to read or skip each of its values.
func (t *thrift) list(item func(kind byte)) {
	defer t.deeper()()
	head := t.byte()
	count := uint64(head >> 4)
	if count == 15 {
		count = t.varint()
	}
	for ; count > 0 && !t.bad; count-- {
		item(head & 0x0f)
	}
}

// skip passes over a value.
func (t *thrift) skip(kind byte) {
	switch kind {
	case thriftTrue, thriftFalse:
	case thriftByte:
		t.take(1)
	case thriftI16, thriftI32, thriftI64:
		t.varint()
	case thriftDouble:
		t.take(8)
	case thriftBinary:
		t.bytes()
	case thriftList, thriftSet:
		t.list(func(kind byte) {
			if kind == thriftTrue || kind == thriftFalse {
				t.take(1) // in lists they have a byte
				return
			}
			t.skip(kind)
		})
	case thriftStruct:
		t.fields(func(_ int, kind byte) { t.skip(kind) })
	case thriftMap:
		t.skipMap()
	default:
		t.bad = true
	}
}

func (t *thrift) skipMap() {
	count := t.varint()
	if count == 0 {
		return
	}
	kinds := t.byte()
	for ; count > 0 && !t.bad; count-- {
		t.skip(kinds >> 4)
		t.skip(kinds & 0x0f)
	}
}
