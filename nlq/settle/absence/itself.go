package absence

import (
	"slices"

	"quern/english"
	"quern/nlq/feature"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/tree"
)

// Itself makes something of a reading that leaves out of what a column has all that it has,
// where the text says what is to be left out: the doctors of the appointments that are not among
// those of the medicines, what was bought and has no job. What nothing can be made of is no
// reading; see absurd.LeavesNothing.
func (g Rules) Itself(q *tree.Query) {
	g.settleShared(q)
	if !IsOfItself(q.Set) {
		return
	}
	left := q.Set.Left.Select
	shown, _ := ground.Listed(q.Set.Left)
	id, ok := g.View.ColumnOf(left.From, shown)
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
func (g Rules) settleShared(q *tree.Query) {
	shown, ok := ground.Listed(q)
	if !ok || len(q.Select.From) != 2 || len(q.Order) > 0 {
		return
	}
	id, known := g.View.ColumnOf(q.Select.From, shown)
	if !known {
		return
	}
	from, without, ok := g.sameElsewhere(id, g.wordsDenied())
	other := tree.Column{Source: g.View.Tables[g.View.Columns[without].Table].Path.Dataset, Name: g.View.Columns[without].Name}
	if !ok || from != id || !isAll(q.Select.Where, shown) && !isAll(q.Select.Where, other) {
		return
	}
	q.Set = &tree.Set{Op: tree.Except, Left: &tree.Query{Select: g.listOf(from)}, Right: &tree.Query{Select: g.listOf(without)}}
	q.Select = nil
}

// IsOfItself reports whether of two lists the second is all that the column of the first has, so
// that nothing is left without it, and nothing changes with it alone.
func IsOfItself(set *tree.Set) bool {
	if set == nil || set.Op == tree.Union {
		return false
	}
	left, isLeft := ground.Listed(set.Left)
	right, isRight := ground.Listed(set.Right)
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
		empty, isNull := ground.NullColumn(not.Cond)
		return !isNull || empty != column
	})
}

// wordsDenied returns the places of the words behind the first that denies something.
func (g Rules) wordsDenied() []int {
	words := lex.Lower(g.Features.Tokens)
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
func (g Rules) sameElsewhere(column int, words []int) (from, without int, ok bool) {
	says := func(id int) bool {
		return slices.ContainsFunc(words, func(w int) bool {
			said := g.Features.Tables[w][g.View.Columns[id].Table]
			return said == feature.TablePartial || said == feature.TableExact
		})
	}
	other := -1
	for id := range g.View.Columns {
		if g.View.Columns[id].Table == g.View.Columns[column].Table || !g.View.HoldSamePeople(column, id) {
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
func (g Rules) listOf(column int) *tree.Select {
	c := g.View.Columns[column]
	source := tree.Source{Dataset: g.View.Tables[c.Table].Path}
	of := tree.Column{Source: source.Ref(), Name: c.Name}
	return &tree.Select{Distinct: true, Items: []tree.Item{{Expr: of}}, From: []tree.Source{source}}
}

// emptyNamed returns the one other column of a column's dataset that some words name and that some
// rows lack.
func (g Rules) emptyNamed(column int, words []int) (name string, ok bool) {
	t := g.View.Tables[g.View.Columns[column].Table]
	for id := t.First; id < t.First+t.Len; id++ {
		c := g.View.Columns[id]
		isNamed := slices.ContainsFunc(words, func(w int) bool {
			match := g.Features.Columns[w][id] / feature.ValueRelations
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
