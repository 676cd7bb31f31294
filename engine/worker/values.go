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
	tagFloat  = 'd' // eight bytes
	tagNumber = '#' // text
	tagText   = 's' // text
	tagJSON   = 'j' // text
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

// readRow reads the values of one row and returns what follows them. It believes
// nothing: rows that a worker did not write well are an error.
func readRow(from []byte, row []any) (rest []byte, err error) {
	for i := range row {
		if row[i], from, err = readValue(from); err != nil {
			return nil, err
		}
	}
	return from, nil
}

func readValue(from []byte) (value any, rest []byte, err error) {
	if len(from) == 0 {
		return nil, nil, errFrame
	}
	tag, from := from[0], from[1:]
	switch tag {
	case tagNull:
		return nil, from, nil
	case tagFalse, tagTrue:
		return tag == tagTrue, from, nil
	case tagInt:
		v, n := binary.Varint(from)
		if n <= 0 {
			return nil, nil, errFrame
		}
		return v, from[n:], nil
	case tagFloat:
		if len(from) < 8 {
			return nil, nil, errFrame
		}
		return math.Float64frombits(binary.BigEndian.Uint64(from)), from[8:], nil
	}
	size, n := binary.Uvarint(from)
	if n <= 0 || size > uint64(len(from)-n) {
		return nil, nil, errFrame
	}
	text, rest := from[n:n+int(size)], from[n+int(size):]
	switch tag {
	case tagText:
		return string(text), rest, nil
	case tagNumber:
		return json.Number(text), rest, nil
	case tagJSON:
		return json.RawMessage(append([]byte(nil), text...)), rest, nil
	}
	return nil, nil, errFrame
}
