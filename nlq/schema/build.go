package schema

import (
	"quern"
	"quern/nlq/lex"
	"quern/tree"
)

// unsure is how much less than all the estimate of distinct values may be when
// all are distinct.
const unsure = 0.95

// column says in words what is known of a column.
func column(c quern.DatasetColumn, rows int64, known func(string) bool) Column {
	made := Column{Name: c.Name, Words: lex.Words(c.Name, known), Type: c.Type, Rows: rows - c.Stats.Nulls, Unit: c.Unit}
	made.Distinct = min(c.Stats.Distinct.Estimate(), made.Rows)
	if float64(made.Distinct) >= unsure*float64(made.Rows) {
		made.Distinct = made.Rows
	}
	if !c.BoundsUnknown {
		made.Min, made.Max = c.Stats.Min, c.Stats.Max
	}
	return made
}

// add adds a dataset, named and described as its head says.
func (s *Schema) add(head quern.Dataset, t *table, known func(string) bool) {
	d := t.describe(head, known)
	names := t.encoded.Load()
	if names == nil || names.of != d {
		names = &encoded{}
	}
	made := d.table
	made.Path, made.Rows, made.First, made.Len = head.Path(), t.rows, len(s.Columns), len(d.columns)
	made.Encoded = names.dataset
	for i, c := range d.columns {
		c.Table = len(s.Tables)
		if i < len(names.columns) {
			c.Encoded = names.columns[i]
		}
		s.Columns = append(s.Columns, c)
	}
	s.Tables = append(s.Tables, made)
	s.Guesses = append(s.Guesses, d.guesses...)
}

// link adds the links between the columns that are there.
func (s *Schema) link(links []tree.Link) {
	if len(links) == 0 {
		return
	}
	tables := make(map[quern.DatasetPath]*Table, len(s.Tables))
	for i := range s.Tables {
		tables[s.Tables[i].Path] = &s.Tables[i]
	}
	for _, l := range links {
		from, ok := s.columnAt(tables[l.Origin.Dataset], l.Origin.Column)
		to, also := s.columnAt(tables[l.Destination.Dataset], l.Destination.Column)
		if ok && also {
			s.Links = append(s.Links, Link{From: from, To: to, Score: l.Score})
		}
	}
}

// columnAt finds a column of a table, which may be nil.
func (s *Schema) columnAt(t *Table, name string) (at int, ok bool) {
	if t == nil {
		return 0, false
	}
	for at = t.First; at < t.First+t.Len; at++ {
		if s.Columns[at].Name == name {
			return at, true
		}
	}
	return 0, false
}
