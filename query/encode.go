package query

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"quern"
)

// Encoder writes rows as JSON objects, members in column order.
type Encoder struct {
	names    [][]byte // quoted, with the colon; nil for a column that is left out
	metadata []byte   // of every row, an object that follows the columns; nil: none
	about    int      // the column that tells of its rows; -1: none
	hidden   []int    // columns that are not shown
}

// NewEncoder prepares for rows of the given columns.
func NewEncoder(columns []quern.Column) *Encoder {
	e := &Encoder{names: make([][]byte, len(columns)), about: -1}
	for i, c := range columns {
		e.names[i] = append(appendText(nil, c.Name), ':')
		if c.Name == metadataName {
			e.about = i
		}
		if !quern.IsShown(c.Name) {
			e.hidden = append(e.hidden, i)
		}
	}
	return e
}

// metadataName is the internal member of a row that tells of the row itself.
const (
	metadataName = "__metadata"
	memberStart  = `"` + metadataName + `":`
)

// WithoutInternal leaves out internal columns that nobody asked for by name.
func (e *Encoder) WithoutInternal() *Encoder {
	for _, i := range e.hidden {
		e.names[i] = nil
	}
	return e
}

// Scored makes every row tell how well it matches what was asked, from 0 to 1.
// A column that already tells of its rows is left alone.
func (e *Encoder) Scored(score float64) *Encoder {
	if e.about < 0 {
		e.metadata = []byte(`{"score":` + scoreText(score) + `}`)
	}
	return e
}

// Located makes every row tell where it came from, and nothing else.
func (e *Encoder) Located() *Encoder {
	e.metadata = []byte(`{}`)
	return e
}

// scoreText writes an exact match as 1.0.
func scoreText(score float64) string {
	if score >= 1 {
		return "1.0"
	}
	return strconv.FormatFloat(max(score, 0), 'g', 4, 64)
}

// Append appends a row, as engine.Rows yields it, to b.
func (e *Encoder) Append(b []byte, row []any) []byte { return e.AppendFrom(b, row, nil) }

// AppendFrom appends a row that tells where it came from, if it tells of itself at
// all; from may be nil.
func (e *Encoder) AppendFrom(b []byte, row []any, from *RowSource) []byte {
	b = append(b, '{')
	for i, v := range row {
		if e.names[i] == nil {
			continue
		}
		b = append(b, e.names[i]...)
		if told, ok := v.(json.RawMessage); ok && i == e.about && from != nil {
			b = withSource(b, told, from)
		} else {
			b = appendValue(b, v)
		}
		b = append(b, ',')
	}
	switch {
	case e.metadata == nil:
	case from == nil:
		b = append(append(b, memberStart...), e.metadata...)
	default:
		b = withSource(append(b, memberStart...), e.metadata, from)
	}
	return append(bytes.TrimSuffix(b, []byte{','}), '}')
}

func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case float64:
		return appendFloat(b, v)
	case json.Number:
		return append(b, v...)
	case json.RawMessage:
		return append(b, v...)
	case string:
		return appendText(b, v)
	}
	// The engine's promise names every type above.
	panic("query: a row holds a value of an unknown type")
}

// appendFloat writes the shortest digits that give the same double back.
func appendFloat(b []byte, f float64) []byte {
	abs := max(f, -f)
	if plain := abs >= 1e-6 && abs < 1e21; plain || abs == 0 {
		return strconv.AppendFloat(b, f, 'f', -1, 64)
	}
	return strconv.AppendFloat(b, f, 'e', -1, 64)
}

func appendText(b []byte, s string) []byte {
	quoted, err := jsontext.AppendQuote(b, s)
	if err != nil {
		// Only text that is not UTF-8 is refused; show what can be shown.
		quoted, _ = jsontext.AppendQuote(b, string([]rune(s)))
	}
	return quoted
}
