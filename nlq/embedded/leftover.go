package embedded

import (
	"slices"
	"strings"

	"quern"
	"quern/nlq/feature"
	"quern/nlq/grammar"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// having gives the condition that a text column has the one value that the
// question holds and the reading leaves out: one that names none of the rows'
// columns and that no other of them has. Beside other conditions, it must be of
// a column that sorts the rows.
func (r *reader) having(c *candidate, free func(first, last int) bool) tree.Cond {
	const longest = 6
	var found []tree.Cond
	for i := 0; i < len(r.features.Tokens); i++ {
		for last := min(i+longest, len(r.features.Tokens)) - 1; last >= i; last-- {
			if !free(i, last) {
				continue
			}
			if holds := r.held(c, i, last); len(holds) > 0 {
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

// held gives the conditions that a column of the rows, of which the reading says
// nothing, has the value that some words of the question are; none when one of
// them names a column of the rows or their dataset.
func (r *reader) held(c *candidate, first, last int) (holds []tree.Cond) {
	tokens := r.features.Tokens
	text := lex.Fold(r.question.Text[tokens[first].Start:tokens[last].End])
	named := false
	r.each(c, func(column tree.Column, of schema.Column, id int) {
		whole := of.Type == quern.Text && of.Values != nil && !slices.Contains(c.tokens, grammar.Token{Kind: grammar.Column, ID: id})
		for i := first; i <= last; i++ {
			relation := r.features.Columns[i][id]
			similar := relation >= feature.ColumnSimilar
			table := r.features.Tables[i][of.Table]
			named = named || !similar && relation/feature.ValueRelations != 0 || table != 0 && table < feature.TableSimilar
			whole = whole && !similar && relation%feature.ValueRelations == feature.ValueExact && r.features.Kinds[i] != feature.NumberKind
		}
		if !whole {
			return
		}
		value, ok := of.Values.Exact(text)
		if !ok && sorts(of) {
			value, ok = of.Values.Exact(strings.TrimSuffix(text, "s"))
		}
		if ok && (sorts(of) || c.query.Select.Where == nil && c.query.Select.Having == nil) {
			holds = append(holds, tree.Compare{Op: tree.Equal, Left: column, Right: tree.Literal{Kind: tree.Text, Text: value}})
		}
	})
	if named {
		return nil
	}
	return holds
}

// sorts reports whether a column tells kinds of rows apart rather than rows, so
// that a word which is a value of it is hardly one by accident.
func sorts(c schema.Column) bool {
	const most = 50
	return c.Values != nil && c.Values.Len() <= most && 2*c.Distinct <= c.Rows
}
