package format

import (
	"fmt"
	"io"
)

// maxDocument is the most bytes of a document that is held in memory while its
// tables are looked for.
const maxDocument = 64 << 20

// memory reads rows that are held in memory.
type memory struct {
	header []string
	rows   [][]string
	notes  []string
	at     int
	cells  []Cell
}

// memoryTable makes a table of rows. Rows without a cell are left out.
func memoryTable(member, detail string, rows [][]string, o Options) Table {
	named := namesColumns(rows[:min(len(rows), sniffRecords)])
	if o.Header != nil {
		named = *o.Header
	}
	return memoryNamed(member, detail, rows, named)
}

func memoryNamed(member, detail string, rows [][]string, named bool, notes ...string) Table {
	width := 0
	for _, r := range rows {
		width = max(width, len(r))
	}
	header := make([]string, width)
	if named && len(rows) > 0 {
		copy(header, rows[0])
		rows = rows[1:]
	}
	return Table{Member: member, Detail: detail,
		open: func() (Reader, error) { return &memory{header: header, rows: rows, notes: notes}, nil }}
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
	m.at++
	return Record{Cells: m.cells, Row: int64(m.at)}, nil
}

func tableName(n int) string { return fmt.Sprintf("table %d", n) }
