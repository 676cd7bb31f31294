package format

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path"
	"strconv"
	"strings"
)

// maxStrings bounds the texts that a workbook keeps in one list for all sheets.
const maxStrings = 256 << 20

// maxRelations bounds the parts that a workbook names.
const maxRelations = 10_000

// workbook is what the sheets of an Excel file share.
type workbook struct {
	file     string
	size     int64
	sheets   []sheet
	strings  []string
	dates    []dateStyle // by number of a cell's style
	shown    []shown     // likewise
	from1904 bool
	budget   *budget
}

type sheet struct {
	name, part string
	size       int64 // unpacked
}

func excelTables(file string, o Options) ([]Table, error) {
	w, err := openWorkbook(file)
	if err != nil {
		return nil, err
	}
	book := book{kind: "XLSX", size: w.size}
	for _, s := range w.sheets {
		book.sheets = append(book.sheets, bookSheet{
			name:   s.name,
			small:  s.size <= smallSheet,
			open:   func() (sheetRows, error) { return w.rows(s) },
			merged: func(row int64) ([]area, error) { return w.merged(s, row) },
		})
	}
	return book.tables(o)
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
	if err := checkUnpacked(&z.Reader, info.Size()); err != nil {
		return nil, err
	}
	w := &workbook{file: file, size: info.Size(), budget: sheetBudget(info.Size())}
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
	sizes := map[string]int64{}
	for _, f := range z.File {
		sizes[f.Name] = int64(f.UncompressedSize64)
	}
	for i := range w.sheets {
		w.sheets[i].size = sizes[w.sheets[i].part]
	}
	return w, nil
}

// room is how many bytes a part of the workbook may unpack to.
func (w *workbook) room() int64 { return UnpackedLimit(w.size) }

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
		if len(parts) > maxRelations {
			return refuse("the workbook is made of more than %d parts", maxRelations)
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
			if !strings.Contains(part, "worksheets/") {
				return nil
			}
			if w.sheets = append(w.sheets, sheet{name: attribute(e, "name"), part: part}); len(w.sheets) > MaxTables {
				return errTables
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

// sharedString returns the text with a number.
func (w *workbook) sharedString(number string) string {
	i, err := strconv.Atoi(strings.TrimSpace(number))
	if err != nil || i < 0 || i >= len(w.strings) {
		return ""
	}
	return w.strings[i]
}
