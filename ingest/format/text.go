package format

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// textTables gives plain text as one column, a row for every line that is not
// empty.
func textTables(path string, o Options) ([]Table, error) {
	c, err := charsetOf(path)
	if err != nil {
		return nil, err
	}
	sample, err := textSample(path, c)
	if err != nil {
		return nil, err
	}
	d := Dialect{CarriageReturns: bytes.IndexByte(sample, '\n') < 0 && bytes.IndexByte(sample, '\r') >= 0}
	return []Table{{Detail: c.name + ", a row for every line", open: func() (Reader, error) {
		in, file, err := openText(path, c, o)
		if err != nil {
			return nil, err
		}
		return &lines{records: newRecords(in, d), file: file}, nil
	}}}, nil
}

// lines reads plain text line by line.
type lines struct {
	records *records
	file    io.Closer
	row     int64
}

func (l *lines) Header() []string { return []string{"text"} }
func (l *lines) Notes() []string  { return nil }
func (l *lines) Close() error     { return l.file.Close() }

// Next reads a line that holds something.
func (l *lines) Next() (Record, error) {
	for {
		cells, line, err := l.records.next()
		if err != nil {
			return Record{}, err
		}
		if len(bytes.TrimSpace(cells[0].Text)) == 0 {
			continue
		}
		l.row++
		if !utf8.Valid(cells[0].Text) {
			return Record{}, &Fault{Line: line, Row: l.row, Reason: "is not text in UTF-8", Text: clip(cells[0].Text)}
		}
		return Record{Cells: cells, Row: l.row, Line: line}, nil
	}
}

func looksLikeHTML(text []byte) bool {
	head := bytes.ToLower(text[:min(len(text), 4096)])
	for _, tag := range []string{"<!doctype html", "<html", "<table", "<body", "<head"} {
		if bytes.Contains(head, []byte(tag)) {
			return true
		}
	}
	return false
}

// maxPage is the most bytes of a page; as a tree it takes many times as much.
const maxPage = 16 << 20

// htmlTables finds the tables of a page. Tables inside of tables are tables of
// their own, and the cells around them hold no text of theirs.
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
	root, err := html.Parse(in)
	if err != nil {
		return nil, refuse("the page cannot be read").Because(err)
	}
	var tables []Table
	for n := range root.Descendants() {
		if n.DataAtom != atom.Table {
			continue
		}
		rows, named := tableRows(n)
		if len(rows) == 0 {
			continue
		}
		member := tableName(len(tables) + 1)
		if o.Header == nil && named {
			tables = append(tables, memoryNamed(member, "HTML", rows, true))
		} else {
			tables = append(tables, memoryTable(member, "HTML", rows, o))
		}
	}
	if len(tables) == 0 {
		return nil, refuse("the page holds no table")
	}
	return tables, nil
}

// tableRows gives the cells of a table, spanning ones repeated, and whether its
// first row consists of headings.
func tableRows(table *html.Node) (rows [][]string, named bool) {
	down := map[int]spanning{}
	for n := range table.Descendants() {
		if n.DataAtom != atom.Tr || owner(n) != table {
			continue
		}
		row, headings := tableRow(n, down)
		if len(row) == 0 {
			continue
		}
		if len(rows) == 0 {
			named = headings
		}
		rows = append(rows, row)
	}
	return rows, named
}

// spanning is a cell that reaches into rows below.
type spanning struct {
	text string
	rows int
}

func tableRow(tr *html.Node, down map[int]spanning) (row []string, headings bool) {
	headings = true
	fill := func() {
		for s, ok := down[len(row)]; ok && s.rows > 0; s, ok = down[len(row)] {
			down[len(row)] = spanning{s.text, s.rows - 1}
			row = append(row, s.text)
		}
	}
	for c := range tr.ChildNodes() {
		if c.DataAtom != atom.Td && c.DataAtom != atom.Th {
			continue
		}
		fill()
		headings = headings && c.DataAtom == atom.Th
		text, wide, high := cellText(c), span(c, "colspan"), span(c, "rowspan")
		for range wide {
			if high > 1 {
				down[len(row)] = spanning{text, high - 1}
			}
			row = append(row, text)
		}
	}
	fill()
	return row, headings && len(row) > 0
}

func owner(n *html.Node) *html.Node {
	for p := range n.Ancestors() {
		if p.DataAtom == atom.Table {
			return p
		}
	}
	return nil
}

func span(n *html.Node, name string) int {
	const most = 1000
	for _, a := range n.Attr {
		if a.Key == name {
			var v int
			if _, err := fmt.Sscanf(a.Val, "%d", &v); err == nil {
				return min(max(v, 1), most)
			}
		}
	}
	return 1
}

// cellText gives the text of a cell, without that of tables inside of it.
func cellText(cell *html.Node) string {
	var b strings.Builder
	for n := range cell.Descendants() {
		switch {
		case n.Type == html.TextNode && !insideTable(n, cell):
			b.WriteString(n.Data)
		case n.DataAtom == atom.Br || n.DataAtom == atom.P || n.DataAtom == atom.Div || n.DataAtom == atom.Li:
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func insideTable(n, cell *html.Node) bool {
	for p := n.Parent; p != nil && p != cell; p = p.Parent {
		if p.DataAtom == atom.Table || p.DataAtom == atom.Script || p.DataAtom == atom.Style {
			return true
		}
	}
	return false
}
