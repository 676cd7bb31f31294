package format

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// documentTables returns the tables of a text document, and behind them its
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
	d := document{in: xml.NewDecoder(io.LimitReader(in, maxDocument+1)), collector: collector{budget: heldBudget("document")}}
	if err := d.read(); err != nil {
		return nil, err
	}
	found, err := d.finish()
	if err != nil {
		return nil, err
	}
	var tables []Table
	for i, t := range found {
		tables = append(tables, memoryTable(tableName(i+1), "DOCX", t.rows, o))
	}
	if len(d.paragraphs) > 0 {
		rows := append([][]string{{"text"}}, d.paragraphs...)
		tables = append(tables, memoryNamed("text", "DOCX, a row for every paragraph", rows, true))
	}
	if len(tables) == 0 {
		return nil, refuse("the document holds no text")
	}
	return tables, nil
}

// document collects the tables and paragraphs of a document's body.
type document struct {
	collector
	in         *xml.Decoder
	paragraphs [][]string
	texts      [maxNested + 1]strings.Builder // by how many tables are open: what is being read there
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
			err = d.begin(t)
		case xml.EndElement:
			err = d.end(t.Name.Local)
		case xml.CharData:
			if d.inText {
				d.text().Write(t)
			}
		}
		if err != nil {
			return err
		}
	}
}

// text is what is being read in the innermost open table, or outside of tables.
func (d *document) text() *strings.Builder { return &d.texts[len(d.open)] }

func (d *document) begin(t xml.StartElement) error {
	switch t.Name.Local {
	case "tbl":
		if err := d.beginTable(); err != nil {
			return err
		}
		d.text().Reset()
	case "tr":
		return d.beginRow()
	case "tc":
		d.text().Reset()
	case "t":
		d.inText = true
	case "tab", "br", "cr":
		d.text().WriteByte(' ')
	}
	return nil
}

func (d *document) end(name string) error {
	switch name {
	case "t":
		d.inText = false
	case "tc":
		text := strings.Join(strings.Fields(d.text().String()), " ")
		d.text().Reset()
		return d.cell(text, false, cellSpan{1, 1})
	case "tr":
		return d.endRow()
	case "p":
		return d.endParagraph()
	case "tbl":
		return d.endTable()
	}
	return nil
}

// endParagraph ends a paragraph, which inside of a table belongs to its cell.
func (d *document) endParagraph() error {
	if len(d.open) > 0 {
		d.text().WriteByte(' ')
		return nil
	}
	text := strings.TrimSpace(d.text().String())
	d.text().Reset()
	if text == "" {
		return nil
	}
	d.paragraphs = append(d.paragraphs, []string{text})
	return d.budget.take(text, 1)
}
