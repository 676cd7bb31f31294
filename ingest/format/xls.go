package format

import (
	"errors"
	"io"
	"os"

	"github.com/richardlehane/mscfb"
)

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
