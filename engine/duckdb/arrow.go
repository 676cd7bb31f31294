package duckdb

import (
	"runtime"
	"sync"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/cdata"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"quern"
)

// blocksView is the name by which statements find the blocks of a source.
const blocksView = "blocks"

// arrowTypes are the layouts of columns, as Arrow calls them.
var arrowTypes = map[columnForm]arrow.DataType{
	textForm: arrow.BinaryTypes.String, decimalForm: arrow.BinaryTypes.String, nestedForm: arrow.BinaryTypes.String,
	wholeForm: arrow.PrimitiveTypes.Int64, numberForm: arrow.PrimitiveTypes.Float64, truthForm: arrow.FixedWidthTypes.Boolean,
	dayForm: arrow.FixedWidthTypes.Date32, instantForm: arrow.FixedWidthTypes.Timestamp_us,
}

// arrowReader hands blocks to the engine, which reads them where they lie.
type arrowReader struct {
	blocks *blocks
	schema *arrow.Schema
	mu     sync.Mutex        // the engine's threads take turns, which nobody here can see
	batch  arrow.RecordBatch // the current
	err    error
	stream *cdata.CArrowArrayStream
	pins   runtime.Pinner
}

var _ array.RecordReader = (*arrowReader)(nil)

// show makes a view of the blocks in the session, which must not outlive the reader.
func (r *arrowReader) show(c *session) error {
	fields := make([]arrow.Field, len(r.blocks.columns))
	for i := range fields {
		var column blockColumn
		column.set(r.blocks.columns[i].Type)
		fields[i] = arrow.Field{Name: positionName(i), Type: arrowTypes[column.form], Nullable: true}
	}
	r.schema = arrow.NewSchema(fields, nil)
	r.stream = new(cdata.CArrowArrayStream)
	r.pins.Pin(r.stream)
	cdata.ExportRecordReader(r, r.stream)
	return c.showStream(blocksView, r.stream)
}

// close lets go of everything; the session must not read any more.
func (r *arrowReader) close() {
	if r.stream != nil {
		cdata.ReleaseCArrowArrayStream(r.stream)
		r.pins.Unpin()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drop()
	r.blocks.close()
}

func (r *arrowReader) drop() {
	if r.batch != nil {
		r.batch.Release()
		r.batch = nil
	}
}

// known is what was learned of the columns' values, once all were read.
func (r *arrowReader) known() []*quern.ColumnStats {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.blocks.known()
}

// Next moves to the next block.
func (r *arrowReader) Next() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drop()
	if r.err != nil {
		return false
	}
	b, err := r.blocks.next()
	if r.err = err; err != nil || b == nil {
		return false
	}
	r.batch = b.record(r.schema, r.blocks.recycle)
	return true
}

// Schema describes the columns.
func (r *arrowReader) Schema() *arrow.Schema { return r.schema }

// RecordBatch is the current block.
func (r *arrowReader) RecordBatch() arrow.RecordBatch {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.batch
}

// Record is the current block.
func (r *arrowReader) Record() arrow.RecordBatch { return r.RecordBatch() }

// Err is the error that ended the reading early.
func (r *arrowReader) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// Retain and Release do not count: close ends the reader.
func (r *arrowReader) Retain() {}

// Release does nothing; see Retain.
func (r *arrowReader) Release() {}

// record shows the block as Arrow does, without a copy. done is called when nobody reads it
// any more.
func (b *block) record(schema *arrow.Schema, done func(*block)) arrow.RecordBatch {
	b.held.Store(int32(len(b.columns)))
	release := func() {
		if b.held.Add(-1) == 0 {
			b.pins.Unpin()
			done(b)
		}
	}
	columns := make([]arrow.Array, len(b.columns))
	for i := range b.columns {
		columns[i] = b.column(i, schema.Field(i).Type, release)
	}
	record := array.NewRecordBatch(schema, columns, int64(b.rows))
	for _, c := range columns {
		c.Release()
	}
	return record
}

// column shows a column. release is called when nobody reads it any more.
func (b *block) column(i int, kind arrow.DataType, release func()) arrow.Array {
	c := &b.columns[i]
	var valid *memory.Buffer
	if c.nulls > 0 {
		valid = memory.NewBufferBytes(pinned(&b.pins, c.valid))
	}
	values := pinned(&b.pins, c.bits)
	switch {
	case c.isText():
		values = pinned(&b.pins, c.ends)
	case c.form == dayForm:
		values = pinned(&b.pins, c.days)
	case c.form != truthForm:
		values = pinned(&b.pins, c.wide)
	}
	buffers := []*memory.Buffer{valid, memory.NewBufferWithAllocator(values, released{release})}
	if c.isText() {
		buffers = append(buffers, memory.NewBufferBytes(pinned(&b.pins, c.text)))
	}
	data := array.NewData(kind, c.rows, buffers, nil, c.nulls, 0)
	buffers[1].Release()
	defer data.Release()
	return array.MakeFromData(data)
}

// pinned returns the memory of values, which stays where it is.
func pinned[T any](pins *runtime.Pinner, values []T) []byte {
	if len(values) == 0 {
		return nil
	}
	pins.Pin(&values[0])
	return unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), len(values)*int(unsafe.Sizeof(values[0])))
}

// released stands in for the allocator of a buffer whose memory is ours, to hear of its end.
type released struct{ call func() }

func (released) Allocate(size int) []byte             { return make([]byte, size) }
func (released) Reallocate(size int, b []byte) []byte { return append(b[:0:0], make([]byte, size)...) }
func (r released) Free([]byte)                        { r.call() }
