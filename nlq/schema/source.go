package schema

import (
	"slices"

	"quern"
	"quern/nlq/lex"
)

// WithSources returns the schema with columns behind those of its tables that tell where
// rows were read from; a question that names them can use them. values returns what
// such a column of a dataset says of how many rows, the most frequent value first;
// datasets of which it returns nothing do not get the column. Without it all get it.
func (s *Schema) WithSources(columns []quern.Column, values func(quern.DatasetPath, quern.Column) []string) *Schema {
	if len(columns) == 0 {
		return s
	}
	made := *s
	made.Tables, made.Columns, made.Links = slices.Clone(s.Tables), nil, slices.Clone(s.Links)
	places := make([]int, len(s.Columns))
	for i := range made.Tables {
		t := &made.Tables[i]
		first := len(made.Columns)
		for c := t.First; c < t.First+t.Len; c++ {
			places[c] = len(made.Columns)
			made.Columns = append(made.Columns, s.Columns[c])
		}
		for _, c := range columns {
			column := Column{Table: i, Name: c.Name, Words: lex.Words(c.Name, s.known), Type: c.Type, Rows: t.Rows}
			if values != nil && !column.index(values(t.Path, c)) {
				continue
			}
			made.Columns = append(made.Columns, column)
		}
		t.First, t.Len = first, len(made.Columns)-first
	}
	for i := range made.Links {
		made.Links[i].From, made.Links[i].To = places[made.Links[i].From], places[made.Links[i].To]
	}
	return &made
}

// index makes values those of the column; it reports whether there are any.
func (c *Column) index(values []string) bool {
	if len(values) == 0 {
		return false
	}
	const most = 10_000
	c.Values = NewValues(most)
	for _, v := range values {
		c.Values.Add(v)
	}
	c.Values.Done()
	c.Distinct = min(int64(len(values)), max(c.Rows-1, 1))
	return true
}
