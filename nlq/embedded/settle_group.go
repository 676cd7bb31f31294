package embedded

import (
	"slices"

	"quern/english"
	"quern/nlq/lex"
	"quern/tree"
)

// settleKind groups by what the text names instead of by the key of the rows that have
// it: the guests who spent the most, not the bookings.
func (g *grounding) settleKind(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.Group) != 1 {
		return
	}
	key, ok := s.Group[0].(tree.Column)
	if !ok || !g.view.IsKey(s.From, key) {
		return
	}
	at, kinds := -1, 0
	var kind tree.Column
	for i, item := range s.Items {
		a, isAny := item.Expr.(tree.Aggregate)
		c, isColumn := a.Arg.(tree.Column)
		if !isAny || !isColumn || a.Func != tree.Any {
			continue
		}
		kinds++
		if id, known := g.view.ColumnOf(s.From, c); known && c.Source == key.Source && g.isKindNamed(id) {
			at, kind = i, c
		}
	}
	id, known := g.view.ColumnOf(s.From, key)
	if at < 0 || kinds != 1 || known && g.timesNamed(id) > 0 {
		return
	}
	s.Items[at].Expr, s.Group = kind, []tree.Expr{kind}
}

// settleEach adds to the groups of a reading the column that the text asks for each of,
// where it has another already: of each species on each island.
func (g *grounding) settleEach(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.Group) != 1 || q.Limit != nil || s.Having != nil || len(s.From) != 1 {
		return
	}
	words := lex.Lower(lex.Tokens(g.text))
	for i, word := range words {
		if i == 0 || !english.Each.Has(words[i-1]) {
			continue
		}
		for _, id := range g.view.ColumnsOf(s.From[0]) {
			c := g.view.Columns[id]
			column := tree.Column{Source: s.From[0].Ref(), Name: c.Name}
			isNamed := len(c.Words) == 1 && english.Stem(c.Words[0]) == english.Stem(word)
			if isNamed && c.Category() && !slices.Contains(s.Group, tree.Expr(column)) {
				s.Group = append(s.Group, column)
				s.Items = slices.Insert(slices.Clone(s.Items), 1, tree.Item{Expr: column})
			}
		}
	}
}
