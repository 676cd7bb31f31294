package tally

import (
	"slices"

	"quern/nlq/ground"
	"quern/tree"
)

// Set makes one select of two whose results have rows of one dataset in common, or
// of which the second are left out, where the rows are shown by their names: two people
// of one name are two. Their keys say which rows they are.
func (g Rules) Set(q *tree.Query) {
	set := q.Set
	if set == nil || set.Op == tree.Union || len(q.Order) > 0 || q.Limit != nil || g.sharesName(set) {
		return
	}
	left, okLeft := ground.Listed(set.Left)
	right, okRight := ground.Listed(set.Right)
	if !okLeft || !okRight || left != right {
		return
	}
	at := slices.IndexFunc(set.Left.Select.From, func(s tree.Source) bool { return s.Ref() == left.Source })
	if at < 0 {
		return
	}
	source := tree.Source{Dataset: set.Left.Select.From[at].Dataset, Alias: set.Left.Select.From[at].Alias}
	table, ok := g.View.TableOf(source)
	if !ok {
		return
	}
	id, known := g.View.ColumnOf([]tree.Source{source}, left)
	keyID, hasKey := g.View.KeyOf(table)
	isName := known && (id == keyID || slices.Contains(g.View.LabelsOf(table), id))
	if !isName || !hasKey {
		return
	}
	key := tree.Column{Source: source.Ref(), Name: g.View.Columns[keyID].Name}
	second := among(set.Right.Select, key)
	if set.Op == tree.Except {
		second = tree.Not{Cond: second}
	}
	first := tree.Conjuncts(set.Left.Select.Where)
	if len(set.Left.Select.From) > 1 {
		first = []tree.Cond{among(set.Left.Select, key)}
	}
	conds := append(slices.Clone(first), second)
	q.Set, q.Select = nil, &tree.Select{Items: []tree.Item{{Expr: left}}, From: []tree.Source{source}, Where: tree.All(conds...)}
}

// sharesName reports whether what is asked for has one name in two rows of a dataset: a row
// is not in two departments, and a title may be. Two people of one name are two.
func (g Rules) sharesName(set *tree.Set) bool {
	left, right := set.Left.Select, set.Right.Select
	if set.Op != tree.Intersect || left == nil || right == nil || len(left.From) != 1 || len(right.From) != 1 {
		return false
	}
	table, ok := g.View.TableOf(left.From[0])
	return !ok || !g.View.IsOfPeople(table)
}

// among returns the condition that a row has the key of one that a select chooses.
func among(s *tree.Select, key tree.Column) tree.Cond {
	return tree.In{Expr: key, Query: &tree.Query{Select: &tree.Select{Items: []tree.Item{{Expr: key}}, From: s.From, Where: s.Where}}}
}
