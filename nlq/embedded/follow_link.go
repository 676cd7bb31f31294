package embedded

import (
	"slices"

	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// spot is a table that a follow-up can speak of.
type spot struct {
	table  int
	source tree.Source
	within *tree.Select // the select that reads it; nil: none does, but links lead there
}

// spots gives the tables that the previous query reads, those of its nested lists
// and those that links lead to, in this order.
func (f *follower) spots() []spot {
	var all []spot
	known := func(table int) bool { return slices.ContainsFunc(all, func(s spot) bool { return s.table == table }) }
	for _, p := range f.reader.places(f.query.Select) {
		within := f.query.Select
		if p.inner != nil {
			within = p.inner.Select
		}
		if !known(p.table) {
			all = append(all, spot{p.table, p.source, within})
		}
	}
	for _, l := range f.schema.Links {
		a, b := f.schema.Columns[l.From].Table, f.schema.Columns[l.To].Table
		if f.reads(b) {
			a, b = b, a
		}
		if f.reads(a) && !known(b) {
			all = append(all, spot{table: b, source: tree.Source{Dataset: f.schema.Tables[b].Path}})
		}
	}
	return all
}

// reads reports whether the previous query itself reads a table.
func (f *follower) reads(table int) bool {
	return slices.ContainsFunc(f.query.Select.From, func(s tree.Source) bool {
		t, ok := f.reader.tableOf(s)
		return ok && t == table
	})
}

// beyond gives a condition of a table that only links lead to as one of the
// previous rows.
func (f *follower) beyond(s spot, c tree.Cond) (tree.Cond, bool) {
	return f.reader.linked(f.query.Select.From[0], &tree.Query{Select: &tree.Select{
		Items: []tree.Item{{Expr: tree.Star{}}}, From: []tree.Source{s.source}, Where: c}})
}

// joined gives the column that a phrase names of a table that each previous row
// has one row of, and reads that table beside the others.
func (f *follower) joined(phrase string) (tree.Column, bool) {
	words := lex.Stems(content(lex.Words(phrase, nil)))
	for _, l := range f.schema.Links {
		for _, way := range [][2]int{{l.From, l.To}, {l.To, l.From}} {
			if column, ok := f.joinOn(way[0], way[1], words); ok {
				return column, true
			}
		}
	}
	return tree.Column{}, false
}

// joinOn joins the table of a key if one of its columns has such a name.
func (f *follower) joinOn(from, to int, words []string) (tree.Column, bool) {
	key := f.schema.Columns[to]
	table := f.schema.Tables[key.Table]
	at := slices.IndexFunc(f.query.Select.From, func(s tree.Source) bool {
		t, ok := f.reader.tableOf(s)
		return ok && t == f.schema.Columns[from].Table
	})
	if at < 0 || f.reads(key.Table) || !key.Key() {
		return tree.Column{}, false
	}
	ref := table.Path.Dataset
	named := slices.IndexFunc(f.schema.Columns[table.First:table.First+table.Len], func(c schema.Column) bool {
		own := lex.Stems(c.Words)
		return slices.Equal(own, words) || slices.Equal(append(lex.Stems(singular(table.Words)), own...), words)
	})
	if named < 0 {
		return tree.Column{}, false
	}
	f.query.Select.From = append(f.query.Select.From, tree.Source{Dataset: table.Path, On: []tree.Pair{{
		Left:  tree.Column{Source: f.query.Select.From[at].Ref(), Name: f.schema.Columns[from].Name},
		Right: tree.Column{Source: ref, Name: key.Name}}}})
	return tree.Column{Source: ref, Name: f.schema.Columns[table.First+named].Name}, true
}

// singular gives the words of a name for one of what it names.
func singular(words []string) []string {
	one := slices.Clone(words)
	if n := len(one); n > 0 {
		one[n-1] = tree.Singular(one[n-1])
	}
	return one
}
