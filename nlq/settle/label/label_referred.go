package label

import (
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/schema"
	"quern/tree"
)

// nameReferred shows what the rows of another dataset are called in the place of the key by which
// a reading shows them: the key person of a child by name, not by number.
func (g Rules) nameReferred(q *tree.Query) {
	s := q.Select
	for at := 0; at < len(s.Items); at++ {
		column, isColumn := s.Items[at].Expr.(tree.Column)
		id, known := g.View.ColumnOf(s.From, column)
		if !isColumn || !known {
			continue
		}
		l, ok := g.View.Referred(id)
		if !ok {
			continue
		}
		of := g.View.Columns[l.To].Table
		if g.isRead(s, of) || g.asksForKey(l) || g.isOfItself(l) || g.Names(l.From) && !g.View.IsOfPeople(of) {
			continue
		}
		source := tree.Source{Dataset: g.View.Tables[of].Path, Outer: g.View.HasNull(l.From)}
		source.On = []tree.Pair{{Left: column, Right: tree.Column{Source: source.Ref(), Name: g.View.Columns[l.To].Name}}}
		var shown []tree.Item
		for _, label := range g.View.LabelsOf(of) {
			var name tree.Expr = tree.Column{Source: source.Ref(), Name: g.View.Columns[label].Name}
			if len(s.Group) > 0 {
				name = tree.Aggregate{Func: tree.Any, Arg: name}
			}
			shown = append(shown, tree.Item{Expr: name})
		}
		s.From = append(slices.Clone(s.From), source)
		s.Items = slices.Replace(slices.Clone(s.Items), at, at+1, shown...)
		at += len(shown) - 1
	}
}

// asksForKey reports whether the text asks for what rows are numbered by: with a word for that,
// or one that is not of the name of the column itself, as the key of a key person is.
func (g Rules) asksForKey(l schema.Link) bool {
	text := numberOf.ReplaceAllString(g.Text, "")
	return slices.ContainsFunc(AsksForNumbers(text), func(word string) bool {
		word = english.Singular(strings.ToLower(strings.TrimSpace(word)))
		return english.Numbering.Has(word) || !slices.Contains(g.View.Columns[l.From].Words, word)
	})
}

// isOfItself reports whether a link is by something that rows of both datasets have, rather
// than by what those of the other are numbered by: a classroom, of pupils and of teachers.
func (g Rules) isOfItself(l schema.Link) bool {
	from, to := g.View.Columns[l.From], g.View.Columns[l.To]
	isOfTable := func(word string) bool {
		return slices.Contains(english.Stems(g.View.Tables[to.Table].Words), english.Stem(word))
	}
	return slices.Equal(from.Words, to.Words) && !slices.ContainsFunc(to.Words, english.KeyNames.Has) && !slices.ContainsFunc(to.Words, isOfTable)
}

// isRead reports whether a select reads a dataset.
func (g Rules) isRead(s *tree.Select, table int) bool {
	return slices.ContainsFunc(s.From, func(source tree.Source) bool {
		t, ok := g.View.TableOf(source)
		return ok && t == table
	})
}
