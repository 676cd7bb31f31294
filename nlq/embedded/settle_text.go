package embedded

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"quern/tree"
)

// settleTexts turns conditions that compare names by their order into ones that they
// are equal: "ships under the flag Greece" sail under it, and not under one that
// stands before it in the alphabet.
func settleTexts(q *tree.Query) {
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
	first, _ := utf8.DecodeRuneInString(name.Text)
	return unicode.IsLetter(first)
}
