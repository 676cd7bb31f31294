package format

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"quern"
)

// records splits delimited text into records. It holds one record at a time.
//
// Quotes count only where a cell begins with one. Inside, a doubled quote stands
// for itself, and so does one behind a backslash where the dialect says so. What
// follows a closing quote up to the delimiter belongs to the cell.
type records struct {
	in      *bufio.Reader
	dialect Dialect
	line    int64 // of the next byte, from 1
	raw     []byte
	text    []byte
	ends    []cellEnd
	over    int // cells of the record beyond MaxCells, which are not kept
	cells   []Cell
}

type cellEnd struct {
	at     int
	quoted bool
}

func newRecords(r io.Reader, d Dialect) *records {
	return &records{in: bufio.NewReaderSize(r, 256<<10), dialect: d, line: 1}
}

var errLong = fmt.Errorf("is longer than %d MiB", MaxRecord>>20)

// next reads a record that is not an empty line and returns the line it begins on.
func (r *records) next() (cells []Cell, line int64, err error) {
	for {
		line = r.line
		r.raw = r.raw[:0]
		if err := r.moreLine(); err != nil {
			return nil, line, err
		}
		if len(r.raw) == 0 {
			continue
		}
		if err := r.split(); err != nil {
			return nil, line, err
		}
		return r.assemble(), line, nil
	}
}

// skipTo passes over the lines before one.
func (r *records) skipTo(line int64) error {
	for r.line < line {
		r.raw = r.raw[:0]
		if err := r.moreLine(); err != nil {
			return err
		}
	}
	return nil
}

// moreLine appends the next physical line to raw. A carriage return alone ends a
// line where the dialect says so.
func (r *records) moreLine() error {
	end := byte('\n')
	if r.dialect.CarriageReturns {
		end = '\r'
	}
	for {
		some, err := r.in.ReadSlice(end)
		r.raw = append(r.raw, some...)
		switch {
		case len(r.raw) > MaxRecord:
			return refuse("line %d %s", r.line, errLong)
		case err == nil:
			r.line++
			r.raw = r.raw[:len(r.raw)-1]
			if n := len(r.raw); end == '\n' && n > 0 && r.raw[n-1] == '\r' {
				r.raw = r.raw[:n-1]
			}
			return nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(some) > 0:
			r.line++
			if n := len(r.raw); r.raw[n-1] == '\r' || r.raw[n-1] == 0x1a {
				r.raw = r.raw[:n-1]
			}
			return nil
		default:
			return err
		}
	}
}

// split takes raw apart into text and ends, reading on where a quoted cell goes
// over the end of the line.
func (r *records) split() error {
	r.text, r.ends, r.over = r.text[:0], r.ends[:0], 0
	d, at := r.dialect, 0
	for {
		if d.Quote != 0 && at < len(r.raw) && r.raw[at] == d.Quote {
			var err error
			if at, err = r.quoted(at + 1); err != nil {
				return err
			}
		} else {
			end := r.cellEnd(at)
			r.text = append(r.text, r.raw[at:end]...)
			r.endCell(false)
			at = end
		}
		if at >= len(r.raw) {
			return nil
		}
		at++ // the delimiter
	}
}

// quoted reads a cell from behind its opening quote and returns where it ends.
func (r *records) quoted(at int) (int, error) {
	d, begun := r.dialect, r.line-1
	for {
		i := bytes.IndexByte(r.raw[at:], d.Quote)
		if d.Backslash {
			j := bytes.IndexByte(r.raw[at:], '\\')
			first := i < 0 || j < i
			if j >= 0 && first && at+j+1 < len(r.raw) {
				r.text = append(append(r.text, r.raw[at:at+j]...), r.raw[at+j+1])
				at += j + 2
				continue
			}
		}
		if i < 0 {
			r.text = append(append(r.text, r.raw[at:]...), '\n')
			at = len(r.raw)
			if err := r.moreLine(); err != nil {
				return at, unclosed(err, begun)
			}
			continue
		}
		r.text = append(r.text, r.raw[at:at+i]...)
		at += i + 1
		if at < len(r.raw) && r.raw[at] == d.Quote {
			r.text = append(r.text, d.Quote)
			at++
			continue
		}
		end := r.cellEnd(at)
		r.text = append(r.text, bytes.TrimRight(r.raw[at:end], " ")...)
		r.endCell(true)
		return end, nil
	}
}

// endCell notes that a cell ends with the text so far.
func (r *records) endCell(quoted bool) {
	if len(r.ends) == MaxCells {
		r.over++
		return
	}
	r.ends = append(r.ends, cellEnd{len(r.text), quoted})
}

// cellEnd is where the delimiter, or the line, ends what begins at at.
func (r *records) cellEnd(at int) int {
	if i := bytes.IndexByte(r.raw[at:], r.dialect.Delimiter); r.dialect.Delimiter != 0 && i >= 0 {
		return at + i
	}
	return len(r.raw)
}

// unclosed explains the end of a file inside of quotes.
func unclosed(err error, line int64) error {
	if errors.Is(err, io.EOF) {
		return refuse("line %d: a quote is opened here and never closed", line)
	}
	return err
}

func (r *records) assemble() []Cell {
	r.cells = r.cells[:0]
	begin := 0
	for _, e := range r.ends {
		r.cells = append(r.cells, Cell{r.text[begin:e.at:e.at], e.quoted})
		begin = e.at
	}
	return r.cells
}

// Clip returns what is shown of a row that cannot be read: its beginning.
func Clip(text []byte) string {
	const most = 500
	return quern.Clip(string(text[:min(len(text), most*utf8.UTFMax)]), most)
}
