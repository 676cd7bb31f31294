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

// odsTables returns the sheets of an OpenDocument spreadsheet.
func odsTables(file string, o Options) ([]Table, error) {
	if err := odsLocked(file); err != nil {
		return nil, err
	}
	content, err := unpackContent(file, o.Dir)
	if err != nil {
		return nil, err
	}
	sheets, err := content.sheets()
	if err != nil {
		return nil, err
	}
	book := book{kind: "ODS", size: content.packed}
	for _, s := range sheets {
		book.sheets = append(book.sheets, bookSheet{
			name:   s.name,
			small:  content.size <= smallSheet,
			open:   func() (sheetRows, error) { return content.open(s), nil },
			merged: func(row int64) ([]area, error) { return odsMerged(content.open(s), row) },
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

// odsContent is the part that holds all sheets, unpacked, so that the reading of
// a sheet begins with that sheet.
type odsContent struct {
	file         *os.File // has no name any more; it goes with the last reader
	size, packed int64
	budget       *budget
}

func unpackContent(file, dir string) (*odsContent, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	z, err := zip.OpenReader(file)
	if err != nil {
		return nil, damaged("spreadsheet", err)
	}
	defer z.Close()
	if err := checkUnpacked(&z.Reader, info.Size()); err != nil {
		return nil, err
	}
	part, err := z.Open("content.xml")
	if err != nil {
		return nil, damaged("spreadsheet", err)
	}
	defer part.Close()
	to, err := os.CreateTemp(dir, "content-*.xml")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(to.Name()); err != nil {
		return nil, errors.Join(err, to.Close())
	}
	n, err := io.Copy(to, &roomReader{part, UnpackedLimit(info.Size())})
	if err != nil {
		return nil, errors.Join(damaged("spreadsheet", err), to.Close())
	}
	return &odsContent{file: to, size: n, packed: info.Size(), budget: sheetBudget(info.Size())}, nil
}

// decoder reads the content from a place on.
func (c *odsContent) decoder(from int64) *xml.Decoder {
	return xml.NewDecoder(bufio.NewReaderSize(io.NewSectionReader(c.file, from, c.size-from), 64<<10))
}

// odsSheet is a sheet and where its rows begin.
type odsSheet struct {
	name string
	from int64
}

// sheets finds the sheets of the document. Tables inside of sheets are none.
func (c *odsContent) sheets() (sheets []odsSheet, err error) {
	in, depth := c.decoder(0), 0
	for {
		token, err := in.RawToken()
		if errors.Is(err, io.EOF) {
			return sheets, nil
		}
		if err != nil {
			return nil, damaged("spreadsheet", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if !odsElement(t.Name, "table") {
				continue
			}
			if depth++; depth > 1 {
				continue
			}
			if sheets = append(sheets, odsSheet{attribute(t, "name"), in.InputOffset()}); len(sheets) > MaxTables {
				return nil, errTables
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

// odsRows reads the rows of one sheet.
type odsRows struct {
	in      *xml.Decoder
	budget  *budget
	cells   []string
	gap     int // empty cells behind them, made only when another follows
	again   int // times that the row comes again
	number  int64
	errors  int64
	unknown int64  // formulas without a stored value
	merged  []area // of the row that was read last
	text    strings.Builder
}

func (c *odsContent) open(s odsSheet) *odsRows {
	return &odsRows{in: c.decoder(s.from), budget: c.budget}
}

// Close does nothing: the file is shared by all sheets.
func (r *odsRows) Close() error { return nil }

func (r *odsRows) wide() int                       { return 0 }
func (r *odsRows) faults() (errors, unknown int64) { return r.errors, r.unknown }

// next returns the next row that holds something. A row that is written once and
// stands for many comes as many times.
func (r *odsRows) next() ([]string, int64, error) {
	for {
		if r.again > 0 {
			r.again--
			r.number++
			return r.cells, r.number, r.budget.takeRow(r.cells)
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

// row reads the cells of a row. One that holds nothing is passed over.
func (r *odsRows) row(e xml.StartElement) error {
	r.cells, r.gap, r.merged = r.cells[:0], 0, r.merged[:0]
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
				return r.endRow(times)
			}
		}
		if err != nil {
			return err
		}
	}
}

// endRow decides how often a row comes: not at all when it holds nothing.
func (r *odsRows) endRow(times int) error {
	if filled(r.cells) == 0 {
		r.number += int64(times)
		return r.budget.takeRow(r.cells)
	}
	r.again = times
	return nil
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
	column, times := len(r.cells)+r.gap, repeatCount(e, "number-columns-repeated")
	text, failed, err := r.content(e)
	if err != nil {
		return err
	}
	value := odsValue(e, text)
	if failed {
		value = ""
	}
	if value == "" && !failed && attributeIn(e, "table", "formula") != "" && attributeIn(e, "office", "value-type") == "" {
		r.unknown++
	}
	wide, high := repeatCount(e, "number-columns-spanned"), repeatCount(e, "number-rows-spanned")
	merged := wide > 1 || high > 1
	if column < MaxCells && merged {
		row := int(r.number)
		r.merged = append(r.merged, area{column, row, min(column+wide, MaxCells) - 1, row + high - 1})
	}
	if times = min(times, MaxCells-min(column, MaxCells)); value == "" {
		r.gap += times
		return nil
	}
	r.cells, r.gap = append(r.cells, make([]string, r.gap)...), 0
	for range times {
		r.cells = append(r.cells, value)
	}
	return nil
}

// content reads up to the end of a cell and returns the text in it, without that
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
			if r.text.Len() > MaxRecord {
				return "", failed, refuse("a cell is longer than %d MiB", MaxRecord>>20)
			}
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

// odsValue returns what a cell holds rather than what it shows: numbers with all
// digits, dates in the one form.
func odsValue(e xml.StartElement, text string) string {
	switch attributeIn(e, "office", "value-type") {
	case "float":
		return excelNumber(attributeIn(e, "office", "value"))
	case "percentage":
		return shown{percent: true}.write(excelNumber(attributeIn(e, "office", "value")))
	case "currency":
		var s shown
		s.keep(attributeIn(e, "office", "currency"))
		return s.write(excelNumber(attributeIn(e, "office", "value")))
	case "boolean":
		return attributeIn(e, "office", "boolean-value")
	case "date":
		value := attributeIn(e, "office", "date-value")
		if day, ok := strings.CutSuffix(value, "T00:00:00"); ok {
			return day
		}
		return value
	case "time":
		return odsClock(attributeIn(e, "office", "time-value"), text)
	case "string":
		if value := attributeIn(e, "office", "string-value"); value != "" {
			return value
		}
	}
	return text
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
func odsMerged(r *odsRows, row int64) ([]area, error) {
	for {
		_, number, err := r.next()
		passed := err == nil && number > row
		if passed || errors.Is(err, io.EOF) {
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
