package format

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"strconv"

	"github.com/richardlehane/mscfb"
)

// The numbers of records in workbooks of Excel 97 to 2003.
const (
	biffFormula    = 0x0006
	biffEOF        = 0x000a
	biff1904       = 0x0022
	biffPassword   = 0x002f
	biffContinue   = 0x003c
	biffSheet      = 0x0085
	biffManyRK     = 0x00bd
	biffRichLabel  = 0x00d6
	biffStyle      = 0x00e0
	biffMerged     = 0x00e5
	biffStrings    = 0x00fc
	biffTextLabel  = 0x00fd
	biffDimensions = 0x0200
	biffNumber     = 0x0203
	biffLabel      = 0x0204
	biffTruth      = 0x0205
	biffResult     = 0x0207
	biffRK         = 0x027e
	biffFormat     = 0x041e
	biffBegin      = 0x0809
)

// biffVersion is the version of these records.
const biffVersion = 0x0600

// oldWorkbook is a workbook of Excel 97 to 2003.
type oldWorkbook struct {
	workbook          // strings, styles and the first day
	file     *os.File // the records; it has no name any more and goes with the last reader
	length   int64
	starts   []int64 // where the records of the sheets begin
}

// oldExcelTables returns the sheets of a workbook of Excel 97 to 2003.
func oldExcelTables(path string, o Options) ([]Table, error) {
	w, err := openOldWorkbook(path, o.Dir)
	if err != nil {
		return nil, err
	}
	book := book{kind: "XLS", size: w.size}
	for i, s := range w.sheets {
		book.sheets = append(book.sheets, bookSheet{
			name:   s.name,
			small:  w.length <= smallSheet,
			open:   func() (sheetRows, error) { return w.rows(i), nil },
			merged: func(row int64) ([]area, error) { return w.merged(i, row) },
		})
	}
	return book.tables(o)
}

func openOldWorkbook(path, dir string) (*oldWorkbook, error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	records, err := workbookStream(in)
	if err != nil {
		return nil, err
	}
	to, err := os.CreateTemp(dir, "workbook-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(to.Name()); err != nil {
		return nil, errors.Join(err, to.Close())
	}
	n, err := io.Copy(to, io.LimitReader(records, info.Size())) // no part is larger than the file
	if err != nil {
		return nil, errors.Join(damaged("workbook", err), to.Close())
	}
	w := &oldWorkbook{workbook: workbook{size: info.Size(), budget: sheetBudget(info.Size())}, file: to, length: n}
	if err := w.globals(); err != nil {
		return nil, errors.Join(damaged("workbook", err), to.Close())
	}
	return w, nil
}

// workbookStream finds the records in a compound file.
func workbookStream(in io.ReaderAt) (io.Reader, error) {
	parts, err := mscfb.New(in)
	if err != nil {
		return nil, damaged("workbook", err)
	}
	for part, err := parts.Next(); err == nil; part, err = parts.Next() {
		if part.Name == "Workbook" {
			return part, nil
		}
	}
	return nil, errOldBook
}

var errOldBook = refuse("the workbook is of Excel 95 or older, which is not read; save it as .xlsx")

// records reads the records of a workbook from a place on.
func (w *oldWorkbook) records(from int64) *biffReader {
	from = min(max(from, 0), w.length)
	return &biffReader{in: bufio.NewReaderSize(io.NewSectionReader(w.file, from, w.length-from), 64<<10)}
}

// biffReader reads records.
type biffReader struct {
	in   *bufio.Reader
	kind int
	data []byte
}

// next reads a record. data is valid until the next.
func (r *biffReader) next() error {
	var head [4]byte
	if _, err := io.ReadFull(r.in, head[:]); err != nil {
		return unexpected(err)
	}
	r.kind = int(binary.LittleEndian.Uint16(head[:]))
	size := int(binary.LittleEndian.Uint16(head[2:]))
	if cap(r.data) < size {
		r.data = make([]byte, size)
	}
	r.data = r.data[:size]
	_, err := io.ReadFull(r.in, r.data)
	return unexpected(err)
}

// continues reports whether the next record goes on with this one, and reads it.
func (r *biffReader) continues() (bool, error) {
	head, err := r.in.Peek(2)
	if err != nil || binary.LittleEndian.Uint16(head) != biffContinue {
		return false, nil //nolint:nilerr // at the end nothing goes on
	}
	return true, r.next()
}

// u16 returns a number in the record, 0 beyond its end.
func (r *biffReader) u16(at int) int {
	if at+2 > len(r.data) {
		return 0
	}
	return int(binary.LittleEndian.Uint16(r.data[at:]))
}

func (r *biffReader) u32(at int) uint32 {
	if at+4 > len(r.data) {
		return 0
	}
	return binary.LittleEndian.Uint32(r.data[at:])
}

// globals reads what the sheets share.
func (w *oldWorkbook) globals() error {
	r := w.records(0)
	if err := r.next(); err != nil {
		return err
	}
	if r.kind != biffBegin || r.u16(0) != biffVersion {
		return errOldBook
	}
	formats := map[int]string{}
	for {
		if err := r.next(); err != nil {
			return err
		}
		switch r.kind {
		case biffEOF:
			return nil
		case biffPassword:
			return refuse("the document is encrypted; save it without a password")
		case biff1904:
			w.from1904 = r.u16(0) == 1
		case biffFormat:
			id := r.u16(0)
			code, err := (&biffText{reader: r, at: 2}).long()
			if err != nil {
				return err
			}
			formats[id] = code
		case biffStyle:
			id := r.u16(2)
			w.dates, w.shown = append(w.dates, styleOf(id, formats[id])), append(w.shown, shownBy(id, formats[id]))
		case biffSheet:
			if err := w.sheet(r); err != nil {
				return err
			}
		case biffStrings:
			if err := w.readOldStrings(r); err != nil {
				return err
			}
		}
	}
}

// sheet notes a sheet of cells; charts and macros are none.
func (w *oldWorkbook) sheet(r *biffReader) error {
	const cells = 0
	if len(r.data) < 8 || r.data[5] != cells {
		return nil
	}
	start := int64(r.u32(0))
	name, err := (&biffText{reader: r, at: 6}).short()
	if err != nil {
		return err
	}
	w.sheets, w.starts = append(w.sheets, sheet{name: name}), append(w.starts, start)
	if len(w.sheets) > MaxTables {
		return errTables
	}
	return nil
}

// readOldStrings reads the texts that cells refer to.
func (w *oldWorkbook) readOldStrings(r *biffReader) error {
	count, total := r.u32(4), 0
	text := &biffText{reader: r, at: 8}
	for range count {
		s, err := text.rich()
		if err != nil {
			return err
		}
		w.strings = append(w.strings, s)
		if total += len(s) + 16; total > maxStrings {
			return refuse("the workbook's texts take more than %d MiB", maxStrings>>20)
		}
	}
	return nil
}

// rows reads the rows of a sheet.
func (w *oldWorkbook) rows(sheet int) *oldRows {
	return &oldRows{book: w, in: w.records(w.starts[sheet]), row: -1, pending: -1}
}

// oldRows reads the rows of a sheet of an old workbook.
type oldRows struct {
	book    *oldWorkbook
	in      *biffReader
	depth   int // of parts in one another: a sheet may hold charts
	width   int
	errors  int64
	unknown int64
	row     int // of the cells so far, from 0; -1: there are none
	cells   []string
	out     []string
	done    bool
	pending int // the column of a formula whose text comes in a record of its own
}

func (r *oldRows) wide() int                       { return r.width }
func (r *oldRows) faults() (errors, unknown int64) { return r.errors, r.unknown }

// Close does nothing: the file is shared by all sheets.
func (r *oldRows) Close() error { return nil }

// next returns the next row that holds something and its number in the sheet.
func (r *oldRows) next() ([]string, int64, error) {
	for !r.done {
		before := r.row
		if err := r.in.next(); err != nil {
			return nil, 0, damaged("workbook", err)
		}
		complete, err := r.record()
		if err != nil {
			return nil, 0, damaged("workbook", err)
		}
		if !complete || filled(r.out) == 0 {
			continue
		}
		if err := r.book.budget.takeRow(r.out); err != nil {
			return nil, 0, err
		}
		return r.out, int64(before) + 1, nil
	}
	return nil, 0, io.EOF
}

// record takes a record; complete reports that it begins another row, and that out
// holds the one before.
func (r *oldRows) record() (complete bool, err error) {
	switch r.in.kind {
	case biffBegin:
		r.depth++
		return false, nil
	case biffEOF:
		if r.depth--; r.depth > 0 {
			return false, nil
		}
		r.forget()
		r.done = true
		r.out = append(r.out[:0], r.cells...)
		return true, nil
	case biffResult:
		text, err := (&biffText{reader: r.in}).long()
		if err == nil && r.pending >= 0 && r.row >= 0 {
			r.put(r.pending, text)
		}
		r.pending = -1
		return false, err
	case biffDimensions:
		r.width = min(r.in.u16(10), MaxCells)
		return false, nil
	case biffNumber, biffRK, biffManyRK, biffTextLabel, biffLabel, biffRichLabel, biffTruth, biffFormula:
	default:
		return false, nil
	}
	if r.depth > 1 || len(r.in.data) < 6 {
		return false, nil
	}
	if row := r.in.u16(0); row != r.row {
		if row < r.row {
			return false, errBackwards
		}
		r.out = append(r.out[:0], r.cells...)
		r.cells, r.row, complete = r.cells[:0], row, r.row >= 0
	}
	return complete, r.cell()
}

var errBackwards = errors.New("format: the rows of a sheet are out of order")

// cell reads the cell or cells of the record.
func (r *oldRows) cell() error {
	in, column, style := r.in, r.in.u16(2), r.in.u16(4)
	r.forget()
	switch in.kind {
	case biffNumber:
		if len(in.data) >= 14 {
			r.put(column, r.number(math.Float64frombits(binary.LittleEndian.Uint64(in.data[6:])), style))
		}
	case biffRK:
		r.put(column, r.number(packedNumber(in.u32(6)), style))
	case biffManyRK:
		for at := 4; at+6 <= len(in.data)-2; at += 6 {
			r.put(column, r.number(packedNumber(in.u32(at+2)), in.u16(at)))
			column++
		}
	case biffTextLabel:
		if i := in.u32(6); int64(i) < int64(len(r.book.strings)) {
			r.put(column, r.book.strings[i])
		}
	case biffLabel, biffRichLabel:
		text, err := (&biffText{reader: in, at: 6}).long()
		if err != nil {
			return err
		}
		r.put(column, text)
	case biffTruth:
		r.truth(column)
	case biffFormula:
		r.formula(column, style)
	}
	return nil
}

// forget counts a formula whose text did not come.
func (r *oldRows) forget() {
	if r.pending >= 0 {
		r.unknown++
	}
	r.pending = -1
}

// truth reads a truth value or an error.
func (r *oldRows) truth(column int) {
	switch {
	case len(r.in.data) < 8:
	case r.in.data[7] != 0:
		r.errors++
	default:
		r.put(column, strconv.FormatBool(r.in.data[6] != 0))
	}
}

// formula reads the value that was stored with a formula.
func (r *oldRows) formula(column, style int) {
	if len(r.in.data) < 14 {
		return
	}
	result := r.in.data[6:14]
	if binary.LittleEndian.Uint16(result[6:]) != 0xffff {
		r.put(column, r.number(math.Float64frombits(binary.LittleEndian.Uint64(result)), style))
		return
	}
	switch result[0] {
	case 0:
		r.pending = column
	case 1:
		r.put(column, strconv.FormatBool(result[2] != 0))
	case 2:
		r.errors++
	}
}

// put writes a cell into its place in the row.
func (r *oldRows) put(column int, text string) {
	if column >= MaxCells || text == "" {
		return
	}
	for len(r.cells) <= column {
		r.cells = append(r.cells, "")
	}
	r.cells[column] = text
}

// number writes a number as its style shows it.
func (r *oldRows) number(f float64, style int) string {
	text := excelNumber(strconv.FormatFloat(f, 'g', -1, 64))
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return ""
	case style >= len(r.book.dates):
		return text
	case r.book.dates[style] != notDate:
		return r.book.date(f, r.book.dates[style])
	}
	return r.book.shown[style].write(text)
}

// packedNumber reads a number that is packed into four bytes.
func packedNumber(rk uint32) (f float64) {
	if rk&2 != 0 {
		f = float64(int32(rk) >> 2)
	} else {
		f = math.Float64frombits(uint64(rk&^3) << 32)
	}
	if rk&1 != 0 {
		f /= 100
	}
	return f
}

// merged finds the merged areas that begin in a row of the sheet, counted from 1.
func (w *oldWorkbook) merged(sheet int, row int64) (found []area, err error) {
	r, depth := w.records(w.starts[sheet]), 0
	for {
		if err := r.next(); err != nil {
			return nil, damaged("workbook", err)
		}
		switch r.kind {
		case biffBegin:
			depth++
		case biffEOF:
			if depth--; depth <= 0 {
				return found, nil
			}
		case biffMerged:
			found = r.mergedAt(row, found)
		}
	}
}

// mergedAt adds the merged areas of a record that begin in a row.
func (r *biffReader) mergedAt(row int64, found []area) []area {
	for at := 2; at+8 <= len(r.data) && len(found) < MaxCells; at += 8 {
		a := area{top: r.u16(at), bottom: r.u16(at + 2), left: r.u16(at + 4), right: r.u16(at + 6)}
		if int64(a.top)+1 == row && a.right < MaxCells && a.left <= a.right {
			found = append(found, a)
		}
	}
	return found
}
