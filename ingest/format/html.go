package format

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func looksLikeHTML(text []byte) bool {
	head := bytes.ToLower(text[:min(len(text), 4096)])
	for _, tag := range []string{"<!doctype html", "<html", "<table", "<body", "<head"} {
		if bytes.Contains(head, []byte(tag)) {
			return true
		}
	}
	return false
}

// maxPage is the most bytes of a page.
const maxPage = 16 << 20

// htmlTables returns the tables of a page. The page is read as tags and text,
// never as a tree: a page of a few bytes can ask for a tree of any size.
func htmlTables(path string, o Options) ([]Table, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxPage {
		return nil, refuse("the page is larger than %d MiB", maxPage>>20)
	}
	in, file, err := OpenText(path, o.Watch)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p := page{in: html.NewTokenizer(in), collector: collector{budget: heldBudget("page")}}
	p.in.SetMaxBuf(maxPage)
	if err := p.read(); err != nil {
		return nil, err
	}
	found, err := p.finish()
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, refuse("the page holds no table")
	}
	return pageTables(found, o), nil
}

// pageTables makes the tables of a page. Those without rows, such as a bar of links, are left out beside others.
func pageTables(found []*collected, o Options) (tables []Table) {
	isEmpty := func(t *collected) bool { return o.Header == nil && t.isEmpty() }
	full := slices.DeleteFunc(slices.Clone(found), isEmpty)
	if len(full) == 0 {
		full = found
	}
	titles := make([]string, len(full))
	for i, t := range full {
		titles[i] = t.title
	}
	for i, name := range tableNames(titles) {
		tables = append(tables, full[i].table(name, "HTML", o))
	}
	if n := len(found) - len(full); n > 0 {
		tables[0] = tables[0].noted(countedNote(n, "table without rows was left out", "tables without rows were left out"))
	}
	return tables
}

// page reads the tables of a page. Tags that may be left out are taken as
// written: a cell ends where the next begins, a row where its table does.
type page struct {
	collector
	in     *html.Tokenizer
	cells  []pageCell       // open cells, one for each open table at most
	hidden bool             // the text is that of a script or style
	title  string           // the last heading outside of tables, until a table has it
	words  *strings.Builder // of the heading or caption that is being read
}

// pageCell is a cell that is being read. Its table is the innermost one when it
// begins; tables inside of it have cells of their own.
type pageCell struct {
	depth   int // of open tables around it
	heading bool
	span    cellSpan
	text    strings.Builder
}

func (p *page) read() error {
	for {
		switch p.in.Next() {
		case html.ErrorToken:
			if err := p.in.Err(); !errors.Is(err, io.EOF) {
				return refuse("the page cannot be read").Because(err)
			}
			return p.endCells(0)
		case html.TextToken:
			switch c := p.cell(); {
			case p.hidden:
			case c != nil:
				c.text.Write(p.in.Text())
			case p.words != nil && p.words.Len() < maxTitle:
				p.words.Write(p.in.Text())
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			if err := p.begin(); err != nil {
				return err
			}
		case html.EndTagToken:
			if err := p.end(); err != nil {
				return err
			}
		}
	}
}

// cell returns the open cell of the innermost table, nil where there is none.
func (p *page) cell() *pageCell {
	n := len(p.cells)
	if n == 0 || p.cells[n-1].depth != len(p.open) {
		return nil
	}
	return &p.cells[n-1]
}

func (p *page) begin() error {
	name, attributes := p.in.TagName()
	switch tag := atom.Lookup(name); tag {
	case atom.Table:
		return p.beginTitled()
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Caption:
		p.words = &strings.Builder{}
	case atom.Tr:
		if err := p.endCell(); err != nil {
			return err
		}
		return p.beginRow()
	case atom.Td, atom.Th:
		if err := p.endCell(); err != nil || len(p.open) == 0 {
			return err
		}
		p.cells = append(p.cells, pageCell{depth: len(p.open), heading: tag == atom.Th, span: p.span(attributes)})
	case atom.Script, atom.Style:
		p.hidden = true
	case atom.Br, atom.P, atom.Div, atom.Li:
		if c := p.cell(); c != nil {
			c.text.WriteByte(' ')
		}
	}
	return nil
}

func (p *page) end() error {
	name, _ := p.in.TagName()
	switch atom.Lookup(name) {
	case atom.Table:
		if err := p.endCells(len(p.open)); err != nil {
			return err
		}
		return p.endTable()
	case atom.Tr:
		if err := p.endCell(); err != nil {
			return err
		}
		return p.endRow()
	case atom.Td, atom.Th:
		return p.endCell()
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Caption:
		p.endTitle()
	case atom.Script, atom.Style:
		p.hidden = false
	}
	return nil
}

// maxTitle is how much of a heading is read, in bytes.
const maxTitle = 1000

// beginTitled opens a table, which is called as the heading above it.
func (p *page) beginTitled() error {
	outermost := len(p.open) == 0
	if err := p.beginTable(); err != nil || !outermost {
		return err
	}
	p.current().title, p.title, p.words = p.title, "", nil
	return nil
}

// endTitle keeps the heading or caption that was read.
func (p *page) endTitle() {
	if p.words == nil {
		return
	}
	text := strings.Join(strings.Fields(p.words.String()), " ")
	p.words = nil
	if t := p.current(); t == nil {
		p.title = text
	} else if text != "" && p.cell() == nil {
		t.title = text
	}
}

// endCell adds the open cell of the innermost table to its row.
func (p *page) endCell() error {
	c := p.cell()
	if c == nil {
		return nil
	}
	text := strings.Join(strings.Fields(c.text.String()), " ")
	heading, span := c.heading, c.span
	p.cells = p.cells[:len(p.cells)-1]
	return p.collector.cell(text, heading, span)
}

// endCells ends the open cells and tables that stand at least so deep.
func (p *page) endCells(depth int) error {
	for len(p.cells) > 0 && p.cells[len(p.cells)-1].depth >= max(depth, 1) {
		for len(p.open) > p.cells[len(p.cells)-1].depth {
			if err := p.endTable(); err != nil {
				return err
			}
		}
		if err := p.endCell(); err != nil {
			return err
		}
	}
	return nil
}

// span reads how many columns and rows the cell takes up that is being begun,
// within the limits of HTML.
func (p *page) span(attributes bool) cellSpan {
	span := cellSpan{1, 1}
	for attributes {
		var key, value []byte
		key, value, attributes = p.in.TagAttr()
		n, _ := strconv.Atoi(leadingDigits(strings.TrimSpace(string(value)))) // the largest there is for one too large
		if n < 1 {
			continue
		}
		switch string(key) {
		case "colspan":
			span.columns = min(n, 1000)
		case "rowspan":
			span.rows = min(n, 65534)
		}
	}
	return span
}

func leadingDigits(text string) string {
	for i, r := range text {
		if r < '0' || r > '9' {
			return text[:i]
		}
	}
	return text
}
