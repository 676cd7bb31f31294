package embedded

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"quern"
	"quern/english"
	"quern/nlq/feature"
	"quern/nlq/lex"
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
	return startsWithLetter(name.Text)
}

func startsWithLetter(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(first)
}

// endsAlphabet reports whether a reading keeps the rows at one end of the alphabet by
// a column that the text does not name, where nobody asked for an order: big ships are
// not those whose kind comes last.
func (g *grounding) endsAlphabet(q *tree.Query) bool {
	if q.Select == nil || q.Limit == nil || len(q.Order) == 0 {
		return false
	}
	column, ok := q.Order[0].Expr.(tree.Column)
	if !ok || slices.ContainsFunc(g.features.Tokens, func(t lex.Token) bool { return english.Orders.Has(strings.ToLower(t.Text)) }) {
		return false
	}
	ends := false
	for _, source := range q.Select.From {
		for _, id := range g.view.ColumnsOf(source) {
			of := g.view.Columns[id]
			if column == (tree.Column{Source: source.Ref(), Name: of.Name}) {
				ends = of.Type == quern.Text && startsWithLetter(of.Min) && !g.names(id)
			}
		}
	}
	return ends
}

// names reports whether the text has a word of a column's name that is no word of its
// table's.
func (g *grounding) names(column int) bool {
	table := g.view.Columns[column].Table
	for i, relations := range g.features.Columns {
		relation, ofTable := relations[column], g.features.Tables[i][table]
		isName := relation < feature.ColumnSimilar && relation/feature.ValueRelations != 0
		if isName && (ofTable == 0 || ofTable >= feature.TableSimilar) {
			return true
		}
	}
	return false
}
