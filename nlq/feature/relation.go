package feature

import (
	"slices"

	"quern/nlq/schema"
)

// How columns relate to columns.
const (
	ColumnNone uint8 = iota
	ColumnSameTable
	ColumnItself
	ColumnLinksTo
	ColumnLinkedFrom
	ColumnColumns = 5
)

// How columns relate to tables.
const (
	TableNone uint8 = iota
	TableBelongs
	TableKey
	TableLinked
	ColumnTables = 4
)

// How tables relate to tables.
const (
	TablesNone uint8 = iota
	TablesItself
	TablesLinksTo
	TablesLinkedFrom
	TablesBoth
	TableTables = 5
)

// The flags of columns.
const (
	FlagLink    uint8 = 1
	FlagKey     uint8 = 2
	FlagMissing uint8 = 4
	Flags             = 8
)

// Related is how the parts of a schema relate to each other, whatever is asked.
type Related struct {
	ColumnColumn [][]uint8
	ColumnTable  [][]uint8
	TableTable   [][]uint8
	Types, Flags []uint8 // by column
}

// Relations computes how the parts of a schema relate. It takes memory in the
// square of the columns: of a wide schema, see Narrow first.
func Relations(s *schema.Schema) *Related {
	r := &Related{Types: make([]uint8, len(s.Columns)), Flags: make([]uint8, len(s.Columns))}
	linked := make([]bool, len(s.Columns))
	for _, l := range s.Links {
		r.Flags[l.From] |= FlagLink
		r.Flags[l.To] |= FlagLink
		linked[l.To] = true
	}
	r.ColumnColumn, r.ColumnTable = grid(len(s.Columns), len(s.Columns)), grid(len(s.Columns), len(s.Tables))
	for c := range s.Columns {
		column := &s.Columns[c]
		r.Types[c] = class(column.Type)
		if column.Named() {
			r.Types[c] = TypeText // numbers that stand for words
		}
		if _, _, truth := column.Truth(); truth {
			r.Types[c] = TypeBoolean
		}
		t := s.Tables[column.Table]
		if column.Rows < t.Rows {
			r.Flags[c] |= FlagMissing
		}
		for other := t.First; other < t.First+t.Len; other++ {
			r.ColumnColumn[c][other] = ColumnSameTable
		}
		r.ColumnColumn[c][c] = ColumnItself
		r.ColumnTable[c][column.Table] = TableBelongs
		if isKey(s, c, linked[c]) {
			r.Flags[c] |= FlagKey
			r.ColumnTable[c][column.Table] = TableKey
		}
	}
	r.links(s)
	return r
}

func (r *Related) links(s *schema.Schema) {
	r.TableTable = grid(len(s.Tables), len(s.Tables))
	for _, l := range s.Links {
		from, to := s.Columns[l.From].Table, s.Columns[l.To].Table
		if l.From != l.To {
			r.ColumnColumn[l.From][l.To] = ColumnLinksTo
			r.ColumnColumn[l.To][l.From] = ColumnLinkedFrom
		}
		if from == to {
			continue
		}
		r.ColumnTable[l.From][to] = TableLinked
		r.TableTable[from][to] = both(r.TableTable[from][to], TablesLinksTo)
		r.TableTable[to][from] = both(r.TableTable[to][from], TablesLinkedFrom)
	}
	for t := range s.Tables {
		r.TableTable[t][t] = TablesItself
	}
}

func both(is, also uint8) uint8 {
	if is == TablesNone || is == also {
		return also
	}
	return TablesBoth
}

// isKey reports whether a column is what identifies its table's rows: of those
// that tell the rows apart the first in the table, one that others link to, or
// one that is named like an identity.
func isKey(s *schema.Schema, c int, linked bool) bool {
	column := &s.Columns[c]
	if !column.Key() {
		return false
	}
	named := slices.ContainsFunc(column.Words, func(w string) bool { return w == "id" || w == "code" || w == "key" || w == "number" })
	return linked || named || c == s.Tables[column.Table].First
}

func grid(rows, columns int) [][]uint8 {
	all, cells := make([][]uint8, rows), make([]uint8, rows*columns)
	for i := range all {
		all[i] = cells[i*columns : (i+1)*columns : (i+1)*columns]
	}
	return all
}
