package format

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
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

// csvReader reads the records of one delimited text.
type csvReader struct {
	records *records
	file    io.Closer
	header  []string
	width   int
	row     int64
	first   []Cell // the first record, when it is not a header
	line    int64
	short   int64 // records with fewer cells than columns
	blank   int64 // records without a value
	titles  int   // records above the header
	notes   []string
}

// csvHead is where the records of a delimited text begin.
type csvHead struct {
	head
	line int64 // the header's, or the first record's, from 1
}

func csvTables(path string, o Options) ([]Table, error) {
	c, err := charsetOf(path)
	if err != nil {
		return nil, err
	}
	sample, err := textSample(path, c)
	if err != nil {
		return nil, err
	}
	d := sniffDialect(sample)
	h := findCSVHead(sample, d, o.Header)
	t := Table{
		Detail:       c.name + ", " + d.String(h.rows > 0),
		DecimalComma: d.Delimiter == ';',
		open:         func() (Reader, error) { return openCSV(path, c, d, h, o) },
	}
	if c.decode == nil && d.Delimiter != 0 && !d.CarriageReturns && !d.Backslash {
		t.plain = &Plain{Dialect: d, Named: h.rows == 1, path: path, skip: c.skip, block: blockBytes, watch: o.Watch}
		lines := h.line - 1
		if h.rows == 2 {
			lines += 2
		}
		t.plain.skip += lineStart(sample, lines)
	}
	return []Table{t}, nil
}

// findCSVHead looks for the header in the beginning of delimited text. One of two
// rows stands on two lines.
func findCSVHead(sample []byte, d Dialect, named *bool) csvHead {
	rows, lines := sampleRows(sample, d)
	if len(rows) == 0 {
		return csvHead{line: 1, head: findHead(nil, named)}
	}
	h := csvHead{head: findHead(rows, named)}
	h.line = lines[h.titles]
	plain := h.rows < 2 || lines[h.titles+1] == h.line+1 && (len(lines) < h.titles+3 || lines[h.titles+2] > h.line+1)
	if !plain {
		h.rows, h.names = 1, rows[h.titles]
	}
	if h.titles == 0 {
		h.line = 1
	}
	return h
}

// lineStart is where a line begins, by the number of lines before it.
func lineStart(text []byte, lines int64) (at int) {
	for ; lines > 0; lines-- {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			return len(text)
		}
		at += end + 1
	}
	return at
}

// textSample returns the beginning of a text as UTF-8.
func textSample(path string, c charset) ([]byte, error) {
	r, closer, err := openText(path, c, Options{})
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	sample, whole, err := sniff(r)
	if end := bytes.LastIndexByte(sample, '\n'); !whole && end > 0 {
		sample = sample[:end+1]
	}
	return sample, err
}

func openCSV(path string, c charset, d Dialect, h csvHead, o Options) (Reader, error) {
	in, file, err := openText(path, c, o)
	if err != nil {
		return nil, err
	}
	r := &csvReader{records: newRecords(in, d), file: file, titles: h.titles, notes: d.notes()}
	if err := r.records.skipTo(h.line); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	cells, line, err := r.records.next()
	if errors.Is(err, io.EOF) {
		err = refuse("the file holds no records")
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	if over := r.records.over; over > 0 {
		return nil, errors.Join(tooWide(len(cells)+over), file.Close())
	}
	r.width, r.header = len(cells), make([]string, len(cells))
	switch h.rows {
	case 1:
		for i, c := range cells {
			r.header[i] = string(bytes.ToValidUTF8(c.Text, []byte("\uFFFD")))
		}
		return r, nil
	case 2:
		if cells, _, err = r.records.next(); err != nil {
			return nil, errors.Join(err, file.Close())
		}
		r.width = max(r.width, len(cells))
		r.header = make([]string, r.width)
		for i := range min(len(h.names), r.width) {
			r.header[i] = strings.ToValidUTF8(h.names[i], "\uFFFD")
		}
		return r, nil
	}
	for _, c := range cells {
		r.first = append(r.first, Cell{bytes.Clone(c.Text), c.Quoted})
	}
	r.line = line
	return r, nil
}

// tooWide refuses a table of so many columns.
func tooWide(columns int) error {
	return refuse("has %d columns; more than %d cannot be read", columns, MaxCells)
}

func (r *csvReader) Header() []string { return r.header }

func (r *csvReader) Close() error { return r.file.Close() }

// Notes tells what was left out, and of records that had fewer cells than there are
// columns.
func (r *csvReader) Notes() []string {
	notes := append(append(append([]string(nil), r.notes...), titleNotes(r.titles)...), blankNotes(r.blank)...)
	if r.short > 0 {
		notes = append(notes, countedNote(r.short, "row had fewer cells than there are columns; what it lacks is null",
			"rows had fewer cells than there are columns; what they lack is null"))
	}
	return notes
}

func (r *csvReader) Next() (Record, error) {
	cells, line := r.first, r.line
	if r.first = nil; cells == nil {
		var err error
		cells, line, err = r.records.next()
		for err == nil && r.records.over == 0 && blankRecord(cells) {
			r.blank++
			cells, line, err = r.records.next()
		}
		if err != nil {
			return Record{}, err
		}
	}
	r.row++
	if fault := r.check(cells); fault != "" {
		return Record{}, &Fault{Line: line, Row: r.row, Reason: fault, Text: Clip(r.records.raw)}
	}
	if len(cells) < r.width {
		r.short++
	}
	return Record{Cells: cells[:min(len(cells), r.width)], Row: r.row, Line: line}, nil
}

// blankRecord reports whether a record of several cells holds nothing.
func blankRecord(cells []Cell) bool {
	for _, c := range cells {
		if len(c.Text) > 0 || c.Quoted {
			return false
		}
	}
	return len(cells) > 1
}

// check says what is wrong with a record, "" when nothing is. Cells beyond the
// last column may be empty: many programs write such.
func (r *csvReader) check(cells []Cell) string {
	if over := r.records.over; over > 0 {
		return fmt.Sprintf("has %d cells where there are %d columns", len(cells)+over, r.width)
	}
	for i := r.width; i < len(cells); i++ {
		if len(cells[i].Text) > 0 {
			return fmt.Sprintf("has %d cells where there are %d columns", len(cells), r.width)
		}
	}
	if !utf8.Valid(r.records.text) {
		return "is not text in UTF-8"
	}
	return ""
}
