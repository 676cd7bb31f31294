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
	bare := c.query.Select.Where == nil && c.query.Select.Having == nil
	named := false
	r.each(c, func(column tree.Column, of schema.Column, id int) {
		whole := of.Type == quern.Text && of.Values != nil && !slices.Contains(c.tokens, grammar.Token{Kind: grammar.Column, ID: id})
		for i := first; i <= last; i++ {
			name, value := r.related(i, id)
			named = named || name
			whole = whole && value && r.features.Kinds[i] != feature.NumberKind
		}
		if !whole || !bare && !sorts(of) {
			return
		}
		value, ok := of.Values.Exact(text)
		if !ok && sorts(of) {
			value, ok = of.Values.Exact(strings.TrimSuffix(text, "s"))
		}
		if ok {
			holds = append(holds, tree.Compare{Op: tree.Equal, Left: column, Right: tree.Literal{Kind: tree.Text, Text: value}})
		}
	})
	if named {
		return nil
	}
	return holds
}

// related reports whether a word names a column or its table, and whether it is
// a word of a whole value of the column.
func (r *reader) related(word, column int) (name, value bool) {
	table := r.features.Tables[word][r.schema.Columns[column].Table]
	name = table != 0 && table < feature.TableSimilar
	relation := r.features.Columns[word][column]
	if relation >= feature.ColumnSimilar {
		return name, false
	}
	return name || relation/feature.ValueRelations != 0, relation%feature.ValueRelations == feature.ValueExact
}

// sorts reports whether a column tells kinds of rows apart rather than rows, so
// that a word which is a value of it is hardly one by accident.
func sorts(c schema.Column) bool {
	const most = 50
	return c.Values != nil && c.Values.Len() <= most && 2*c.Distinct <= c.Rows
}

// leaves reports whether the question holds a value of the data that a reading
// has nothing to do with: not the value, nor a column or dataset that the word
// names, holds or is near to; or the name of a dataset that no link leads to.
func (r *reader) leaves(c *candidate) bool {
	taken := r.spans(c)
	for i, t := range r.features.Tokens {
		word := strings.ToLower(t.Text)
		if taken[i] || lex.Function(word) || lex.Thin(word) || lex.Command(word) || r.asked.Concerns(c.tokens, i) || r.namesRows(c, i) {
			continue
		}
		if r.namesApart(c, i) {
			return true
		}
		for id, of := range r.schema.Columns {
			if _, whole := r.related(i, id); whole && isValue(t, r.features.Kinds[i], of) {
				return true
			}
		}
	}
	return false
}

// namesRows reports whether a word names a column of the datasets that a reading
// reads, or one of them.
func (r *reader) namesRows(c *candidate, word int) (names bool) {
	r.each(c, func(_ tree.Column, _ schema.Column, id int) {
		name, _ := r.related(word, id)
		names = names || name
	})
	return names
}

// namesApart reports whether a word is the name of datasets to none of which
// links lead from those that a reading reads.
func (r *reader) namesApart(c *candidate, word int) bool {
	if !slices.Contains(r.features.Tables[word], feature.TableExact) {
		return false
	}
	reached := make([]bool, len(r.schema.Tables))
	r.each(c, func(_ tree.Column, of schema.Column, _ int) { reached[of.Table] = true })
	for range r.schema.Tables {
		for _, l := range r.schema.Links {
			from, to := r.schema.Columns[l.From].Table, r.schema.Columns[l.To].Table
			either := reached[from] || reached[to]
			reached[from], reached[to] = either, either
		}
	}
	for t, relation := range r.features.Tables[word] {
		if relation == feature.TableExact && reached[t] {
			return false
		}
	}
	return true
}

// isValue reports whether a word of a value is hardly one by accident: it is
// written like a name, or is all of a value of a column that sorts rows.
func isValue(t lex.Token, kind uint8, of schema.Column) bool {
	switch {
	case of.Type != quern.Text || of.Values == nil:
		return false
	case kind == feature.Capitalised || kind == feature.Quoted:
		return true
	}
	_, exact := of.Values.Exact(lex.Fold(t.Text))
	return exact && kind == feature.Plain && sorts(of)
}
