package format

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// textTables returns plain text as one column, a row for every line that is not
// empty.
func textTables(path string, o Options) ([]Table, error) {
	c, err := charsetOf(path)
	if err != nil {
		return nil, err
	}
	sample, err := textSample(path, c)
	if err != nil {
		return nil, err
	}
	d := Dialect{CarriageReturns: bytes.IndexByte(sample, '\n') < 0 && bytes.IndexByte(sample, '\r') >= 0}
	return []Table{{Detail: c.name + ", a row for every line", open: func() (Reader, error) {
		in, file, err := openText(path, c, o)
		if err != nil {
			return nil, err
		}
		return &lines{records: newRecords(in, d), file: file}, nil
	}}}, nil
}

// lines reads plain text line by line.
type lines struct {
	records *records
	file    io.Closer
	row     int64
}

func (l *lines) Header() []string { return []string{"text"} }
func (l *lines) Notes() []string  { return nil }
func (l *lines) Close() error     { return l.file.Close() }

// Next reads a line that holds something.
func (l *lines) Next() (Record, error) {
	for {
		cells, line, err := l.records.next()
		if err != nil {
			return Record{}, err
		}
		if len(bytes.TrimSpace(cells[0].Text)) == 0 {
			continue
		}
		l.row++
		if !utf8.Valid(cells[0].Text) {
			return Record{}, &Fault{Line: line, Row: l.row, Reason: "is not text in UTF-8", Text: Clip(cells[0].Text)}
		}
		return Record{Cells: cells, Row: l.row, Line: line}, nil
	}
}
