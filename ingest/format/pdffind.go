package format

import (
	"fmt"
	"slices"

	"quern/ingest/pdfium"
)

// pdfTable is a table, maybe over several pages.
type pdfTable struct {
	first, last int // pages
	columns     []band
	rows        [][]string
	pages       []int // of the rows
	sums        []pdfSum
	named       bool
	repeated    int    // headings left out
	title       string // of the line above it
}

// pdfSum is lines below rows of a table that add them up.
type pdfSum struct {
	from, to int // the rows above
	lines    [][]string
}

// pdfFinder finds tables and fields page by page.
type pdfFinder struct {
	tables  []*pdfTable
	fields  pdfFields
	words   int
	outside int // pages with text that is in no table and no field
	budget  *budget
}

func (f *pdfFinder) page(number int, words []pdfium.Word, lines []pageLine) error {
	if f.words += len(words); f.words > maxWords {
		return refuse("the PDF file holds more than %d words; read as pages, it gives its text", maxWords)
	}
	if len(words) > maxPageWords {
		return refuse("page %d of the PDF file holds more than %d words; read as pages, it gives its text", number, maxPageWords)
	}
	inside := make([]bool, len(lines))
	for n, g := range gridsOf(lines) {
		if g.holdsFields() {
			continue
		}
		summary := g.cutSummary()
		rows := g.rows()
		if len(rows) < 2 || prose(rows) {
			continue
		}
		known := len(f.tables)
		if !f.add(number, n == 0, g.columns, rows) {
			continue
		}
		t := f.tables[len(f.tables)-1]
		if len(f.tables) > known {
			t.title = titleAbove(lines, g.at)
		}
		t.addSum(placed(summary, t.columns))
		for i := range len(g.lines) + len(summary) {
			inside[g.at+i] = true
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
	if !f.fields.read(number, lines, inside) {
		f.outside++
	}
	return nil
}

// titleAbove is the line right above a table, where it is a title and says nothing else.
func titleAbove(lines []pageLine, at int) string {
	if at == 0 {
		return ""
	}
	l, below := lines[at-1], lines[at]
	if len(l.phrases) != 1 || below.top-l.bottom > 3*below.height() || beginsField(l) || l.hasValue() || isSentence(l.phrases[0].text) {
		return ""
	}
	return l.phrases[0].text
}

// addSum notes lines that stand below the rows so far.
func (t *pdfTable) addSum(lines [][]string) {
	if len(lines) == 0 {
		return
	}
	from := 0
	if n := len(t.sums); n > 0 {
		from = t.sums[n-1].to
	}
	t.sums = append(t.sums, pdfSum{from, len(t.rows), lines})
}

// withoutSums returns the rows of a table with their pages, and the lines below them
// that only add them up. Other such lines are rows.
func (t *pdfTable) withoutSums(keep bool) (rows [][]string, pages []int, totals []string) {
	done := 0
	for _, s := range t.sums {
		rows, pages = append(rows, t.rows[done:s.to]...), append(pages, t.pages[done:s.to]...)
		done = s.to
		if !keep && addsUp(t.rows[s.from:s.to], s.lines) {
			totals = append(totals, rowTexts(s.lines)...)
			continue
		}
		for _, line := range s.lines {
			rows, pages = append(rows, line), append(pages, t.pages[s.to-1])
		}
	}
	return append(rows, t.rows[done:]...), append(pages, t.pages[done:]...), totals
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
		t.rows, t.pages = append(t.rows, row), append(t.pages, page)
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
		t.rows, t.pages = append(t.rows, placed), append(t.pages, page)
	}
	return true
}

// found returns the tables for reading, with the fields of their document; the fields
// alone, where they are most of what it holds.
func (f *pdfFinder) found(o Options) (tables []Table, err error) {
	if len(f.tables) == 0 {
		return f.fields.table(f.outsideNotes()), nil
	}
	titles := make([]string, len(f.tables))
	for i, t := range f.tables {
		titles[i] = t.title
	}
	names := tableNames(titles)
	for i, t := range f.tables {
		where := fmt.Sprintf("PDF, table on page %d", t.first)
		if t.last > t.first {
			where = fmt.Sprintf("PDF, table on pages %d to %d", t.first, t.last)
		}
		member := ""
		if len(f.tables) > 1 {
			member = names[i]
		}
		var notes []string
		if t.repeated > 0 {
			notes = append(notes, countedNote(t.repeated, "repeated heading was left out", "repeated headings were left out"))
		}
		if i == 0 {
			notes = append(notes, f.outsideNotes()...)
			notes = append(notes, f.fields.notes()...)
		}
		c, err := f.content(t, o)
		if err != nil {
			return nil, err
		}
		if len(c.totals) > 0 {
			notes = append(notes, countedNote(len(c.totals), "line below the rows was left out: its numbers are totals of those above it",
				"lines below the rows were left out: their numbers are totals of those above them"))
		}
		made := Table{Member: member, Detail: where, Totals: c.totals}
		tables = append(tables, memoryPaged(made, c.names, c.rows, c.pages, notes))
	}
	return tables, nil
}

// pdfContent is what is in a table.
type pdfContent struct {
	names  []string
	rows   [][]string
	pages  []int    // of the rows
	totals []string // lines that add up rows, and are none
}

// content returns what is in a table.
func (f *pdfFinder) content(t *pdfTable, o Options) (c pdfContent, err error) {
	named := t.named
	if o.Header != nil {
		named = *o.Header
	}
	c.rows, c.pages, c.totals = t.withoutSums(o.KeepTotals)
	c.names = make([]string, len(t.columns))
	if named {
		c.names, c.rows, c.pages = slices.Clone(c.rows[0]), c.rows[1:], c.pages[1:]
	}
	c.names, c.rows, err = f.fields.beside(c.names, c.rows, c.pages, f.budget)
	return c, err
}

func (f *pdfFinder) outsideNotes() []string {
	if f.outside == 0 {
		return nil
	}
	return []string{countedNote(f.outside, "page has text outside of tables, which was left out; read as pages, it is kept",
		"pages have text outside of tables, which was left out; read as pages, it is kept")}
}
