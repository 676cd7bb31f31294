package format

import (
	"fmt"
	"io"
	"slices"
)

// pdfTable is a table, maybe over several pages.
type pdfTable struct {
	first, last int // pages
	columns     []band
	rows        [][]string
	named       bool
	repeated    int // headings left out
}

// pdfFinder finds tables page by page.
type pdfFinder struct {
	tables  []*pdfTable
	outside int // pages with text that is in no table
	budget  *budget
}

func (f *pdfFinder) read(r io.Reader) error {
	f.budget = heldBudget("PDF file")
	return eachPage(r, f.page)
}

func (f *pdfFinder) page(number int, words []word) error {
	lines := linesOf(words)
	inside := 0
	for n, g := range gridsOf(lines) {
		rows := g.rows()
		if len(rows) < 2 || prose(rows) {
			continue
		}
		if f.add(number, n == 0, g.columns, rows) {
			inside += len(g.lines)
		}
		if len(f.tables) > MaxTables {
			return errTables
		}
		for _, row := range rows {
			for _, text := range row {
				if err := f.budget.take(text, 1); err != nil {
					return err
				}
			}
		}
	}
	if inside < len(lines) {
		f.outside++
	}
	return nil
}

// add makes rows a table, or part of the one that the page before ends with. It
// reports whether they are one: a table has a heading, or many columns.
func (f *pdfFinder) add(page int, first bool, columns []band, rows [][]string) bool {
	named := namesColumns(rows[:min(len(rows), sniffRecords)])
	if n := len(f.tables); n > 0 && f.tables[n-1].goesOn(page, first, columns, rows, named) {
		return true
	}
	if !named && len(columns) < 3 {
		return false
	}
	t := &pdfTable{first: page, last: page, columns: columns, named: named}
	for i, row := range rows {
		if named && i > 0 && slices.Equal(row, rows[0]) {
			t.repeated++
			continue
		}
		t.rows = append(t.rows, row)
	}
	f.tables = append(f.tables, t)
	return true
}

// goesOn appends rows to a table of the page before, or of the same page, when
// they have its heading, or none and its columns.
func (t *pdfTable) goesOn(page int, first bool, columns []band, rows [][]string, named bool) bool {
	if page > t.last+1 || !t.named {
		return false
	}
	again := slices.Equal(rows[0], t.rows[0])
	other := named || !first || page == t.last
	if other && !again {
		return false
	}
	places := make([]int, len(columns))
	for i, c := range columns {
		places[i] = i
		if !again || len(columns) != len(t.columns) {
			places[i] = slices.IndexFunc(t.columns, c.meets)
		}
		outOfOrder := i > 0 && places[i] <= places[i-1]
		if places[i] < 0 || outOfOrder {
			return false
		}
	}
	t.last = page
	for _, row := range rows {
		placed := make([]string, len(t.columns))
		for i, text := range row {
			placed[places[i]] = text
		}
		if slices.Equal(placed, t.rows[0]) {
			t.repeated++
			continue
		}
		t.rows = append(t.rows, placed)
	}
	return true
}

// found returns the tables for reading.
func (f *pdfFinder) found(o Options) (tables []Table) {
	for i, t := range f.tables {
		where := fmt.Sprintf("PDF, table on page %d", t.first)
		if t.last > t.first {
			where = fmt.Sprintf("PDF, table on pages %d to %d", t.first, t.last)
		}
		member := ""
		if len(f.tables) > 1 {
			member = tableName(i + 1)
		}
		named := t.named
		if o.Header != nil {
			named = *o.Header
		}
		var notes []string
		if t.repeated > 0 {
			notes = append(notes, countedNote(t.repeated, "repeated heading was left out", "repeated headings were left out"))
		}
		if i == 0 && f.outside > 0 {
			notes = append(notes, countedNote(f.outside, "page has text outside of tables, which was left out; read as pages, it is kept",
				"pages have text outside of tables, which was left out; read as pages, it is kept"))
		}
		tables = append(tables, memoryNamed(member, where, t.rows, named, notes...))
	}
	return tables
}
