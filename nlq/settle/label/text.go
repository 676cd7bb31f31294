package label

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"quern/nlq/feature"
	"quern/tree"
)

// Texts turns conditions that compare names by their order into ones that they
// are equal: "ships under the flag Greece" sail under it, and not under one that
// stands before it in the alphabet.
func Texts(q *tree.Query) {
	if q.Select == nil {
		return
	}
	conds := slices.Clone(tree.Conjuncts(q.Select.Where))
	for i, c := range conds {
		if compared, ok := c.(tree.Compare); ok && ordersNames(compared) {
			compared.Op = tree.Equal
			conds[i] = compared
		}
	}
	q.Select.Where = tree.All(conds...)
}

// ordersNames reports whether a condition holds for what stands before or behind a
// name. Texts that begin with a digit may be times or codes, which have an order.
func ordersNames(c tree.Compare) bool {
	name, ok := c.Right.(tree.Literal)
	if !ok || name.Kind != tree.Text || c.Op == tree.Equal || c.Op == tree.NotEqual {
		return false
	}
	return StartsWithLetter(name.Text)
}

// StartsWithLetter reports whether a text begins like a name.
func StartsWithLetter(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(first)
}

// Names reports whether the text has a word of a column's name that is no word of its
// table's.
func (g Rules) Names(column int) bool {
	table := g.View.Columns[column].Table
	for i, relations := range g.Features.Columns {
		relation, ofTable := relations[column], g.Features.Tables[i][table]
		isName := relation < feature.ColumnSimilar && relation/feature.ValueRelations != 0
		if isName && (ofTable == 0 || ofTable >= feature.TableSimilar) {
			return true
		}
	}
	return false
}
