package follow

import (
	"slices"

	"quern"
	"quern/english"
	"quern/nlq/schema"
	"quern/tree"
)

// way leads from the query's tables to another of which each of their rows has one
// row.
type way struct {
	table int
	links []schema.Link // from the column that refers to the key
}

// ways returns where links lead from the query's tables, the nearest first. Tables that
// are read already are not among them.
func (t target) ways() []way {
	const longest = 2
	var all []way
	reached := map[int]bool{}
	for _, source := range t.query.Select.From {
		if table, ok := t.view.TableOf(source); ok {
			reached[table] = true
		}
	}
	from := []way{{table: -1}} // the query itself
	for range longest {
		var next []way
		for _, w := range from {
			for _, l := range t.view.Links {
				for _, l := range []schema.Link{l, {From: l.To, To: l.From}} {
					at, to := t.view.Columns[l.From].Table, t.view.Columns[l.To].Table
					begins := at == w.table || w.table < 0 && t.reads(at)
					if begins && !reached[to] && t.view.Columns[l.To].Key() {
						reached[to] = true
						next = append(next, way{to, append(slices.Clone(w.links), l)})
					}
				}
			}
		}
		all, from = append(all, next...), next
	}
	return all
}

// join reads the table that a way leads to, and those between, and returns its source.
func (t target) join(w way) tree.Source {
	s := t.query.Select
	for _, l := range w.links {
		at := slices.IndexFunc(s.From, func(source tree.Source) bool {
			read, ok := t.view.TableOf(source)
			return ok && read == t.view.Columns[l.From].Table
		})
		to := t.view.Columns[l.To]
		path := t.view.Tables[to.Table].Path
		s.From = append(s.From, tree.Source{Dataset: path, On: []tree.Pair{{
			Left:  tree.Column{Source: s.From[at].Ref(), Name: t.view.Columns[l.From].Name},
			Right: tree.Column{Source: path.Dataset, Name: to.Name}}}})
	}
	return s.From[len(s.From)-1]
}

// columnOrJoin returns the column that a phrase names, of the query's tables or of
// one that each of their rows has one row of. That table is joined then.
func (t target) columnOrJoin(phrase string) (tree.Column, bool) {
	if column, ok := t.column(phrase); ok {
		return column, true
	}
	words := nameStems(phrase)
	for _, w := range t.ways() {
		table := t.view.Tables[w.table]
		one := stemsOf(singularName(table.Words))
		for _, c := range t.view.Columns[table.First : table.First+table.Len] {
			own := slices.Concat(one, stemsOf(c.Words))
			if named(c, words) == fully || slices.Equal(own, words) {
				return tree.Column{Source: t.join(w).Ref(), Name: c.Name}, true
			}
		}
	}
	return tree.Column{}, false
}

// sourceNamed returns the source that a noun names: a table that the query reads, or
// one that each of its rows has one row of, which is joined then.
func (t target) sourceNamed(noun string) (tree.Source, bool) {
	for _, source := range t.query.Select.From {
		if table, ok := t.view.TableOf(source); ok && t.isNamed(table, noun) {
			return source, true
		}
	}
	for _, w := range t.ways() {
		if t.isNamed(w.table, noun) {
			return t.join(w), true
		}
	}
	return tree.Source{}, false
}

// isNamed reports whether a noun is the name of a table.
func (t target) isNamed(table int, noun string) bool {
	words := nameStems(noun)
	of := t.view.Tables[table]
	return len(words) > 0 && slices.ContainsFunc(append([][]string{of.Words}, of.Names...), func(name []string) bool {
		have := stemsOf(name)
		return slices.Equal(have, words) || len(have) > 0 && len(words) == 1 && have[len(have)-1] == words[0]
	})
}

// namesPeople reports whether a column of a table says who had to do with its rows.
func (t target) namesPeople(table int) bool {
	of := t.view.Tables[table]
	return slices.ContainsFunc(t.view.Columns[of.First:of.First+of.Len], func(c schema.Column) bool {
		return c.Type == quern.Text && slices.ContainsFunc(c.Words, func(w string) bool { return english.Roles.Has(w) || english.Patrons.Has(w) })
	})
}

// people returns the only way from the query's tables to people; ok is false when there are
// none or several.
func (t target) people() (w way, ok bool) {
	ways := slices.DeleteFunc(t.ways(), func(w way) bool { return !t.view.IsOfPeople(w.table) })
	if len(ways) != 1 {
		return way{}, false
	}
	return ways[0], true
}

// labels returns the columns that people call the rows of a source by; its key when
// there is none.
func (t target) labels(source tree.Source) []tree.Column {
	table, ok := t.view.TableOf(source)
	if !ok {
		return nil
	}
	var all []tree.Column
	for _, i := range t.view.LabelsOf(table) {
		all = append(all, tree.Column{Source: source.Ref(), Name: t.view.Columns[i].Name})
	}
	if key, ok := t.keyOf(source); ok && len(all) == 0 {
		all = append(all, key)
	}
	return all
}

// keyOf returns the column that tells the rows of a source apart.
func (t target) keyOf(source tree.Source) (tree.Column, bool) {
	table, ok := t.view.TableOf(source)
	if !ok {
		return tree.Column{}, false
	}
	i, ok := t.view.KeyOf(table)
	if !ok {
		return tree.Column{}, false
	}
	return tree.Column{Source: source.Ref(), Name: t.view.Columns[i].Name}, true
}
