package tally

import (
	"slices"

	"quern"
	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/tree"
)

// Kind groups by what the text names instead of by the key of the rows that have
// it: the guests who spent the most, not the bookings.
func (g Rules) Kind(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.Group) != 1 {
		return
	}
	key, ok := s.Group[0].(tree.Column)
	if !ok || !g.View.IsKey(s.From, key) {
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
		if id, known := g.View.ColumnOf(s.From, c); known && c.Source == key.Source && g.IsKindNamed(id) {
			at, kind = i, c
		}
	}
	id, known := g.View.ColumnOf(s.From, key)
	if at < 0 || kinds != 1 || known && g.TimesNamed(id) > 0 {
		return
	}
	s.Items[at].Expr, s.Group = kind, []tree.Expr{kind}
}

// NamedGroups holds groups to the two that the text names side by side, where the reading
// names none: the average weight of boers and pygmies. A longer list may name them all.
func (g Rules) NamedGroups(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.Group) != 1 {
		return
	}
	by, ok := s.Group[0].(tree.Column)
	id, known := g.View.ColumnOf(s.From, by)
	if !ok || !known || !g.View.Columns[id].Category() {
		return
	}
	isTested := false
	tree.EachCond(q, func(c tree.Cond) {
		switch c := c.(type) {
		case tree.Compare:
			isTested = isTested || c.Left == tree.Expr(by)
		case tree.In:
			isTested = isTested || c.Expr == tree.Expr(by)
		}
	})
	values, at := g.valuesNamed(id)
	if isTested || len(values) != 2 || at[1] != at[0]+2 || !sideBySide[g.Features.Tokens[at[0]+1].Text] {
		return
	}
	only := tree.In{Expr: by, List: []tree.Literal{{Kind: tree.Text, Text: values[0]}, {Kind: tree.Text, Text: values[1]}}}
	s.Where = tree.All(append(tree.Conjuncts(s.Where), only)...)
}

// sideBySide join two values of one column.
var sideBySide = map[string]bool{"and": true, "or": true, "vs": true, "v": true, "versus": true, "&": true}

// valuesNamed returns the values of a column that words of the text are, and where these stand.
func (g Rules) valuesNamed(column int) (values []string, at []int) {
	c := &g.View.Columns[column]
	for i, t := range g.Features.Tokens {
		word := lex.Fold(t.Text)
		value, ok := c.Values.Exact(word)
		if !ok {
			value, ok = c.Values.Exact(english.Singular(word))
		}
		if ok && c.Type == quern.Text && !lex.Function(word) && !lex.Thin(word) && !slices.Contains(values, value) {
			values, at = append(values, value), append(at, i)
		}
	}
	return values, at
}

// Each adds to the groups of a reading the column that the text asks for each of,
// where it has another already: of each species on each island.
func (g Rules) Each(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.Group) != 1 || q.Limit != nil || s.Having != nil || len(s.From) != 1 {
		return
	}
	words := lex.Lower(lex.Tokens(g.Text))
	for i, word := range words {
		if i == 0 || !english.Each.Has(words[i-1]) {
			continue
		}
		for _, id := range g.View.ColumnsOf(s.From[0]) {
			c := g.View.Columns[id]
			column := tree.Column{Source: s.From[0].Ref(), Name: c.Name}
			isNamed := len(c.Words) == 1 && english.Stem(c.Words[0]) == english.Stem(word)
			if isNamed && c.Category() && !slices.Contains(s.Group, tree.Expr(column)) {
				s.Group = append(s.Group, column)
				s.Items = slices.Insert(slices.Clone(s.Items), 1, tree.Item{Expr: column})
			}
		}
	}
}

// UngroupDivisors takes a number out of what a query groups by where it divides by the sum of that
// number: the price per guest of each hall is none of each number of guests.
func UngroupDivisors(q *tree.Query) {
	s := q.Select
	if s == nil || len(s.Group) == 0 {
		return
	}
	divides := func(e tree.Expr) bool {
		found := false
		for _, i := range s.Items {
			ratio, ok := i.Expr.(tree.Arith)
			sum, isSum := ratio.Right.(tree.Aggregate)
			found = found || ok && isSum && ratio.Op == '/' && sum.Func == tree.Sum && sum.Arg == e
		}
		return found
	}
	s.Items = slices.DeleteFunc(s.Items, func(i tree.Item) bool { return ground.IsPlain(i.Expr) && divides(i.Expr) })
	s.Group = slices.DeleteFunc(s.Group, func(e tree.Expr) bool { return ground.IsPlain(e) && divides(e) })
}
