package absence

import (
	"strings"

	"quern/nlq/ground"
	"quern/tree"
)

// Pair holds rows to either of two values of a column where the text says both, one beside
// the other, and a reading took one of them alone: honorary and student members.
func (g Rules) Pair(q *tree.Query) {
	g.replaceKinds(q, func(is tree.Compare, column int, value string) tree.Cond {
		other, ok := g.valueBeside(column, value)
		if !ok || says(q.Select.Where, other) {
			return is
		}
		with := is
		with.Right = tree.Literal{Kind: tree.Text, Text: other}
		return tree.Or{Conds: []tree.Cond{is, with}}
	})
}

// valueBeside returns the value of a column that the text says right before or behind another,
// with and, or or a sign between them.
func (g Rules) valueBeside(column int, value string) (other string, ok bool) {
	for _, v := range g.View.Columns[column].Values.All() {
		if strings.EqualFold(v, value) || ground.HasWords(v, value) || ground.HasWords(value, v) {
			continue
		}
		for _, joint := range []string{" and ", " or ", " & ", "/"} {
			if ground.HasWords(g.Text, v+joint+value) || ground.HasWords(g.Text, value+joint+v) {
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
