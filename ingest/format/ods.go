package format

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// odsTables gives the sheets of an OpenDocument spreadsheet.
func odsTables(file string, o Options) ([]Table, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if err := odsLocked(file); err != nil {
		return nil, err
	}
	names, err := odsSheets(file, info.Size())
	if err != nil {
		return nil, err
	}
	book := book{kind: "ODS", size: info.Size()}
	for i, name := range names {
		book.sheets = append(book.sheets, bookSheet{
			name:   name,
			open:   func() (sheetRows, error) { return openODS(file, info.Size(), i) },
			merged: func(row int64) ([]area, error) { return odsMerged(file, info.Size(), i, row) },
		})
	}
	return book.tables(o)
}

// odsLocked refuses documents whose parts are encrypted.
func odsLocked(file string) error {
	z, err := zip.OpenReader(file)
	if err != nil {
		return damaged("spreadsheet", err)
	}
	defer z.Close()
	manifest, err := z.Open("META-INF/manifest.xml")
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return damaged("spreadsheet", err)
	}
	defer manifest.Close()
	text, err := io.ReadAll(io.LimitReader(manifest, 1<<20))
	if bytes.Contains(text, []byte("encryption-data")) {
		return refuse("the document is encrypted; save it without a password")
	}
	return damaged("spreadsheet", err)
}

// odsContent is the part that holds all sheets.
type odsContent struct {
	file *zip.ReadCloser
	part io.ReadCloser
	in   *xml.Decoder
	room int64 // bytes of cells that may still come
}

func openContent(file string, size int64) (*odsContent, error) {
	z, err := zip.OpenReader(file)
	if err != nil {
		return nil, damaged("spreadsheet", err)
	}
	part, err := z.Open("content.xml")
	if err != nil {
		return nil, errors.Join(damaged("spreadsheet", err), z.Close())
	}
	room := max(freeBytes, maxRatio*size)
	return &odsContent{file: z, part: part, room: room, in: xml.NewDecoder(bufio.NewReaderSize(&roomReader{part, room}, 64<<10))}, nil
}

// Close frees the file.
func (c *odsContent) Close() error { return errors.Join(c.part.Close(), c.file.Close()) }

// sheet moves to the beginning of the next sheet and gives its name, io.EOF
// behind the last.
func (c *odsContent) sheet() (string, error) {
	depth := 0
	for {
		token, err := c.in.RawToken()
		if errors.Is(err, io.EOF) {
			return "", io.EOF
		}
		if err != nil {
			return "", damaged("spreadsheet", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if odsElement(t.Name, "table") && depth == 0 {
				return attribute(t, "name"), nil
			}
			if odsElement(t.Name, "table") {
				depth++
			}
		case xml.EndElement:
			if odsElement(t.Name, "table") && depth > 0 {
				depth--
			}
		}
	}
}

// odsElement reports whether a name is one of the tables' own: others, of
// drawings and text, end alike.
func odsElement(name xml.Name, local string) bool {
	return name.Local == local && name.Space == "table"
}

func odsSheets(file string, size int64) (names []string, err error) {
	c, err := openContent(file, size)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.Close() }()
	for {
		name, err := c.sheet()
		if errors.Is(err, io.EOF) {
			return names, nil
		}
		if err != nil {
			return nil, err
		}
		if names = append(names, name); len(names) > maxEntries {
			return nil, refuse("the workbook holds more than %d sheets", maxEntries)
		}
	}
}

// odsRows reads the rows of one sheet.
type odsRows struct {
	*odsContent
	cells  []string
	again  int // times that the row comes again
	number int64
	errors int64
	merged []area // of the row that was read last
	text   strings.Builder
}

func openODS(file string, size int64, sheet int) (*odsRows, error) {
	c, err := openContent(file, size)
	if err != nil {
		return nil, err
	}
	for range sheet + 1 {
		if _, err := c.sheet(); err != nil {
			return nil, errors.Join(damaged("spreadsheet", unexpected(err)), c.Close())
		}
	}
	return &odsRows{odsContent: c}, nil
}

func (r *odsRows) wide() int     { return 0 }
func (r *odsRows) faults() int64 { return r.errors }

// next gives the next row that holds something. A row that is written once and
// stands for many comes as many times.
func (r *odsRows) next() ([]string, int64, error) {
	for {
		if r.again > 0 {
			r.again--
			r.number++
			return r.cells, r.number, r.charge()
		}
		token, err := r.in.RawToken()
		if err != nil {
			return nil, 0, damaged("spreadsheet", unexpected(err))
		}
		switch t := token.(type) {
		case xml.EndElement:
			if odsElement(t.Name, "table") {
				return nil, 0, io.EOF
			}
		case xml.StartElement:
			if !odsElement(t.Name, "table-row") {
				continue
			}
			if err := r.row(t); err != nil {
				return nil, 0, damaged("spreadsheet", unexpected(err))
			}
		}
	}
}

// charge counts what a row holds against what the file may unpack to.
func (r *odsRows) charge() error {
	for _, cell := range r.cells {
		r.room -= int64(len(cell)) + 1
	}
	if r.room < 0 {
		return errExplodes
	}
	return nil
}

// row reads the cells of a row. One that holds nothing is passed over.
func (r *odsRows) row(e xml.StartElement) error {
	r.cells, r.merged = r.cells[:0], r.merged[:0]
	times := repeatCount(e, "number-rows-repeated")
	for {
		token, err := r.in.RawToken()
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if odsElement(t.Name, "table-cell") || odsElement(t.Name, "covered-table-cell") {
				err = r.cell(t)
			}
		case xml.EndElement:
			if odsElement(t.Name, "table-row") {
				r.endRow(times)
				return nil
			}
		}
		if err != nil {
			return err
		}
	}
}

// endRow decides how often a row comes: not at all when it holds nothing.
func (r *odsRows) endRow(times int) {
	if filled(r.cells) == 0 {
		r.number += int64(times)
		return
	}
	r.again = times
}

// maxRows is how many rows a sheet can have.
const maxRows = 1 << 20

// repeatCount reads how often a row or cell stands for itself.
func repeatCount(e xml.StartElement, name string) int {
	n, err := strconv.Atoi(attribute(e, name))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, maxRows)
}

// cell reads a cell into its places in the row.
func (r *odsRows) cell(e xml.StartElement) error {
	column, times := len(r.cells), repeatCount(e, "number-columns-repeated")
	text, failed, err := r.content(e)
	if err != nil {
		return err
	}
	value := odsValue(e, text)
	if failed {
		value = ""
	}
	if wide, high := repeatCount(e, "number-columns-spanned"), repeatCount(e, "number-rows-spanned"); wide > 1 || high > 1 {
		row := int(r.number)
		r.merged = append(r.merged, area{column, row, min(column+wide, maxSheetColumns) - 1, row + high - 1})
	}
	for range min(times, maxSheetColumns-min(column, maxSheetColumns)) {
		r.cells = append(r.cells, value)
	}
	return nil
}

// content reads up to the end of a cell and gives the text in it, without that
// of its comments and drawings.
func (r *odsRows) content(e xml.StartElement) (text string, failed bool, err error) {
	if failed = attributeIn(e, "calcext", "value-type") == "error"; failed {
		r.errors++
	}
	r.text.Reset()
	paragraphs, aside := 0, 0
	for {
		token, err := r.in.RawToken()
		if err != nil {
			return "", failed, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if aside > 0 || t.Name.Local == "annotation" || t.Name.Space == "draw" {
				aside++
				continue
			}
			if t.Name.Local == "p" {
				paragraphs++
			}
			r.mark(t, paragraphs)
		case xml.CharData:
			if paragraphs > 0 && aside == 0 {
				r.text.Write(t)
			}
		case xml.EndElement:
			switch {
			case aside > 0:
				aside--
			case odsElement(t.Name, "table-cell"), odsElement(t.Name, "covered-table-cell"):
				return r.text.String(), failed, nil
			}
		}
	}
}

// mark writes the characters that are written as elements.
func (r *odsRows) mark(e xml.StartElement, paragraphs int) {
	switch e.Name.Local {
	case "p":
		if paragraphs > 1 {
			r.text.WriteByte('\n')
		}
	case "s":
		n, err := strconv.Atoi(attribute(e, "c"))
		if err != nil {
			n = 1
		}
		r.text.WriteString(strings.Repeat(" ", max(0, min(n, 1000))))
	case "tab":
		r.text.WriteByte('\t')
	case "line-break":
		r.text.WriteByte('\n')
	}
}

// odsValue gives what a cell holds rather than what it shows: numbers with all
// digits, dates in the one form.
func odsValue(e xml.StartElement, shown string) string {
	switch attributeIn(e, "office", "value-type") {
	case "float", "percentage", "currency":
		return excelNumber(attributeIn(e, "office", "value"))
	case "boolean":
		return attributeIn(e, "office", "boolean-value")
	case "date":
		value := attributeIn(e, "office", "date-value")
		if day, ok := strings.CutSuffix(value, "T00:00:00"); ok {
			return day
		}
		return value
	case "time":
		return odsClock(attributeIn(e, "office", "time-value"), shown)
	case "string":
		if value := attributeIn(e, "office", "string-value"); value != "" {
			return value
		}
	}
	return shown
}

// odsClock writes a duration such as PT12H30M00S as a time of day, where it is
// one.
func odsClock(value, shown string) string {
	d, err := time.ParseDuration(strings.ToLower(strings.TrimPrefix(value, "PT")))
	if err != nil || d < 0 || d >= 24*time.Hour {
		return shown
	}
	return time.Time{}.Add(d).Format("15:04:05.999")
}

func attributeIn(e xml.StartElement, space, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == space {
			return a.Value
		}
	}
	return ""
}

// odsMerged finds the merged areas that begin in a row.
func odsMerged(file string, size int64, sheet int, row int64) ([]area, error) {
	r, err := openODS(file, size, sheet)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	for {
		_, number, err := r.next()
		if errors.Is(err, io.EOF) || err == nil && number > row {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if number == row {
			return r.merged, nil
		}
	}
}
