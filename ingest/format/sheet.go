package format

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

// excelRows reads the rows of a sheet of a workbook. Of a formula it returns the
// value that was stored with it.
type excelRows struct {
	book    *workbook
	file    *zip.ReadCloser
	part    io.ReadCloser
	in      *xml.Decoder
	width   int // as the sheet says itself
	errors  int64
	unknown int64 // formulas without a stored value
	number  int64
	cells   []string
	text    strings.Builder
}

func (w *workbook) rows(s sheet) (*excelRows, error) {
	z, part, err := w.open(s)
	if err != nil {
		return nil, err
	}
	r := &excelRows{book: w, file: z, part: part}
	r.in = xml.NewDecoder(bufio.NewReaderSize(&roomReader{part, w.room()}, 64<<10))
	return r, r.begin()
}

func (w *workbook) open(s sheet) (*zip.ReadCloser, io.ReadCloser, error) {
	z, err := zip.OpenReader(w.file)
	if err != nil {
		return nil, nil, damaged("workbook", err)
	}
	part, err := z.Open(s.part)
	if err != nil {
		return nil, nil, errors.Join(damaged("workbook", err), z.Close())
	}
	return z, part, nil
}

func (r *excelRows) wide() int                       { return r.width }
func (r *excelRows) faults() (errors, unknown int64) { return r.errors, r.unknown }

// Close frees the file.
func (r *excelRows) Close() error { return errors.Join(r.part.Close(), r.file.Close()) }

// begin reads up to the rows.
func (r *excelRows) begin() error {
	for {
		token, err := r.in.RawToken()
		if err != nil {
			return errors.Join(damaged("workbook", err), r.Close())
		}
		e, ok := token.(xml.StartElement)
		switch {
		case ok && e.Name.Local == "dimension":
			if area, ok := parseArea(attribute(e, "ref")); ok {
				r.width = area.right + 1
			}
		case ok && e.Name.Local == "sheetData":
			return nil
		}
	}
}

// next returns the next row that holds something and its number in the sheet.
func (r *excelRows) next() ([]string, int64, error) {
	for {
		token, err := r.in.RawToken()
		if err != nil {
			return nil, 0, damaged("workbook", unexpected(err))
		}
		if end, ok := token.(xml.EndElement); ok && end.Name.Local == "sheetData" {
			return nil, 0, io.EOF
		}
		e, ok := token.(xml.StartElement)
		if !ok || e.Name.Local != "row" {
			continue
		}
		if err := r.row(e); err != nil {
			return nil, 0, damaged("workbook", unexpected(err))
		}
		if filled(r.cells) > 0 {
			return r.cells, r.number, nil
		}
	}
}

// unexpected makes the end of a part that breaks off an error like any other.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// row reads the cells of a row. One without a number follows the one before.
func (r *excelRows) row(e xml.StartElement) error {
	r.cells, r.number = r.cells[:0], r.number+1
	if n, err := strconv.ParseInt(attribute(e, "r"), 10, 64); err == nil {
		r.number = n
	}
	for {
		token, err := r.in.RawToken()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if t.Name.Local == "c" {
				err = r.cell(t)
			}
		case xml.EndElement:
			if t.Name.Local == "row" {
				return r.book.budget.takeRow(r.cells)
			}
		}
		if err != nil {
			return err
		}
	}
}

// cell reads a cell into its place in the row.
func (r *excelRows) cell(e xml.StartElement) error {
	column := len(r.cells)
	var kind, style string
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "r":
			if c, _, ok := parseCell(a.Value); ok {
				column = c
			}
		case "t":
			kind = a.Value
		case "s":
			style = a.Value
		}
	}
	value, err := r.value()
	if err != nil || column >= MaxCells || value == "" {
		return err
	}
	for len(r.cells) <= column {
		r.cells = append(r.cells, "")
	}
	r.cells[column] = r.show(value, kind, style)
	return nil
}

// value reads what a cell holds: the value, or the text beside it.
func (r *excelRows) value() (string, error) {
	r.text.Reset()
	reading, phonetic, formula := false, false, false
	for {
		token, err := r.in.RawToken()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			phonetic = phonetic || t.Name.Local == "rPh"
			formula = formula || t.Name.Local == "f"
			reading = (t.Name.Local == "v" || t.Name.Local == "t") && !phonetic
		case xml.CharData:
			if reading {
				r.text.Write(t)
			}
		case xml.EndElement:
			reading = false
			phonetic = phonetic && t.Name.Local != "rPh"
			if t.Name.Local == "c" {
				r.countUnknown(formula)
				return r.text.String(), nil
			}
		}
	}
}

// countUnknown counts a cell that was read when it is a formula without a value.
func (r *excelRows) countUnknown(formula bool) {
	if formula && r.text.Len() == 0 {
		r.unknown++
	}
}

// show writes a value as text that means the same: dates as dates, numbers with
// the digits that Excel shows at most.
func (r *excelRows) show(value, kind, style string) string {
	switch kind {
	case "s":
		return r.book.sharedString(value)
	case "str", "inlineStr", "d":
		return value
	case "b":
		return strconv.FormatBool(value == "1")
	case "e":
		r.errors++
		return ""
	}
	n, err := strconv.Atoi(style)
	if err != nil || n < 0 || n >= len(r.book.dates) {
		return excelNumber(value)
	}
	if r.book.dates[n] != notDate {
		if f, err := strconv.ParseFloat(value, 64); err == nil {
			return r.book.date(f, r.book.dates[n])
		}
	}
	return r.book.shown[n].write(excelNumber(value))
}

// excelNumber writes a number with the digits that are shown at most.
func excelNumber(value string) string {
	f, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return value
	}
	if len(value) <= 15 && !strings.ContainsAny(value, "eE") {
		return value
	}
	short, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 15, 64), 64)
	plain := math.Abs(short) < 1e21 && math.Abs(short) > 1e-9
	if plain || short == 0 {
		return strconv.FormatFloat(short, 'f', -1, 64)
	}
	return strconv.FormatFloat(short, 'g', -1, 64)
}

// dateStyle says whether a style shows numbers as dates.
type dateStyle uint8

const (
	notDate dateStyle = iota
	dayStyle
	timeStyle // a day and a time
	clockStyle
)

// date writes a serial number of days.
func (w *workbook) date(serial float64, style dateStyle) string {
	if serial < 0 || serial > 2_958_466 {
		return strconv.FormatFloat(serial, 'f', -1, 64)
	}
	days, part := math.Modf(serial)
	epoch := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case w.from1904:
		epoch = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case days < 60:
		epoch = epoch.AddDate(0, 0, 1) // Excel believes in 29 February 1900
	}
	t := epoch.AddDate(0, 0, int(days)).Add(time.Duration(math.Round(part*86_400_000)) * time.Millisecond)
	switch {
	case style == clockStyle && days == 0:
		return t.Format("15:04:05.999")
	case style == dayStyle && part == 0:
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02 15:04:05.999")
}

// readStyles learns which styles show dates.
func (w *workbook) readStyles(d *xml.Decoder) error {
	formats, inCells := map[int]string{}, false
	return eachElement(d, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "numFmt":
			if id, err := strconv.Atoi(attribute(e, "numFmtId")); err == nil {
				formats[id] = attribute(e, "formatCode")
			}
		case "cellXfs":
			inCells = true
		case "xf":
			if inCells {
				id, _ := strconv.Atoi(attribute(e, "numFmtId"))
				w.dates, w.shown = append(w.dates, styleOf(id, formats[id])), append(w.shown, shownBy(id, formats[id]))
			}
		}
		return nil
	}, func(name, _ string) error {
		if name == "cellXfs" {
			inCells = false
		}
		return nil
	})
}

func styleOf(id int, code string) dateStyle {
	switch {
	case code != "":
		return codeStyle(code)
	case id >= 14 && id <= 17, id >= 27 && id <= 36, id >= 50 && id <= 58:
		return dayStyle
	case id >= 18 && id <= 21, id >= 45 && id <= 47:
		return clockStyle
	case id == 22:
		return timeStyle
	}
	return notDate
}

// codeStyle looks for the letters of dates and times in a format.
func codeStyle(code string) dateStyle {
	code, _, _ = strings.Cut(strings.ToLower(code), ";")
	code = bareFormat(code)
	if first := strings.IndexAny(code, "ydhms0#?"); first < 0 || strings.IndexByte("0#?", code[first]) >= 0 {
		return notDate
	}
	day, clock := strings.ContainsAny(code, "yd"), strings.ContainsAny(code, "hs")
	switch {
	case day && clock:
		return timeStyle
	case clock:
		return clockStyle
	}
	return dayStyle
}

// bareFormat takes out of a format what is quoted, escaped or a colour, and the
// brackets around hours, minutes and seconds.
func bareFormat(code string) string {
	var b strings.Builder
	for i := 0; i < len(code); i++ {
		end := -1
		switch code[i] {
		case '\\', '_':
			i++
			continue
		case '"':
			end = strings.IndexByte(code[i+1:], '"') + 1
		case '[':
			if end = strings.IndexByte(code[i:], ']'); end > 1 && strings.Trim(code[i+1:i+end], "hms") == "" {
				b.WriteString(code[i+1 : i+end])
			}
		default:
			b.WriteByte(code[i])
		}
		i += max(end, 0)
	}
	return b.String()
}

// area is a rectangle of cells, counted from 0.
type area struct{ left, top, right, bottom int }

func parseArea(ref string) (a area, ok bool) {
	from, to, _ := strings.Cut(ref, ":")
	if a.left, a.top, ok = parseCell(from); !ok {
		return a, false
	}
	a.right, a.bottom = a.left, a.top
	if to != "" {
		a.right, a.bottom, ok = parseCell(to)
	}
	return a, ok && a.right < MaxCells
}

// parseCell reads a reference such as C5.
func parseCell(ref string) (column, row int, ok bool) {
	i := 0
	for ; i < len(ref) && ref[i] >= 'A' && ref[i] <= 'Z' && i < 3; i++ {
		column = column*26 + int(ref[i]-'A') + 1
	}
	row, err := strconv.Atoi(ref[i:])
	return column - 1, row - 1, i > 0 && err == nil && row > 0
}

// merged finds the merged areas that begin in a row of the sheet, counted from
// 1. They are listed behind the cells.
func (w *workbook) merged(s sheet, row int64) ([]area, error) {
	z, part, err := w.open(s)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	defer part.Close()
	in := bufio.NewReaderSize(&roomReader{part, w.room()}, 64<<10)
	var found []area
	for {
		piece, err := in.ReadSlice('>')
		if at := bytes.Index(piece, []byte("<mergeCell ")); at >= 0 {
			_, rest, _ := bytes.Cut(piece[at:], []byte(`ref="`))
			ref, _, _ := bytes.Cut(rest, []byte(`"`))
			if a, ok := parseArea(string(ref)); ok && int64(a.top)+1 == row && len(found) < MaxCells {
				found = append(found, a)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return found, nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return nil, damaged("workbook", err)
		}
	}
}
