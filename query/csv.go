package query

import (
	"bufio"
	"encoding/json"
	"unicode"
	"unicode/utf8"

	"quern"
)

// csvWriter writes rows as lines of CSV, quoted where encoding/csv quotes. Values go
// straight into the line: most of an export is cells that need no text of their own.
type csvWriter struct {
	out    *bufio.Writer
	escape []bool // per column: text that a spreadsheet would run is made harmless
	line   []byte
}

func newCSVWriter(out *bufio.Writer, columns []quern.Column, escape bool) *csvWriter {
	w := &csvWriter{out: out, escape: make([]bool, len(columns))}
	for i, c := range columns {
		if w.escape[i] = escape && !c.Type.Numeric(); i > 0 {
			w.line = append(w.line, ',')
		}
		w.line = appendCSVText(w.line, c.Name, escape)
	}
	w.line = append(w.line, '\n') // the header goes out with the first row, or at the end
	return w
}

// sink returns the writer as an export needs it.
func (w *csvWriter) sink() sink { return sink{row: w.row, end: w.flush, release: func() {}} }

func (w *csvWriter) row(row []any) error {
	start := len(w.line)
	for i, v := range row {
		if i > 0 {
			w.line = append(w.line, ',')
		}
		w.line = appendCell(w.line, v, w.escape[i])
	}
	if len(row) == 1 && len(w.line) == start {
		w.line = append(w.line, `""`...) // readers skip empty lines
	}
	w.line = append(w.line, '\n')
	return w.flush()
}

func (w *csvWriter) flush() error {
	_, err := w.out.Write(w.line)
	w.line = w.line[:0]
	return err
}

// appendCell appends a value; null is the empty cell.
func appendCell(b []byte, v any, escape bool) []byte {
	switch v := v.(type) {
	case nil:
		return b
	case string:
		return appendCSVText(b, v, escape)
	case json.RawMessage:
		return appendCSVText(b, string(v), escape)
	}
	return appendValue(b, v) // numbers and booleans hold nothing that is quoted
}

func appendCSVText(b []byte, text string, escape bool) []byte {
	if escape {
		text = Harmless(text)
	}
	if !needsQuotes(text) {
		return append(b, text...)
	}
	b = append(b, '"')
	for i := range len(text) {
		if text[i] == '"' {
			b = append(b, '"')
		}
		b = append(b, text[i])
	}
	return append(b, '"')
}

// needsQuotes reports whether a cell would not be read back as it is: what it holds
// would end it, its leading space may be dropped, or PostgreSQL takes it for the end
// of the data.
func needsQuotes(text string) bool {
	if text == "" {
		return false
	}
	for i := range len(text) {
		switch text[i] {
		case ',', '"', '\n', '\r':
			return true
		}
	}
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsSpace(first) || text == `\.`
}

// Harmless puts an apostrophe before text that spreadsheets take for a formula.
func Harmless(text string) string {
	if text == "" {
		return text
	}
	switch text[0] {
	case '=', '+', '-', '@', '\t', '\r':
		return "'" + text
	}
	return text
}
