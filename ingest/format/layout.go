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
	name  string
	small bool // it may be read as a whole to find its tables
	open  func() (sheetRows, error)
	// merged finds the merged areas that begin in a row, counted from 1.
	merged func(row int64) ([]area, error)
}

// sheetRows reads the rows of a sheet that hold something, one at a time.
type sheetRows interface {
	// next returns a row, valid until the next, and its number in the sheet.
	next() ([]string, int64, error)
	// wide is how many columns the sheet says that it has, 0 when it does not say.
	wide() int
	// faults counts the cells so far that hold an error, and the formulas whose value
	// is not stored.
	faults() (errors, unknown int64)
	Close() error
}

// tables returns the tables of all sheets that hold something.
func (b book) tables(o Options) (tables []Table, err error) {
	for _, s := range b.sheets {
		all, width, err := s.sample()
		if err != nil {
			return nil, err
		}
		if len(all.rows) == 0 {
			continue // an empty sheet
		}
		found := all.split()
		for i, g := range found {
			layout, err := s.layout(g, width, o)
			if err != nil {
				return nil, err
			}
			t := Table{Member: s.name, Sheet: s.name, Detail: layout.detail(b.kind)}
			switch {
			case i > 0:
				t.Member = g.name(s.name, i+1)
			case len(b.sheets) == 1:
				t.Member = ""
			}
			share := b.size / int64(len(b.sheets)*len(found))
			t.open = func() (Reader, error) {
				rows, err := s.open()
				return &sheetReader{rows: rows, layout: layout, watch: o.Watch, share: share}, err
			}
			tables = append(tables, t)
		}
	}
	switch {
	case len(tables) == 0:
		return nil, refuse("the workbook holds no data")
	case len(tables) > MaxTables:
		return nil, errTables
	}
	return tables, nil
}

// layout is where the table of a sheet begins and what its columns are called.
type layout struct {
	region region
	header []string
	skip   int   // rows before the first of data
	titles int   // of them, those above the header
	row    int64 // of the header in the sheet, from 1
}

func (l *layout) detail(kind string) string {
	if l.skip > l.titles {
		return fmt.Sprintf("%s, header in row %d", kind, l.row)
	}
	return kind + ", no header"
}

// smallSheet is the most bytes of a sheet, unpacked, that is read as a whole to find
// its tables.
const smallSheet = 4 << 20

// sheetSample is how many rows of a sheet are looked at to find its header.
const sheetSample = 50

// layout finds the header of a table of a sheet. Rows with a single cell above a wider
// table are a title, not part of it. A header whose cells span several columns goes on
// in the row below.
func (s bookSheet) layout(g region, wide int, o Options) (*layout, error) {
	l := &layout{region: region{first: g.first, last: g.last, left: g.left, right: g.right}}
	sample, numbers := g.rows[:min(len(g.rows), sheetSample)], g.numbers
	width, widest := 0, 0
	for _, row := range g.rows {
		width = max(width, len(row))
	}
	for _, row := range sample {
		widest = max(widest, filled(row))
	}
	if g.left == 0 && g.right == 0 {
		width = max(width, wide)
	}
	for widest > 1 && l.titles < len(sample)-1 && filled(sample[l.titles]) < 2 {
		l.titles++
	}
	if above := titlesAbove(sample, numbers); above > l.titles && namesColumns(sample[above:]) {
		l.titles = above
	}
	l.row = numbers[l.titles]
	l.skip, l.header = l.titles, make([]string, width)
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
		m.left, m.right = m.left-l.region.left, m.right-l.region.left
		if m.left < 0 || m.left >= len(l.header) {
			continue // in a table beside this one
		}
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
	notes = titleNotes(r.layout.titles)
	errors, unknown := r.rows.faults()
	if errors > 0 {
		notes = append(notes, countedNote(errors, "cell holds an error such as #DIV/0!; it is null",
			"cells hold an error such as #DIV/0!; they are null"))
	}
	if unknown > 0 {
		notes = append(notes, countedNote(unknown, "formula has no stored value; it is null. A spreadsheet program stores values when it saves",
			"formulas have no stored value; they are null. A spreadsheet program stores values when it saves"))
	}
	return notes
}

func (r *sheetReader) Next() (Record, error) {
	for {
		row, number, err := r.rows.next()
		if errors.Is(err, io.EOF) {
			r.see()
		}
		if err != nil {
			return Record{}, err
		}
		if last := r.layout.region.last; last > 0 && number > last {
			r.see()
			return Record{}, io.EOF
		}
		row, ok := r.layout.region.cut(row, number)
		if !ok {
			continue
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

// see tells, once, that the table was read.
func (r *sheetReader) see() {
	if r.watch != nil {
		r.watch(int(r.share))
		r.watch = nil
	}
}

// countedNote is a note on a number of things, in the form that the number asks for.
func countedNote[N int | int64](n N, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
