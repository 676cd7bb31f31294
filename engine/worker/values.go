package worker

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
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

// appendRow appends the values of one row.
func appendRow(to []byte, row []any) ([]byte, error) {
	for _, value := range row {
		switch v := value.(type) {
		case nil:
			to = append(to, tagNull)
		case bool:
			if v {
				to = append(to, tagTrue)
			} else {
				to = append(to, tagFalse)
			}
		case int64:
			to = binary.AppendVarint(append(to, tagInt), v)
		case float64:
			to = binary.BigEndian.AppendUint64(append(to, tagFloat), math.Float64bits(v))
		case string:
			to = appendText(to, tagText, v)
		case json.Number:
			to = appendText(to, tagNumber, string(v))
		case json.RawMessage:
			to = append(binary.AppendUvarint(append(to, tagJSON), uint64(len(v))), v...)
		default:
			return to, fmt.Errorf("worker: a row holds a %T", value)
		}
	}
	return to, nil
}

func appendText(to []byte, tag byte, text string) []byte {
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
