package format

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strconv"
	"strings"
)

// maxStrings bounds the texts that a workbook keeps in one list for all sheets.
const maxStrings = 256 << 20

// workbook is what the sheets of an Excel file share.
type workbook struct {
	file     string
	size     int64
	sheets   []sheet
	strings  []string
	dates    []dateStyle // by number of a cell's style
	from1904 bool
}

type sheet struct {
	name, part string
}

func excelTables(file string, o Options) ([]Table, error) {
	w, err := openWorkbook(file)
	if err != nil {
		return nil, err
	}
	var tables []Table
	for _, s := range w.sheets {
		layout, err := w.layout(s, o)
		if err != nil {
			return nil, err
		}
		if layout == nil {
			continue // an empty sheet
		}
		member := s.name
		if len(w.sheets) == 1 {
			member = ""
		}
		share := w.size / int64(len(w.sheets))
		tables = append(tables, Table{Member: member, Detail: layout.detail(s), open: func() (Reader, error) {
			rows, err := w.rows(s)
			return &sheetReader{rows: rows, layout: layout, watch: o.Watch, share: share}, err
		}})
	}
	if len(tables) == 0 {
		return nil, refuse("the workbook holds no data")
	}
	return tables, nil
}

func openWorkbook(file string) (*workbook, error) {
	z, err := zip.OpenReader(file)
	if err != nil {
		return nil, damaged("workbook", err)
	}
	defer z.Close()
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	w := &workbook{file: file, size: info.Size()}
	parts := map[string]string{}
	for _, step := range []struct {
		name     string
		optional bool
		read     func(*xml.Decoder) error
	}{
		{"xl/_rels/workbook.xml.rels", false, func(d *xml.Decoder) error { return readRelations(d, parts) }},
		{"xl/workbook.xml", false, func(d *xml.Decoder) error { return w.readSheets(d, parts) }},
		{"xl/styles.xml", true, w.readStyles},
		{"xl/sharedStrings.xml", true, w.readStrings},
	} {
		if err := readPart(&z.Reader, w.room(), step.name, step.optional, step.read); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// room is how many bytes a part of the workbook may unpack to.
func (w *workbook) room() int64 { return max(freeBytes, maxRatio*w.size) }

func readPart(z *zip.Reader, room int64, name string, optional bool, read func(*xml.Decoder) error) error {
	in, err := z.Open(name)
	if errors.Is(err, os.ErrNotExist) && optional {
		return nil
	}
	if err != nil {
		return damaged("workbook", err)
	}
	defer in.Close()
	return damaged("workbook", read(xml.NewDecoder(&roomReader{in, room})))
}

// roomReader stops what unpacks to too much.
type roomReader struct {
	r    io.Reader
	room int64
}

func (r *roomReader) Read(b []byte) (int, error) {
	n, err := r.r.Read(b)
	if r.room -= int64(n); r.room < 0 {
		return n, errExplodes
	}
	return n, err
}

// eachElement calls begin for every element and end for every end of one, with
// the text since the element before.
func eachElement(d *xml.Decoder, begin func(xml.StartElement) error, end func(name string, text string) error) error {
	var text strings.Builder
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			text.Reset()
			err = begin(t)
		case xml.CharData:
			text.Write(t)
		case xml.EndElement:
			err = end(t.Name.Local, text.String())
			text.Reset()
		}
		if err != nil {
			return err
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func noEnd(string, string) error { return nil }

func readRelations(d *xml.Decoder, parts map[string]string) error {
	return eachElement(d, func(e xml.StartElement) error {
		if e.Name.Local == "Relationship" {
			target := attribute(e, "Target")
			if !strings.HasPrefix(target, "/") {
				target = "xl/" + target
			}
			parts[attribute(e, "Id")] = strings.TrimPrefix(path.Clean(target), "/")
		}
		return nil
	}, noEnd)
}

func (w *workbook) readSheets(d *xml.Decoder, parts map[string]string) error {
	return eachElement(d, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "workbookPr":
			v := attribute(e, "date1904")
			w.from1904 = v == "1" || v == "true"
		case "sheet":
			part := parts[sheetRelation(e)]
			if strings.Contains(part, "worksheets/") {
				w.sheets = append(w.sheets, sheet{attribute(e, "name"), part})
			}
		}
		return nil
	}, noEnd)
}

// sheetRelation is the attribute r:id, which is not the sheet's own id.
func sheetRelation(e xml.StartElement) string {
	for _, a := range e.Attr {
		if a.Name.Local == "id" && a.Name.Space != "" {
			return a.Value
		}
	}
	return ""
}

func (w *workbook) readStrings(d *xml.Decoder) error {
	var item strings.Builder
	total, phonetic := 0, false
	return eachElement(d, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "si":
			item.Reset()
		case "rPh":
			phonetic = true
		}
		return nil
	}, func(name, text string) error {
		switch {
		case name == "t" && !phonetic:
			item.WriteString(text)
		case name == "rPh":
			phonetic = false
		case name == "si":
			w.strings = append(w.strings, item.String())
			if total += item.Len() + 16; total > maxStrings {
				return refuse("the workbook's texts take more than %d MiB", maxStrings>>20)
			}
		}
		return nil
	})
}

// sharedString gives the text with a number.
func (w *workbook) sharedString(number string) string {
	i, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || i < 0 || i >= len(w.strings) {
		return ""
	}
	return w.strings[i]
}

// layout is where the table of a sheet begins and what its columns are called.
type layout struct {
	header []string
	skip   int // rows before the first of data
	titles int // of them, those above the header
}

func (l *layout) detail(sheet) string {
	if l.skip > l.titles {
		return fmt.Sprintf("XLSX, header in row %d", l.titles+1)
	}
	return "XLSX, no header"
}

// sheetSample is how many rows of a sheet are looked at to find its header.
const sheetSample = 50

// layout looks at the beginning of a sheet; nil when the sheet is empty. Rows
// with a single cell above a wider table are a title, not part of it. A header
// whose cells span several columns goes on in the row below.
func (w *workbook) layout(s sheet, o Options) (*layout, error) {
	rows, err := w.rows(s)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
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
	l.skip, l.header = l.titles, make([]string, max(width, rows.width))
	named := namesColumns(sample[l.titles:])
	if o.Header != nil {
		named = *o.Header
	}
	if !named {
		return l, nil
	}
	l.skip++
	copy(l.header, sample[l.titles])
	return l, w.spanned(s, l, sample, numbers)
}

// spanned completes a header of merged cells.
func (w *workbook) spanned(s sheet, l *layout, sample [][]string, numbers []int64) error {
	merged, err := w.merged(s, numbers[l.titles])
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
	rows   *sheetRows
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
		notes = append(notes, fmt.Sprintf("%d rows above the header were left out", n))
	}
	if n := r.rows.errors; n > 0 {
		notes = append(notes, fmt.Sprintf("%d cells hold an error such as #DIV/0!; they are null", n))
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
			return Record{}, &Fault{Row: r.row, Line: number, Reason: "has cells beyond the last column", Text: clip([]byte(strings.Join(row, "\t")))}
		}
		r.cells = r.cells[:0]
		for _, text := range row[:min(len(row), len(r.layout.header))] {
			r.cells = append(r.cells, Cell{Text: []byte(text)})
		}
		return Record{Cells: r.cells, Row: r.row, Line: number}, nil
	}
}
