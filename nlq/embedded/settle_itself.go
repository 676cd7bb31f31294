package embedded

import (
	"slices"

	"quern/english"
	"quern/nlq/feature"
	"quern/nlq/lex"
	"quern/tree"
)

// settleItself makes something of a reading that leaves out of what a column has all that it has,
// where the text says what is to be left out: the doctors of the appointments that are not among
// those of the medicines, what was bought and has no job. What nothing can be made of is no
// reading; see leavesNothing.
func (g *grounding) settleItself(q *tree.Query) {
	g.settleShared(q)
	if !isOfItself(q.Set) {
		return
	}
	left := q.Set.Left.Select
	shown, _ := listed(q.Set.Left)
	id, ok := g.view.ColumnOf(left.From, shown)
	if !ok || len(left.From) != 1 {
		return
	}
	behind := g.wordsDenied()
	if from, without, ok := g.sameElsewhere(id, behind); ok && left.Where == nil {
		q.Set.Left.Select, q.Set.Right.Select = g.listOf(from), g.listOf(without)
		return
	}
	if c, ok := g.emptyNamed(id, behind); ok && q.Set.Op == tree.Except {
		left.Where = tree.All(append(tree.Conjuncts(left.Where), tree.IsNull{Expr: tree.Column{Source: left.From[0].Ref(), Name: c}})...)
		q.Select, q.Set = left, nil
	}
}

// settleShared leaves out the people whom another dataset has too where the text denies that one and
// the reading holds them to it, which says the opposite.
func (g *grounding) settleShared(q *tree.Query) {
	shown, ok := listed(q)
	if !ok || len(q.Select.From) != 2 || len(q.Order) > 0 {
		return
	}
	id, known := g.view.ColumnOf(q.Select.From, shown)
	if !known {
		return
	}
	from, without, ok := g.sameElsewhere(id, g.wordsDenied())
	other := tree.Column{Source: g.view.Tables[g.view.Columns[without].Table].Path.Dataset, Name: g.view.Columns[without].Name}
	if !ok || from != id || !isAll(q.Select.Where, shown) && !isAll(q.Select.Where, other) {
		return
	}
	q.Set = &tree.Set{Op: tree.Except, Left: &tree.Query{Select: g.listOf(from)}, Right: &tree.Query{Select: g.listOf(without)}}
	q.Select = nil
}

// isOfItself reports whether of two lists the second is all that the column of the first has, so
// that nothing is left without it, and nothing changes with it alone.
func isOfItself(set *tree.Set) bool {
	if set == nil || set.Op == tree.Union {
		return false
	}
	left, isLeft := listed(set.Left)
	right, isRight := listed(set.Right)
	if !isLeft || !isRight || left.Name != right.Name || len(set.Right.Select.From) != 1 {
		return false
	}
	all := set.Right.Select.From[0]
	isSame := slices.ContainsFunc(set.Left.Select.From, func(s tree.Source) bool { return s.Ref() == left.Source && s.Dataset == all.Dataset })
	return isSame && isAll(set.Right.Select.Where, right)
}

// isAll reports whether a condition leaves out no value of a column.
func isAll(where tree.Cond, column tree.Column) bool {
	return !slices.ContainsFunc(tree.Conjuncts(where), func(c tree.Cond) bool {
		not, _ := c.(tree.Not)
		empty, isNull := nullColumn(not.Cond)
		return !isNull || empty != column
	})
}

// leavesNothing reports whether a reading leaves out of rows all that there are, or holds them to
// what they all have.
func leavesNothing(q *tree.Query) (nothing bool) {
	tree.EachQuery(q, func(q *tree.Query) {
		nothing = nothing || isOfItself(q.Set)
		if q.Select == nil {
			return
		}
		for _, c := range tree.Conjuncts(q.Select.Where) {
			not, _ := c.(tree.Not)
			in, isIn := not.Cond.(tree.In)
			column, isColumn := in.Expr.(tree.Column)
			if isIn && isColumn && in.Query != nil {
				one := &tree.Query{Select: &tree.Select{Items: []tree.Item{{Expr: column}}, From: q.Select.From}}
				nothing = nothing || isOfItself(&tree.Set{Op: tree.Except, Left: one, Right: in.Query})
			}
		}
	})
	return nothing
}

// wordsDenied returns the places of the words behind the first that denies something.
func (g *grounding) wordsDenied() []int {
	words := lex.Lower(g.features.Tokens)
	at := slices.IndexFunc(words, english.Negations.Has)
	if at < 0 {
		return nil
	}
	var all []int
	for i := at + 1; i < len(words); i++ {
		all = append(all, i)
	}
	return all
}

// sameElsewhere returns the two columns that hold the same people, one of them given, of which the
// second is of the one dataset that some words name.
func (g *grounding) sameElsewhere(column int, words []int) (from, without int, ok bool) {
	says := func(id int) bool {
		return slices.ContainsFunc(words, func(w int) bool {
			said := g.features.Tables[w][g.view.Columns[id].Table]
			return said == feature.TablePartial || said == feature.TableExact
		})
	}
	other := -1
	for id := range g.view.Columns {
		if g.view.Columns[id].Table == g.view.Columns[column].Table || !g.view.HoldSamePeople(column, id) {
			continue
		}
		if other >= 0 {
			return 0, 0, false
		}
		other = id
	}
	switch {
	case other < 0 || says(column) == says(other):
		return 0, 0, false
	case says(column):
		return other, column, true
	}
	return column, other, true
}

// listOf returns the select of what a column has, each once.
func (g *grounding) listOf(column int) *tree.Select {
	c := g.view.Columns[column]
	source := tree.Source{Dataset: g.view.Tables[c.Table].Path}
	of := tree.Column{Source: source.Ref(), Name: c.Name}
	return &tree.Select{Distinct: true, Items: []tree.Item{{Expr: of}}, From: []tree.Source{source}}
}

// emptyNamed returns the one other column of a column's dataset that some words name and that some
// rows lack.
func (g *grounding) emptyNamed(column int, words []int) (name string, ok bool) {
	t := g.view.Tables[g.view.Columns[column].Table]
	for id := t.First; id < t.First+t.Len; id++ {
		c := g.view.Columns[id]
		isNamed := slices.ContainsFunc(words, func(w int) bool {
			match := g.features.Columns[w][id] / feature.ValueRelations
			return match == feature.NamePartial || match == feature.NameExact
		})
		if id == column || c.Rows >= t.Rows || !isNamed {
			continue
		}
		if ok {
			return "", false
		}
		name, ok = c.Name, true
	}
	return name, ok
}
