package embedded

import (
	"slices"
	"strings"

	"quern/tree"
)

// settlePair holds rows to either of two values of a column where the text says both, one beside
// the other, and a reading took one of them alone: honorary and student members.
func (g *grounding) settlePair(q *tree.Query) {
	if q.Select == nil {
		return
	}
	conds := slices.Clone(tree.Conjuncts(q.Select.Where))
	for i, c := range conds {
		compare, value, ok := g.comparedKind(q.Select.From, c)
		if !ok || compare.Op != tree.Equal {
			continue
		}
		id, _ := g.view.ColumnOf(q.Select.From, compare.Left.(tree.Column))
		other, ok := g.valueBeside(id, value)
		if !ok || slices.ContainsFunc(conds, func(c tree.Cond) bool { return says(c, other) }) {
			continue
		}
		with := compare
		with.Right = tree.Literal{Kind: tree.Text, Text: other}
		conds[i] = tree.Or{Conds: []tree.Cond{compare, with}}
	}
	q.Select.Where = tree.All(conds...)
}

// valueBeside returns the value of a column that the text says right before or behind another,
// with and, or or a sign between them.
func (g *grounding) valueBeside(column int, value string) (other string, ok bool) {
	for _, v := range g.view.Columns[column].Values.All() {
		if strings.EqualFold(v, value) || hasWords(v, value) || hasWords(value, v) {
			continue
		}
		for _, joint := range []string{" and ", " or ", " & ", "/"} {
			if hasWords(g.text, v+joint+value) || hasWords(g.text, value+joint+v) {
				return v, true
			}
		}
	}
	return "", false
}

// says reports whether a condition has a value.
func says(c tree.Cond, value string) bool {
	found := false
	tree.EachCond(&tree.Query{Select: &tree.Select{Where: c}}, func(c tree.Cond) {
		compare, ok := c.(tree.Compare)
		k, isLiteral := compare.Right.(tree.Literal)
		found = found || ok && isLiteral && strings.EqualFold(k.Text, value)
	})
	return found
}
