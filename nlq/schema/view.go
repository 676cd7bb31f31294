package schema

import (
	"slices"

	"quern"
	"quern/english"
	"quern/nlq/lex"
	"quern/tree"
)

// View is a Schema and the namespace that it is of: what readers of questions
// look up about names, sources and links.
type View struct {
	*Schema
	In quern.NamespacePath // where datasets without an owner and a namespace are
}

// Tree returns the view as queries are validated and resolved against it. Columns
// that no dataset has are in it, until Expand has written them out; see Real.
func (v View) Tree() tree.Schema {
	all := tree.Schema{In: v.In, Tables: make([]tree.Table, 0, len(v.Tables))}
	for _, t := range v.Tables {
		table := tree.Table{Path: t.Path}
		for _, c := range v.Columns[t.First : t.First+t.Len] {
			table.Columns = append(table.Columns, quern.Column{Name: c.Name, Type: c.Type})
		}
		all.Tables = append(all.Tables, table)
	}
	return all
}

// TreeLinks returns the links as queries are resolved with them.
func (v View) TreeLinks() []tree.Link {
	end := func(column int) tree.End {
		c := v.Columns[column]
		return tree.End{Dataset: v.Tables[c.Table].Path, Column: c.Name}
	}
	all := make([]tree.Link, len(v.Links))
	for i, l := range v.Links {
		all[i] = tree.Link{Origin: end(l.From), Destination: end(l.To), Score: l.Score}
	}
	return all
}

// TableOf returns the table that a source of a query reads.
func (v View) TableOf(source tree.Source) (table int, ok bool) {
	path := tree.Schema{In: v.In}.Complete(source.Dataset)
	i := slices.IndexFunc(v.Tables, func(t Table) bool { return tree.SamePath(t.Path, path) })
	return i, i >= 0
}

// ColumnsOf returns the columns of the table that a source reads; none when the
// view has no such table.
func (v View) ColumnsOf(source tree.Source) []int {
	t, ok := v.TableOf(source)
	if !ok {
		return nil
	}
	all := make([]int, v.Tables[t].Len)
	for i := range all {
		all[i] = v.Tables[t].First + i
	}
	return all
}

// ColumnOf returns the column of the view that a column of some sources is.
func (v View) ColumnOf(from []tree.Source, column tree.Column) (id int, ok bool) {
	for _, source := range from {
		if source.Ref() != column.Source {
			continue
		}
		for _, i := range v.ColumnsOf(source) {
			if v.Columns[i].Name == column.Name {
				return i, true
			}
		}
	}
	return 0, false
}

// IsKey reports whether a column of some sources tells their rows apart.
func (v View) IsKey(from []tree.Source, column tree.Column) bool {
	i, ok := v.ColumnOf(from, column)
	return ok && v.Columns[i].Key()
}

// HasNull reports whether some rows of a column's table have no value in it.
func (v View) HasNull(column int) bool {
	c := v.Columns[column]
	return c.Rows < v.Tables[c.Table].Rows
}

// ColumnNamed reports whether a word is one of the words of a column's name.
func (v View) ColumnNamed(word string) bool {
	return slices.ContainsFunc(v.Columns, func(c Column) bool { return slices.Contains(c.Words, word) })
}

// HasValue reports whether a text is a value of a column that tells kinds of rows
// apart.
func (v View) HasValue(text string) bool {
	return slices.ContainsFunc(v.Columns, func(c Column) bool {
		if c.Values == nil || c.Type != quern.Text || 2*c.Distinct > c.Rows && c.Rows > fewRows {
			return false
		}
		_, ok := c.Values.Exact(lex.Fold(text))
		return ok
	})
}

// HoldsWord reports whether some value has a word, or another form of it.
func (v View) HoldsWord(word string) bool {
	return slices.ContainsFunc(v.Columns, func(c Column) bool { return c.Values != nil && c.Values.Word(word) })
}

// fewRows is how many rows a dataset may have for each value of a column to be a kind.
const fewRows = 20

// Mention returns where a text first names a table, by the last word of the
// table's name; -1 when it does not.
func (v View) Mention(text string, table int) int {
	words := v.Tables[table].Words
	if len(words) == 0 {
		return -1
	}
	want := english.Stem(words[len(words)-1])
	for _, t := range lex.Tokens(text) {
		if english.Stem(t.Text) == want {
			return t.Start
		}
	}
	return -1
}

// MentionsTable reports whether a text names some table.
func (v View) MentionsTable(text string) bool {
	for i := range v.Tables {
		if v.Mention(text, i) >= 0 {
			return true
		}
	}
	return false
}

// Place is where a query reads a table.
type Place struct {
	Table  int
	Source tree.Source
	Nested *tree.Query // the query in a condition that reads it; nil: the query itself
}

// Places returns where a select reads tables: its own sources first, then those
// of the queries that its conditions list values of.
func (v View) Places(s *tree.Select) []Place {
	var all []Place
	for _, source := range s.From {
		if t, ok := v.TableOf(source); ok {
			all = append(all, Place{t, source, nil})
		}
	}
	for _, c := range tree.Conjuncts(s.Where) {
		in, ok := c.(tree.In)
		if !ok || in.Query == nil || in.Query.Select == nil {
			continue
		}
		for _, p := range v.Places(in.Query.Select) {
			if p.Nested == nil {
				p.Nested = in.Query
			}
			all = append(all, p)
		}
	}
	return all
}

// LinkedTo returns the condition that rows of a source are linked to rows of a
// query over one other table; ok is false when no links lead there.
func (v View) LinkedTo(from tree.Source, to *tree.Query) (c tree.Cond, ok bool) {
	if from.Alias != "" && from.Alias != from.Dataset.Dataset {
		return nil, false
	}
	q := &tree.Query{Select: &tree.Select{
		Items: []tree.Item{{Expr: tree.Star{}}}, From: []tree.Source{{Dataset: from.Dataset}}, Where: tree.Linked{Query: tree.Clone(to)}}}
	if err := tree.Resolve(q, v.Tree(), v.TreeLinks()); err != nil {
		return nil, false
	}
	return q.Select.Where, true
}
