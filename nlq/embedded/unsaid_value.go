package embedded

import (
	"slices"
	"strings"

	"quern/nlq/feature"
	"quern/nlq/grammar"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// unsaidValue returns the condition that a text column has the one value that the
// text holds and the reading leaves out: one that names none of the rows' columns
// and that no other of them has. Beside other conditions, it must be of a column
// of categories. free reports whether the reading took none of some words.
func (g *grounding) unsaidValue(c *candidate, free func(first, last int) bool) tree.Cond {
	const longest = 6
	var found []tree.Cond
	for i := 0; i < len(g.Features.Tokens); i++ {
		for last := min(i+longest, len(g.Features.Tokens)) - 1; last >= i; last-- {
			if !free(i, last) {
				continue
			}
			if holds := g.valueConds(c, i, last); len(holds) > 0 {
				found = append(found, holds...)
				i = last
				break
			}
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// valueConds returns the conditions that a column of the rows, of which the reading
// says nothing, has the value that some words of the text are; none when one of the
// words names a column of the rows or their dataset.
func (g *grounding) valueConds(c *candidate, first, last int) (holds []tree.Cond) {
	tokens := g.Features.Tokens
	said := g.Text[tokens[first].Start:tokens[last].End]
	text := lex.Fold(said)
	if isShort := len(said) < shortestOwn && said == strings.ToLower(said); isShort || isPhrasal.MatchString(said) || g.isAsked(said) {
		return nil // names n emails, the jobs that we took in
	}
	bare := c.query.Select.Where == nil && c.query.Select.Having == nil
	named := false
	g.eachColumn(c, func(column tree.Column, of schema.Column, id int) {
		whole := of.Named() && !slices.Contains(c.tokens, grammar.Token{Kind: grammar.Column, ID: id})
		for i := first; i <= last; i++ {
			name, value := g.relation(i, id)
			named = named || name
			whole = whole && value && g.Features.Kinds[i] != feature.NumberKind
		}
		certain := bare || of.Category()
		if !whole || !certain {
			return
		}
		value, ok := of.Values.Exact(text)
		if !ok && of.Category() {
			value, ok = of.Values.Exact(strings.TrimSuffix(text, "s"))
		}
		if ok {
			holds = append(holds, tree.Compare{Op: tree.Equal, Left: column, Right: tree.Literal{Kind: grammar.LiteralKind(of.Type), Text: value}})
		}
	})
	if named {
		return nil
	}
	return holds
}

// relation reports whether a word names a column or its table, and whether it is a
// word of a whole value of the column.
func (g *grounding) relation(word, column int) (names, isValue bool) {
	table := g.Features.Tables[word][g.View.Columns[column].Table]
	names = table != 0 && table < feature.TableSimilar
	relation := g.Features.Columns[word][column]
	if relation >= feature.ColumnSimilar {
		return names, false
	}
	return names || relation/feature.ValueRelations != 0, relation%feature.ValueRelations == feature.ValueExact
}
