package duckdb

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"quern"
)

// lineWriter rewrites one row at a time.
type lineWriter struct {
	columns []quern.Column
	out     []byte
}

// rowError is what is wrong with a row.
type rowError struct{ reason string }

func (e *rowError) Error() string { return e.reason }

var errRow = &rowError{"not an object of members named by position"}

// position reads a member's name, "c" and the column's number.
func position(b []byte) (column int, rest []byte, ok bool) {
	if len(b) < 5 || b[0] != '"' || b[1] != 'c' {
		return 0, nil, false
	}
	i := 2
	for ; i < len(b) && i < 8 && b[i] >= '0' && b[i] <= '9'; i++ {
		column = column*10 + int(b[i]-'0')
	}
	if i == 2 || i+2 >= len(b) || b[i] != '"' || b[i+1] != ':' {
		return 0, nil, false
	}
	return column, b[i+2:], true
}

// appendPosition appends what a member begins with: its name and a colon.
func appendPosition(out []byte, column int) []byte {
	return append(append(append(out, '"'), positionName(column)...), `":`...)
}

// positionName is the name of a column's member.
func positionName(column int) string { return "c" + strconv.Itoa(column) }

// line returns the row in its new form, valid until the next call.
func (w *lineWriter) line(text []byte) ([]byte, error) {
	w.out = append(w.out[:0], '{')
	rest, ok := after(text, '{')
	if !ok {
		return nil, errRow
	}
	for len(rest) > 0 && rest[0] != '}' {
		var name, value []byte
		name, rest = cut(rest)
		if rest, ok = after(rest, ':'); !ok {
			return nil, errRow
		}
		value, rest = cut(rest)
		if err := w.member(name, value); err != nil {
			return nil, err
		}
		if rest = space(rest); len(rest) > 0 && rest[0] == ',' {
			rest = space(rest[1:])
		}
	}
	if len(rest) == 0 {
		return nil, errRow
	}
	w.out = append(w.out, '}', '\n')
	return w.out, nil
}

// member writes one member whose name is "c" and the column's number.
func (w *lineWriter) member(name, value []byte) error {
	if len(name) < 4 || name[0] != '"' || name[1] != 'c' || len(value) == 0 {
		return errRow
	}
	i, err := strconv.Atoi(string(name[2 : len(name)-1]))
	if err != nil || i < 0 || i >= len(w.columns) {
		return errRow
	}
	if len(w.out) > 1 {
		w.out = append(w.out, ',')
	}
	w.out = append(append(w.out, name...), ':')
	var ok bool
	if w.out, ok = appendFit(w.out, value, w.columns[i].Type); !ok {
		return &rowError{fmt.Sprintf("the value of %s does not fit its type %s", quoteName(w.columns[i].Name), w.columns[i].Type)}
	}
	return nil
}

// appendFit appends a value in the form that a column of type t is read in.
func appendFit(out, value []byte, t quern.Type) ([]byte, bool) {
	text := value[0] == '"'
	number := value[0] == '-' || value[0] >= '0' && value[0] <= '9'
	boolean := string(value) == "true" || string(value) == "false"
	switch t {
	case quern.JSON:
		return appendQuoted(out, value), json.Valid(value)
	case quern.Text:
		if number || boolean {
			return appendQuoted(out, value), true
		}
	}
	if string(value) == "null" {
		return append(out, value...), true
	}
	if precision, scale, decimal := t.DecimalSize(); decimal {
		plain, ok := plainDecimal(string(value), precision, scale)
		return append(append(append(out, '"'), plain...), '"'), ok
	}
	fits := text
	switch t {
	case quern.Integer:
		fits = number && !bytes.ContainsAny(value, ".eE")
	case quern.Double:
		_, err := strconv.ParseFloat(string(value), 64)
		fits = number && err == nil
	case quern.Boolean:
		fits = boolean
	}
	return append(out, value...), fits
}

// appendQuoted appends text as a JSON string. It is JSON itself, so that only
// quotes and backslashes need care, and white space between values.
func appendQuoted(out, text []byte) []byte {
	out = append(out, '"')
	for _, c := range text {
		switch c {
		case '"', '\\':
			out = append(out, '\\', c)
		case '\t':
			out = append(out, ' ')
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}

// cut splits text after the JSON value it begins with.
func cut(b []byte) (value, rest []byte) {
	switch {
	case len(b) == 0:
		return nil, nil
	case b[0] == '"':
		end := stringEnd(b)
		return b[:end], b[end:]
	case b[0] != '{' && b[0] != '[':
		end := bytes.IndexAny(b, ",:}] \t\r\n")
		if end < 0 {
			end = len(b)
		}
		return b[:end], b[end:]
	}
	depth := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			i += stringEnd(b[i:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return b[:i+1], b[i+1:]
			}
		}
	}
	return b, nil
}

// stringEnd is the length of the JSON string that b begins with.
func stringEnd(b []byte) int {
	for i := 1; i < len(b); {
		end := bytes.IndexByte(b[i:], '"')
		if end < 0 {
			break
		}
		end += i
		slash := bytes.IndexByte(b[i:end], '\\')
		if slash < 0 {
			return end + 1
		}
		i += slash + 2
	}
	return len(b)
}

// after skips one character and the space around it.
func after(b []byte, c byte) ([]byte, bool) {
	b = space(b)
	if len(b) == 0 || b[0] != c {
		return nil, false
	}
	return space(b[1:]), true
}

func space(b []byte) []byte {
	for len(b) > 0 {
		switch b[0] {
		case ' ', '\t', '\r', '\n':
			b = b[1:]
		default:
			return b
		}
	}
	return b
}
