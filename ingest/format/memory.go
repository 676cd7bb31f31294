package format

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxDocument is the most bytes of a document that is held in memory while its
// tables are looked for.
const maxDocument = 64 << 20

// memory reads rows that are held in memory.
type memory struct {
	header []string
	rows   [][]string
	pages  []int // of the rows; nil where they stand on none
	notes  []string
	at     int
	cells  []Cell
}

// memoryTable makes a table of rows, whose header it finds. Rows without a value are
// left out.
func memoryTable(member, detail string, rows [][]string, o Options) Table {
	all := len(rows)
	rows = slices.DeleteFunc(rows, func(row []string) bool { return filled(row) == 0 })
	notes := blankNotes(int64(all - len(rows)))
	h := findHead(rows[:min(len(rows), sniffRecords)], o.Header)
	notes = append(titleNotes(h.titles), notes...)
	return memoryHeaded(member, detail, h.names, rows[h.titles+h.rows:], notes...)
}

// memoryNamed makes a table of rows of which the first may name the columns.
func memoryNamed(member, detail string, rows [][]string, named bool, notes ...string) Table {
	if named && len(rows) > 0 {
		return memoryHeaded(member, detail, rows[0], rows[1:], notes...)
	}
	return memoryHeaded(member, detail, nil, rows, notes...)
}

func memoryHeaded(member, detail string, names []string, rows [][]string, notes ...string) Table {
	return memoryPaged(Table{Member: member, Detail: detail}, names, rows, nil, notes)
}

// memoryPaged makes a table of rows that stand on pages.
func memoryPaged(t Table, names []string, rows [][]string, pages []int, notes []string) Table {
	width := len(names)
	for _, r := range rows {
		width = max(width, len(r))
	}
	header := make([]string, width)
	copy(header, names)
	t.open = func() (Reader, error) { return &memory{header: header, rows: rows, pages: pages, notes: notes}, nil }
	return t
}

// noted returns a table in memory with one more note.
func (t Table) noted(note string) Table {
	open := t.open
	t.open = func() (Reader, error) {
		r, err := open()
		if m, ok := r.(*memory); ok {
			m.notes = append(slices.Clone(m.notes), note)
		}
		return r, err
	}
	return t
}

func (m *memory) Header() []string { return m.header }
func (m *memory) Notes() []string  { return m.notes }
func (m *memory) Close() error     { return nil }

func (m *memory) Next() (Record, error) {
	if m.at == len(m.rows) {
		return Record{}, io.EOF
	}
	m.cells = m.cells[:0]
	for _, text := range m.rows[m.at] {
		m.cells = append(m.cells, Cell{Text: []byte(text)})
	}
	rec := Record{Cells: m.cells, Row: int64(m.at) + 1}
	if m.pages != nil {
		rec.Page = int64(m.pages[m.at])
	}
	m.at++
	return rec, nil
}

func tableName(n int) string { return fmt.Sprintf("table %d", n) }

// tableNames are what the tables of a document are called: by their titles, by their numbers where they have none or
// share it.
func tableNames(titles []string) []string {
	const longest = 60
	names, taken := make([]string, len(titles)), map[string]bool{}
	for i, title := range titles {
		names[i] = strings.Join(strings.Fields(title), " ")
		if key := strings.ToLower(names[i]); key == "" || taken[key] || utf8.RuneCountInString(key) > longest {
			names[i] = tableName(i + 1)
		}
		taken[strings.ToLower(names[i])] = true
	}
	return names
}
