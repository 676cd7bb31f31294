package embedded

import (
	"slices"

	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// settleNamed takes the one number that a word of the text names where a reading takes the mean or an
// end of another one of the same rows that no word names: the average resting pulse is one of rest_hr,
// not of how long somebody slept. What something costs has many names, and stays.
func (g *grounding) settleNamed(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.Items) != 1 || len(s.Group) > 0 {
		return
	}
	a, ok := s.Items[0].Expr.(tree.Aggregate)
	column, isColumn := a.Arg.(tree.Column)
	id, known := g.view.ColumnOf(s.From, column)
	if !ok || !isColumn || !known || a.Func == tree.Count || a.Func == tree.Sum {
		return
	}
	taken := g.view.Columns[id]
	if !taken.Type.Numeric() || g.timesNamed(id) > 0 || g.isMoney(id) {
		return
	}
	var named []tree.Column
	for other, c := range g.view.Columns {
		if c.Table == taken.Table && g.namesNumber(c) && g.timesNamed(other) > 0 {
			named = append(named, tree.Column{Source: column.Source, Name: c.Name})
		}
	}
	if len(named) == 1 && !usesColumn(q, named[0]) {
		a.Arg = named[0]
		s.Items[0] = tree.Item{Expr: a}
	}
}

// namesNumber reports whether a column is of numbers that rows are told by, none of the words that
// name it being a dataset's.
func (g *grounding) namesNumber(c schema.Column) bool {
	if !isAdditive(c) && !slices.ContainsFunc(c.Words, english.Unsummed.Has) || isNumbering(c) || c.Key() || !c.Type.Numeric() {
		return false
	}
	return !slices.ContainsFunc(lex.Lower(g.features.Tokens), func(w string) bool {
		return slices.Contains(c.Words, english.Singular(w)) && g.view.MentionsTable(w)
	})
}
