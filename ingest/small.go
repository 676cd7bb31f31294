package ingest

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"quern"
	"quern/catalog"
)

const (
	// smallBytes and smallRows are how much a request may bring to be written to the
	// journal.
	smallBytes = 64 << 10
	smallRows  = 100
	// smallWidth is the most columns of a dataset whose rows are.
	smallWidth = 200
)

// fewRows are scanned rows in memory.
type fewRows struct {
	scanned
	lines []byte // as a shaper writes them
}

// journal returns the rows as the journal has them for a dataset, and what they are.
// catalog.ErrReplan when they would change the dataset's columns, or hold a value that is
// read as another type than it is written as: these are the engine's to convert.
func (f *fewRows) journal(d quern.Dataset) (lines []byte, piece catalog.Piece, err error) {
	if len(d.Columns) > smallWidth {
		return nil, piece, catalog.ErrReplan
	}
	places := make(map[string]int, len(d.Columns))
	for i, c := range d.Columns {
		places[strings.ToLower(c.Name)] = i
	}
	plan := catalog.Plan(d, f.columns)
	cells := make([]cellStats, len(plan))
	for i, c := range plan {
		place, ok := places[strings.ToLower(c.Name)]
		if !ok || d.Columns[place].Column != c {
			return nil, piece, catalog.ErrReplan
		}
		cells[i] = cellStats{kind: c.Type, member: appendName(nil, place)}
	}
	lines = make([]byte, 0, len(f.lines)+8*len(plan))
	for rest := f.lines; len(rest) > 0; {
		end := bytes.IndexByte(rest, '\n') + 1
		var ok bool
		if lines, ok = appendRow(lines, rest[:end], cells); !ok {
			return nil, piece, catalog.ErrReplan
		}
		rest = rest[end:]
	}
	piece = catalog.Piece{Rows: f.rows, Bytes: int64(len(lines)), Columns: make([]catalog.PieceColumn, len(plan))}
	for i, c := range plan {
		piece.Columns[i] = catalog.PieceColumn{Column: c, Shape: f.columns[i].Shape, Unit: f.columns[i].Unit, Stats: cells[i].stats(f.rows)}
	}
	return lines, piece, nil
}

// appendName appends the name of a member by the position of its column, and a colon.
func appendName(out []byte, column int) []byte {
	return append(strconv.AppendInt(append(out, `"c`...), int64(column), 10), `":`...)
}

// appendRow appends a row, as a shaper wrote it, under the names of the cells' columns,
// and counts its values. ok is false when one is not written as its column's type is.
func appendRow(out, row []byte, cells []cellStats) (_ []byte, ok bool) {
	out = append(out, '{')
	for at := 1; row[at] != '}'; {
		column := 0
		for at += len(`"c`); row[at] != '"'; at++ {
			column = 10*column + int(row[at]-'0')
		}
		at += len(`":`)
		end := valueEnd(row, at)
		value := jsontext.Value(row[at:end])
		if !cells[column].add(value) {
			return out, false
		}
		if out[len(out)-1] != '{' {
			out = append(out, ',')
		}
		out = append(append(out, cells[column].member...), value...)
		if at = end; row[at] == ',' {
			at++
		}
	}
	return append(out, "}\n"...), true
}

// cellStats counts the values of one column, as the engine does that writes segments.
type cellStats struct {
	kind     quern.Type
	member   []byte // the column's name in the journal
	count    int64
	hashes   []uint64
	low      cellValue
	high     cellValue
	examples []string
}

// cellValue is a value as it is compared, and as stats have it.
type cellValue struct {
	number float64
	whole  int64 // of integers and instants
	text   string
}

// add counts a value; ok is false when it is not written as the column's type is.
func (c *cellStats) add(v jsontext.Value) (ok bool) {
	var value cellValue
	var hash uint64
	switch kind := v.Kind(); c.kind {
	case quern.Integer:
		n, err := strconv.ParseInt(string(v), 10, 64)
		value, hash, ok = cellValue{whole: n, text: string(v)}, quern.HashNumber(float64(n)), err == nil
	case quern.Double:
		f, err := strconv.ParseFloat(string(v), 64)
		value, hash = cellValue{number: f, text: strconv.FormatFloat(f, 'g', -1, 64)}, quern.HashNumber(f)
		minusZero := f == 0 && math.Signbit(f)
		ok = err == nil && !minusZero && !bytes.ContainsAny(v, "eE")
	case quern.Boolean:
		truth := kind == 't'
		if value = (cellValue{text: string(v)}); truth {
			value.whole = 1
		}
		hash, ok = quern.HashWhole(uint64(value.whole)), truth || kind == 'f'
	case quern.Date:
		value, hash, ok = dateCell(v)
	case quern.Timestamp:
		value, hash, ok = instantCell(v)
	case quern.Text:
		if kind == '"' && plainString(v) {
			text, err := jsontext.AppendUnquote(nil, v)
			value, hash, ok = cellValue{text: string(text)}, quern.HashText(text), err == nil
		}
	case quern.JSON:
		value, hash, ok = cellValue{text: string(v)}, quern.HashText(v), plainNested(v)
	}
	if ok {
		c.note(value, hash)
	}
	return ok
}

// plainString reports whether a string has no character that is written by its number:
// the engine does not take all of these.
func plainString(v []byte) bool { return !bytes.Contains(v, []byte(`\u`)) }

// plainNested reports whether a list or an object has nothing in it that the engine might
// not take.
func plainNested(v []byte) bool {
	if v[0] != '{' && v[0] != '[' {
		return false
	}
	for at := 0; at < len(v); at++ {
		switch c := v[at]; {
		case c == '"':
			end := stringEnd(v, at)
			if !plainString(v[at:end]) {
				return false
			}
			at = end - 1
		case c == '-' || c >= '0' && c <= '9':
			end := at + 1
			for end < len(v) && v[end] != ',' && v[end] != '}' && v[end] != ']' {
				end++
			}
			if _, plain := plainNumber(v[at:end]); !plain {
				return false
			}
			at = end - 1
		}
	}
	return true
}

func dateCell(v jsontext.Value) (value cellValue, hash uint64, ok bool) {
	if v.Kind() != '"' {
		return value, 0, false
	}
	text := string(v[1 : len(v)-1])
	day, err := time.Parse(time.DateOnly, text)
	const daySeconds = 24 * 60 * 60
	return cellValue{text: text}, quern.HashWhole(uint64(uint32(day.Unix() / daySeconds))), err == nil
}

func instantCell(v jsontext.Value) (value cellValue, hash uint64, ok bool) {
	if v.Kind() != '"' {
		return value, 0, false
	}
	at, err := time.Parse(time.RFC3339Nano, string(v[1:len(v)-1]))
	micros := at.UnixMicro()
	return cellValue{whole: micros, text: at.UTC().Format(time.RFC3339Nano)}, quern.HashWhole(uint64(micros)), err == nil
}

func (c *cellStats) note(v cellValue, hash uint64) {
	if c.count == 0 || c.less(v, c.low) {
		c.low = v
	}
	if c.count == 0 || c.less(c.high, v) {
		c.high = v
	}
	c.count++
	c.hashes = append(c.hashes, hash)
	if len(c.examples) < quern.MaxExamples {
		if text := shorten(v.text); !slices.Contains(c.examples, text) {
			c.examples = append(c.examples, text)
		}
	}
}

func (c *cellStats) less(a, b cellValue) bool {
	switch c.kind {
	case quern.Integer, quern.Timestamp:
		return a.whole < b.whole
	case quern.Double:
		return a.number < b.number
	}
	return a.text < b.text
}

// stats is what is known of the values of so many rows.
func (c *cellStats) stats(rows int64) quern.ColumnStats {
	s := quern.ColumnStats{Nulls: rows - c.count, Examples: c.examples, Distinct: quern.SketchOf(c.hashes)}
	if c.kind != quern.JSON {
		s.Min, s.Max = shorten(c.low.text), shorten(c.high.text)
	}
	return s
}

// shorten cuts a long value as the engine does in stats.
func shorten(text string) string {
	if len(text) <= maxStatText || utf8.RuneCountInString(text) <= maxStatText {
		return text
	}
	runes := []rune(text)
	return string(runes[:maxStatText-1]) + "…"
}

// maxStatText is the most characters of a value in stats.
const maxStatText = 256
