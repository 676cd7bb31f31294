package format

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// documentTables gives the tables of a text document, and behind them its
// paragraphs, a row each.
func documentTables(path string, o Options) ([]Table, error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, damaged("document", err)
	}
	defer z.Close()
	in, err := z.Open("word/document.xml")
	if err != nil {
		return nil, damaged("document", err)
	}
	defer in.Close()
	d := document{in: xml.NewDecoder(io.LimitReader(in, maxDocument+1))}
	if err := d.read(); err != nil {
		return nil, err
	}
	var tables []Table
	for i, rows := range d.tables {
		tables = append(tables, memoryTable(tableName(i+1), "DOCX", rows, o))
	}
	if len(d.paragraphs) > 0 {
		tables = append(tables, memoryNamed("text", "DOCX, a row for every paragraph", append([][]string{{"text"}}, d.paragraphs...), true))
	}
	if len(tables) == 0 {
		return nil, refuse("the document holds no text")
	}
	return tables, nil
}

// document collects the tables and paragraphs of a document's body.
type document struct {
	in         *xml.Decoder
	tables     [][][]string
	paragraphs [][]string
	open       []*[][]string // tables around the place that is being read
	text       strings.Builder
	inText     bool
}

func (d *document) read() error {
	for {
		token, err := d.in.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return refuse("the document is damaged or larger than %d MiB", maxDocument>>20).Because(err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			d.begin(t)
		case xml.EndElement:
			d.end(t.Name.Local)
		case xml.CharData:
			if d.inText {
				d.text.Write(t)
			}
		}
	}
}

func (d *document) begin(t xml.StartElement) {
	switch t.Name.Local {
	case "tbl":
		d.open = append(d.open, &[][]string{})
	case "tr":
		if n := len(d.open); n > 0 {
			*d.open[n-1] = append(*d.open[n-1], nil)
		}
	case "tc":
		d.text.Reset()
	case "t":
		d.inText = true
	case "tab", "br", "cr":
		d.text.WriteByte(' ')
	}
}

func (d *document) end(name string) {
	switch name {
	case "t":
		d.inText = false
	case "tc":
		d.cell()
	case "p":
		d.paragraph()
	case "tbl":
		n := len(d.open)
		if n == 0 {
			return
		}
		if rows := *d.open[n-1]; len(rows) > 0 {
			d.tables = append(d.tables, rows)
		}
		d.open = d.open[:n-1]
		d.text.Reset()
	}
}

// cell ends a cell of the innermost table.
func (d *document) cell() {
	text := strings.Join(strings.Fields(d.text.String()), " ")
	d.text.Reset()
	if n := len(d.open); n > 0 && len(*d.open[n-1]) > 0 {
		rows := *d.open[n-1]
		rows[len(rows)-1] = append(rows[len(rows)-1], text)
	}
}

// paragraph ends a paragraph, which inside of a table belongs to its cell.
func (d *document) paragraph() {
	if len(d.open) > 0 {
		d.text.WriteByte(' ')
		return
	}
	if text := strings.TrimSpace(d.text.String()); text != "" {
		d.paragraphs = append(d.paragraphs, []string{text})
	}
	d.text.Reset()
}
