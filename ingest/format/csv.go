package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

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
		t.plain = &Plain{Dialect: d, Named: h.rows == 1, path: path, skip: c.skip, Block: blockBytes, watch: o.Watch}
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
	if above := titlesAbove(rows, lines); above > h.titles {
		if below := findHead(rows[above:], named); below.rows > 0 {
			h.head = below
			h.titles += above
		}
	}
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
