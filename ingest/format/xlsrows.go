package format

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"strconv"
)

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
