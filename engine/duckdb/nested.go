package duckdb

import (
	"encoding/json"
	"fmt"

	bindings "github.com/duckdb/duckdb-go-bindings"
)

type listEntry struct{ offset, length uint64 }

// appendJSON appends the row's value as JSON. Maps become objects, their keys
// written as text; a union is its member's value.
func (v *vector) appendJSON(b []byte, row int) []byte {
	if v.null(row) {
		return append(b, "null"...)
	}
	switch v.id {
	case bindings.TypeList:
		e := at[listEntry](v, row)
		return v.appendItems(b, int(e.offset), int(e.length))
	case bindings.TypeArray:
		return v.appendItems(b, row*v.length, v.length)
	case bindings.TypeMap:
		return v.appendMap(b, at[listEntry](v, row))
	case bindings.TypeStruct:
		return v.appendStruct(b, row)
	case bindings.TypeUnion:
		return v.children[at[uint8](v, row)].appendJSON(b, row)
	}
	return appendScalar(b, v.value(row))
}

func (v *vector) appendItems(b []byte, offset, length int) []byte {
	b = append(b, '[')
	for i := range length {
		if i > 0 {
			b = append(b, ',')
		}
		b = v.children[0].appendJSON(b, offset+i)
	}
	return append(b, ']')
}

func (v *vector) appendMap(b []byte, e listEntry) []byte {
	b = append(b, '{')
	for i := range int(e.length) {
		if i > 0 {
			b = append(b, ',')
		}
		row := int(e.offset) + i
		b = appendScalar(b, keyText(&v.children[0], row))
		b = append(b, ':')
		b = v.children[1].appendJSON(b, row)
	}
	return append(b, '}')
}

func keyText(v *vector, row int) string {
	switch key := v.value(row).(type) {
	case string:
		return key
	case json.RawMessage:
		return string(key)
	default:
		return fmt.Sprint(key)
	}
}

func (v *vector) appendStruct(b []byte, row int) []byte {
	// A struct without names is a tuple.
	if len(v.names) > 0 && v.names[0] == "" {
		b = append(b, '[')
		for i := range v.children {
			if i > 0 {
				b = append(b, ',')
			}
			b = v.children[i].appendJSON(b, row)
		}
		return append(b, ']')
	}
	b = append(b, '{')
	for i := range v.children {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendScalar(b, v.names[i])
		b = append(b, ':')
		b = v.children[i].appendJSON(b, row)
	}
	return append(b, '}')
}

func appendScalar(b []byte, value any) []byte {
	encoded, err := json.Marshal(value)
	if err != nil {
		return append(b, "null"...)
	}
	return append(b, encoded...)
}
