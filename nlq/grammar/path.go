package grammar

import (
	"slices"

	"quern/nlq/schema"
	"quern/tree"
)

// joinPath is tables of a schema joined one after the other: on[i] joins
// tables[i+1] to one before it.
type joinPath struct {
	schema *schema.Schema
	tables []int
	on     [][2]int // columns: of a table before, of the table itself
}

// sources writes a path as the sources of a select.
func (w joinPath) sources() []tree.Source {
	all := make([]tree.Source, len(w.tables))
	for i, t := range w.tables {
		all[i].Dataset = w.schema.Tables[t].Path
		if i > 0 {
			on := w.on[i-1]
			all[i].On = []tree.Pair{{Left: columnOf(w.schema, on[0]), Right: columnOf(w.schema, on[1])}}
		}
	}
	return all
}

// pathEnd is one side of a join: a column, and the table it is of.
type pathEnd struct{ column, table int }

// join returns the two sides of a join of the path.
func (w joinPath) join(i int) (before, after pathEnd) {
	on := w.on[i]
	return pathEnd{on[0], w.schema.Columns[on[0]].Table}, pathEnd{on[1], w.schema.Columns[on[1]].Table}
}

// side returns the tables of the path that one of a join's tables is connected to
// without that join.
func (w joinPath) side(join, table int) []int {
	reached := []int{table}
	for range w.on {
		for i := range w.on {
			a, b := w.join(i)
			hasA, hasB := slices.Contains(reached, a.table), slices.Contains(reached, b.table)
			switch {
			case i == join || hasA == hasB:
			case hasA:
				reached = append(reached, b.table)
			default:
				reached = append(reached, a.table)
			}
		}
	}
	return reached
}

// repeats reports whether the joins of the path repeat rows of one of its tables:
// seen from there, one leads to a column that is no key.
func (w joinPath) repeats(table int) bool {
	for i := range w.on {
		near, far := w.join(i)
		if slices.Contains(w.side(i, far.table), table) {
			far = near
		}
		if !w.schema.Columns[far.column].Key() {
			return true
		}
	}
	return false
}

// between returns some tables of the path and those that connect them.
func (w joinPath) between(some []int) []int {
	kept := slices.Clone(w.tables)
	for range w.tables {
		at := slices.IndexFunc(kept, func(t int) bool { return !slices.Contains(some, t) && w.neighbours(t, kept) < 2 })
		if at < 0 {
			break
		}
		kept = slices.Delete(kept, at, at+1)
	}
	return kept
}

// neighbours counts the tables among others that the path joins a table with.
func (w joinPath) neighbours(table int, others []int) (n int) {
	for i := range w.on {
		a, b := w.join(i)
		if a.table == table && slices.Contains(others, b.table) || b.table == table && slices.Contains(others, a.table) {
			n++
		}
	}
	return n
}

// part returns the path of some of its tables that hang together, beginning with one
// of them.
func (w joinPath) part(tables []int, first int) joinPath {
	made := joinPath{schema: w.schema, tables: []int{first}}
	for range tables {
		for i := range w.on {
			a, b := w.join(i)
			if slices.Contains(made.tables, b.table) {
				a, b = b, a
			}
			known := slices.Contains(made.tables, a.table) && !slices.Contains(made.tables, b.table)
			if known && slices.Contains(tables, b.table) {
				made.tables = append(made.tables, b.table)
				made.on = append(made.on, [2]int{a.column, b.column})
			}
		}
	}
	return made
}

// columnOf names a column as a tree does.
func columnOf(s *schema.Schema, column int) tree.Column {
	c := s.Columns[column]
	return tree.Column{Source: s.Tables[c.Table].Path.Dataset, Name: c.Name}
}
