package format

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// book is a spreadsheet of any make.
type book struct {
	kind   string
	size   int64
	sheets []bookSheet
}

// bookSheet is one sheet of a book.
type bookSheet struct {
	name string
	open func() (sheetRows, error)
	// merged finds the merged areas that begin in a row, counted from 1.
	merged func(row int64) ([]area, error)
}

// sheetRows reads the rows of a sheet that hold something, one at a time.
type sheetRows interface {
	// next returns a row, valid until the next, and its number in the sheet.
	next() ([]string, int64, error)
	// wide is how many columns the sheet says that it has, 0 when it does not say.
	wide() int
	// faults counts the cells so far that hold an error.
	faults() int64
	Close() error
}

// tables returns a table for every sheet that holds something.
func (b book) tables(o Options) (tables []Table, err error) {
	for _, s := range b.sheets {
		layout, err := s.layout(o)
		if err != nil {
			return nil, err
		}
		if layout == nil {
			continue // an empty sheet
		}
		member := s.name
		if len(b.sheets) == 1 {
			member = ""
		}
		share := b.size / int64(len(b.sheets))
		tables = append(tables, Table{Member: member, Detail: layout.detail(b.kind), open: func() (Reader, error) {
			rows, err := s.open()
			return &sheetReader{rows: rows, layout: layout, watch: o.Watch, share: share}, err
		}})
	}
	if len(tables) == 0 {
		return nil, refuse("the workbook holds no data")
	}
	return tables, nil
}

// layout is where the table of a sheet begins and what its columns are called.
type layout struct {
	header []string
	skip   int // rows before the first of data
	titles int // of them, those above the header
}

func (l *layout) detail(kind string) string {
	if l.skip > l.titles {
		return fmt.Sprintf("%s, header in row %d", kind, l.titles+1)
	}
	return kind + ", no header"
}

// sheetSample is how many rows of a sheet are looked at to find its header.
const sheetSample = 50

// layout looks at the beginning of a sheet; nil when the sheet is empty. Rows
// with a single cell above a wider table are a title, not part of it. A header
// whose cells span several columns goes on in the row below.
func (s bookSheet) layout(o Options) (*layout, error) {
	rows, err := s.open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var sample [][]string
	var numbers []int64
	for len(sample) < sheetSample {
		row, number, err := rows.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		sample, numbers = append(sample, append([]string(nil), row...)), append(numbers, number)
	}
	if len(sample) == 0 {
		return nil, nil
	}
	l := &layout{}
	width, widest := 0, 0
	for _, row := range sample {
		width, widest = max(width, len(row)), max(widest, filled(row))
	}
	for widest > 1 && l.titles < len(sample)-1 && filled(sample[l.titles]) < 2 {
		l.titles++
	}
	l.skip, l.header = l.titles, make([]string, max(width, rows.wide()))
	named := namesColumns(sample[l.titles:])
	if o.Header != nil {
		named = *o.Header
	}
	if !named {
		return l, nil
	}
	l.skip++
	copy(l.header, sample[l.titles])
	return l, s.spanned(l, sample, numbers)
}

// spanned completes a header of merged cells.
func (s bookSheet) spanned(l *layout, sample [][]string, numbers []int64) error {
	merged, err := s.merged(numbers[l.titles])
	if err != nil || len(merged) == 0 {
		return err
	}
	twoRows := false
	for _, m := range merged {
		for c := m.left; c <= m.right && c < len(l.header); c++ {
			l.header[c] = l.header[m.left]
		}
		twoRows = twoRows || m.right > m.left && m.top == m.bottom
	}
	below := l.titles + 1
	if !twoRows || below >= len(sample) || !namesColumns(sample[below:]) {
		return nil
	}
	for c, name := range sample[below] {
		if name != "" && c < len(l.header) {
			l.header[c] = strings.TrimSpace(l.header[c] + " " + name)
		}
	}
	l.skip++
	return nil
}

func filled(row []string) (n int) {
	for _, cell := range row {
		if strings.TrimSpace(cell) != "" {
			n++
		}
	}
	return n
}

// sheetReader reads the rows of a sheet below its header.
type sheetReader struct {
	rows   sheetRows
	layout *layout
	row    int64
	passed int
	cells  []Cell
	watch  func(int)
	share  int64
}

func (r *sheetReader) Header() []string { return r.layout.header }
func (r *sheetReader) Close() error     { return r.rows.Close() }

func (r *sheetReader) Notes() (notes []string) {
	if n := r.layout.titles; n > 0 {
		notes = append(notes, countedNote(n, "row above the header was left out", "rows above the header were left out"))
	}
	if n := r.rows.faults(); n > 0 {
		notes = append(notes, countedNote(n, "cell holds an error such as #DIV/0!; it is null",
			"cells hold an error such as #DIV/0!; they are null"))
	}
	return notes
}

func (r *sheetReader) Next() (Record, error) {
	for {
		row, number, err := r.rows.next()
		if errors.Is(err, io.EOF) && r.watch != nil {
			r.watch(int(r.share))
			r.watch = nil
		}
		if err != nil {
			return Record{}, err
		}
		if r.passed < r.layout.skip {
			r.passed++
			continue
		}
		r.row++
		if len(row) > len(r.layout.header) && filled(row[len(r.layout.header):]) > 0 {
			return Record{}, &Fault{Row: r.row, Line: number, Reason: "has cells beyond the last column",
				Text: Clip([]byte(strings.Join(row, "\t")))}
		}
		r.cells = r.cells[:0]
		for _, text := range row[:min(len(row), len(r.layout.header))] {
			r.cells = append(r.cells, Cell{Text: []byte(text)})
		}
		return Record{Cells: r.cells, Row: r.row, Line: number}, nil
	}
}

// countedNote is a note on a number of things, in the form that the number asks for.
func countedNote[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
