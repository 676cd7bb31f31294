package query

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"quern"
)

// What a batch of an Arrow stream holds at most: enough that a reader's work is in
// columns, little enough that neither side notices its memory.
const (
	batchRows  = 8192
	batchBytes = 4 << 20 // of text
)

// arrowWriter writes rows as an Arrow IPC stream, batch by batch.
type arrowWriter struct {
	out     *ipc.Writer
	batch   *array.RecordBuilder
	columns []arrowColumn
	rows    int // of the batch so far
	bytes   int
}

// arrowColumn takes the values of a column that are not null and returns how many
// bytes of text they have; ok is false for a value that the column's type has no
// place for.
type arrowColumn func(value any) (bytes int, ok bool)

func newArrowWriter(out io.Writer, columns []quern.Column, about map[string]string) *arrowWriter {
	fields := make([]arrow.Field, len(columns))
	for i, c := range columns {
		fields[i] = arrow.Field{Name: c.Name, Type: arrowType(c.Type), Nullable: true,
			Metadata: arrow.MetadataFrom(map[string]string{"quern.type": string(c.Type)})}
	}
	metadata := arrow.MetadataFrom(about)
	schema := arrow.NewSchema(fields, &metadata)
	w := &arrowWriter{
		out:   ipc.NewWriter(out, ipc.WithSchema(schema), ipc.WithAllocator(memory.DefaultAllocator)),
		batch: array.NewRecordBuilder(memory.DefaultAllocator, schema),
	}
	for i, c := range columns {
		w.columns = append(w.columns, newArrowColumn(w.batch.Field(i), c.Type))
	}
	return w
}

// arrowType is the type of Arrow that holds every value of a column. Nested values
// are JSON, as text: their shape may differ from row to row.
func arrowType(t quern.Type) arrow.DataType {
	if precision, scale, ok := t.DecimalSize(); ok {
		return &arrow.Decimal128Type{Precision: int32(precision), Scale: int32(scale)}
	}
	switch t {
	case quern.Boolean:
		return arrow.FixedWidthTypes.Boolean
	case quern.Integer:
		return arrow.PrimitiveTypes.Int64
	case quern.Double:
		return arrow.PrimitiveTypes.Float64
	case quern.Date:
		return arrow.FixedWidthTypes.Date32
	case quern.Timestamp:
		return arrow.FixedWidthTypes.Timestamp_us
	}
	return arrow.BinaryTypes.String
}

func newArrowColumn(builder array.Builder, t quern.Type) arrowColumn {
	switch b := builder.(type) {
	case *array.BooleanBuilder:
		return appendTo(b.Append)
	case *array.Int64Builder:
		return appendTo(b.Append)
	case *array.Float64Builder:
		return appendTo(b.Append)
	case *array.Date32Builder:
		return appendParsed(func(text string) bool {
			days, ok := parseDay(text)
			b.Append(arrow.Date32(days))
			return ok
		})
	case *array.TimestampBuilder:
		return appendParsed(func(text string) bool {
			micros, ok := parseInstant(text)
			b.Append(arrow.Timestamp(micros))
			return ok
		})
	case *array.Decimal128Builder:
		_, scale, _ := t.DecimalSize()
		return func(v any) (int, bool) {
			number, isNumber := v.(json.Number)
			unscaled, ok := parseDecimal(string(number), scale)
			b.Append(unscaled)
			return 0, isNumber && ok
		}
	case *array.StringBuilder:
		return func(v any) (int, bool) {
			switch v := v.(type) {
			case string:
				b.Append(v)
				return len(v), true
			case json.RawMessage:
				b.BinaryBuilder.Append(v)
				return len(v), true
			}
			return 0, false
		}
	}
	panic("query: a column has a type that Arrow was not told of") // arrowType names them all
}

func appendTo[T any](take func(T)) arrowColumn {
	return func(value any) (int, bool) {
		v, ok := value.(T)
		take(v)
		return 0, ok
	}
}

func appendParsed(take func(string) bool) arrowColumn {
	return func(value any) (int, bool) {
		text, ok := value.(string)
		return 0, ok && take(text)
	}
}

// sink returns the writer as an export needs it.
func (w *arrowWriter) sink() sink { return sink{row: w.row, end: w.end, release: w.batch.Release} }

func (w *arrowWriter) row(row []any) error {
	for i, v := range row {
		if v == nil {
			w.batch.Field(i).AppendNull()
			continue
		}
		n, ok := w.columns[i](v)
		if !ok {
			return fmt.Errorf("query: column %q of an export holds a %T that is no %s", w.batch.Schema().Field(i).Name, v, w.batch.Schema().Field(i).Type)
		}
		w.bytes += n
	}
	if w.rows++; w.rows < batchRows && w.bytes < batchBytes {
		return nil
	}
	return w.flush()
}

func (w *arrowWriter) flush() error {
	batch := w.batch.NewRecordBatch()
	defer batch.Release()
	w.rows, w.bytes = 0, 0
	return w.out.Write(batch)
}

// end writes what is left, and the mark by which a stream says that it is whole.
func (w *arrowWriter) end() error {
	if w.rows > 0 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	return w.out.Close()
}

const (
	secondsPerDay   = 24 * 60 * 60
	microsPerSecond = 1_000_000
	infinity        = "infinity" // the engine's dates and instants have one at each end
)

// parseDay reads a date as the engine writes it, of any year, as days since 1970.
func parseDay(text string) (int32, bool) {
	switch text {
	case infinity:
		return math.MaxInt32, true
	case "-" + infinity:
		return -math.MaxInt32, true
	}
	const tail = len("-01-02")
	at := len(text) - tail
	if at < 1 || text[at] != '-' || text[at+3] != '-' {
		return 0, false
	}
	year, badYear := strconv.Atoi(text[:at])
	month, badMonth := strconv.Atoi(text[at+1 : at+3])
	day, badDay := strconv.Atoi(text[at+4:])
	if badYear != nil || badMonth != nil || badDay != nil {
		return 0, false
	}
	return int32(time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix() / secondsPerDay), true
}

// parseInstant reads a timestamp as the engine writes it, in UTC, as microseconds
// since 1970.
func parseInstant(text string) (int64, bool) {
	switch text {
	case infinity:
		return math.MaxInt64, true
	case "-" + infinity:
		return -math.MaxInt64, true
	}
	date, clock, found := strings.Cut(text, "T")
	days, ok := parseDay(date)
	if !found || !ok {
		return 0, false
	}
	of, err := time.Parse("15:04:05.999999999Z", clock)
	if err != nil {
		return 0, false
	}
	midnight := time.Date(of.Year(), of.Month(), of.Day(), 0, 0, 0, 0, time.UTC)
	return int64(days)*secondsPerDay*microsPerSecond + of.Sub(midnight).Microseconds(), true
}

// parseDecimal reads an exact number as the engine writes it, without an exponent,
// as a whole number of units of its scale.
func parseDecimal(text string, scale int) (decimal128.Num, bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	if len(fraction) > scale {
		return decimal128.Num{}, false
	}
	digits := whole + fraction + strings.Repeat("0", scale-len(fraction))
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		return decimal128.FromI64(n), true
	}
	n, ok := new(big.Int).SetString(digits, 10)
	if !ok || len(strings.TrimPrefix(digits, "-")) > quern.MaxDecimalDigits+1 { // a zero may stand before the point
		return decimal128.Num{}, false
	}
	return decimal128.FromBigInt(n), true
}
