package amount

import (
	"slices"

	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// Named takes the one number that a word of the text names where a reading takes the mean or an
// end of another one of the same rows that no word names: the average resting pulse is one of rest_hr,
// not of how long somebody slept. What something costs has many names, and stays.
func (g Rules) Named(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.Items) != 1 || len(s.Group) > 0 {
		return
	}
	a, ok := s.Items[0].Expr.(tree.Aggregate)
	column, isColumn := a.Arg.(tree.Column)
	id, known := g.View.ColumnOf(s.From, column)
	if !ok || !isColumn || !known || a.Func == tree.Count || a.Func == tree.Sum {
		return
	}
	taken := g.View.Columns[id]
	if !taken.Type.Numeric() || g.TimesNamed(id) > 0 || g.IsMoney(id) {
		return
	}
	var named []tree.Column
	for other, c := range g.View.Columns {
		if c.Table == taken.Table && g.namesNumber(c) && g.TimesNamed(other) > 0 {
			named = append(named, tree.Column{Source: column.Source, Name: c.Name})
		}
	}
	if len(named) == 1 && !ground.UsesColumn(q, named[0]) {
		a.Arg = named[0]
		s.Items[0] = tree.Item{Expr: a}
	}
}

// namesNumber reports whether a column is of numbers that rows are told by, none of the words that
// name it being a dataset's.
func (g Rules) namesNumber(c schema.Column) bool {
	if !ground.IsAdditive(c) && !slices.ContainsFunc(c.Words, english.Unsummed.Has) || ground.IsNumbering(c) || c.Key() || !c.Type.Numeric() {
		return false
	}
	return !slices.ContainsFunc(lex.Lower(g.Features.Tokens), func(w string) bool {
		return slices.Contains(c.Words, english.Singular(w)) && g.View.MentionsTable(w)
	})
}
