package worker

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"quern/engine"
)

// The tags of values, one byte in front of each. Text follows its length.
const (
	tagNull   = 'n'
	tagFalse  = 'f'
	tagTrue   = 't'
	tagInt    = 'i' // varint
	tagFloat  = 'd' // floatSize bytes
	tagNumber = '#' // text
	tagText   = 's' // text
	tagJSON   = 'j' // text

	floatSize = 8
)

// wire is bytes to which values are appended.
type wire struct {
	out []byte
	err error // a value that has no form here
}

var _ engine.Values = (*wire)(nil)

// Int appends a whole number.
func (w *wire) Int(v int64) { w.out = binary.AppendVarint(append(w.out, tagInt), v) }

// Float appends a double.
func (w *wire) Float(v float64) {
	w.out = binary.BigEndian.AppendUint64(append(w.out, tagFloat), math.Float64bits(v))
}

// Text appends a text.
func (w *wire) Text(v []byte) { w.out = appendText(w.out, tagText, v) }

// Other appends a value as engine.Rows has it.
func (w *wire) Other(value any) {
	switch v := value.(type) {
	case nil:
		w.out = append(w.out, tagNull)
	case bool:
		if v {
			w.out = append(w.out, tagTrue)
		} else {
			w.out = append(w.out, tagFalse)
		}
	case int64:
		w.Int(v)
	case float64:
		w.Float(v)
	case string:
		w.out = appendText(w.out, tagText, v)
	case json.Number:
		w.out = appendText(w.out, tagNumber, v)
	case json.RawMessage:
		w.out = appendText(w.out, tagJSON, v)
	default:
		w.err = fmt.Errorf("worker: a row holds a %T", value)
	}
}

func appendText[T ~string | ~[]byte](to []byte, tag byte, text T) []byte {
	return append(binary.AppendUvarint(append(to, tag), uint64(len(text))), text...)
}

// batch is what is left of a frame of rows. Texts are parts of one copy of the frame,
// which is as large as a frame at most.
type batch struct {
	left []byte
	text string // the same bytes, and those before them
	rows int
}

// newBatch begins to read the body of a frame of rows.
func newBatch(body []byte) (batch, error) {
	if len(body) < countSize {
		return batch{}, errFrame
	}
	return batch{left: body[countSize:], text: string(body), rows: int(binary.BigEndian.Uint32(body))}, nil
}

// row reads the values of one row. It believes nothing: rows that a worker did not
// write well are an error.
func (b *batch) row(row []any) (err error) {
	for i := range row {
		if row[i], err = b.value(); err != nil {
			return err
		}
	}
	b.rows--
	return nil
}

func (b *batch) value() (any, error) {
	if len(b.left) == 0 {
		return nil, errFrame
	}
	tag := b.left[0]
	b.left = b.left[1:]
	switch tag {
	case tagNull:
		return nil, nil
	case tagFalse, tagTrue:
		return tag == tagTrue, nil
	case tagInt:
		v, n := binary.Varint(b.left)
		if n <= 0 {
			return nil, errFrame
		}
		b.left = b.left[n:]
		return v, nil
	case tagFloat:
		if len(b.left) < floatSize {
			return nil, errFrame
		}
		v := math.Float64frombits(binary.BigEndian.Uint64(b.left))
		b.left = b.left[floatSize:]
		return v, nil
	}
	return b.textual(tag)
}

func (b *batch) textual(tag byte) (any, error) {
	size, n := binary.Uvarint(b.left)
	if n <= 0 || size > uint64(len(b.left)-n) {
		return nil, errFrame
	}
	start := len(b.text) - len(b.left) + n
	text := b.text[start : start+int(size)]
	b.left = b.left[n+int(size):]
	switch tag {
	case tagText:
		return text, nil
	case tagNumber:
		return json.Number(text), nil
	case tagJSON:
		return json.RawMessage(text), nil
	}
	return nil, errFrame
}
