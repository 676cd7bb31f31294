package absence

import (
	"slices"

	"quern/nlq/ground"
	"quern/tree"
)

// Longer compares with the longest value of a column that the text says, where a reading
// took a part of it that is a value as well: goats in kid are no kids.
func (g Rules) Longer(q *tree.Query) {
	g.replaceKinds(q, func(is tree.Compare, column int, value string) tree.Cond {
		longest := value
		for _, other := range g.View.Columns[column].Values.All() {
			if len(other) > len(longest) && ground.HasWords(other, value) && ground.HasWords(g.Text, other) && len(ground.PlacesOf(g.Text, value)) == len(ground.PlacesOf(g.Text, other)) {
				longest = other
			}
		}
		is.Right = tree.Literal{Kind: tree.Text, Text: longest}
		return is
	})
}

// replaceKinds replaces the conditions of a query that a column of kinds of rows has a value.
func (g Rules) replaceKinds(q *tree.Query, fn func(is tree.Compare, column int, value string) tree.Cond) {
	if q.Select == nil {
		return
	}
	conds := slices.Clone(tree.Conjuncts(q.Select.Where))
	for i, c := range conds {
		if is, value, ok := g.ComparedKind(q.Select.From, c); ok && is.Op == tree.Equal {
			id, _ := g.View.ColumnOf(q.Select.From, is.Left.(tree.Column))
			conds[i] = fn(is, id, value)
		}
	}
	q.Select.Where = tree.All(conds...)
}
