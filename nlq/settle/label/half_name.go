package label

import (
	"slices"

	"quern"
	"quern/english"
	"quern/nlq/ground"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// HalfName tests a column of kinds for a value in the place of one of yes and no of whose name the text
// has one word of several, where that word is all of the value: the First team is no first aid.
func (g Rules) HalfName(q *tree.Query) {
	if q.Select == nil {
		return
	}
	said := lex.Lower(g.Features.Tokens)
	ground.ReplaceConds(q, func(c tree.Cond) tree.Cond {
		compare, k, of, ok := g.TestedTruth(q.Select.From, c)
		yes, _, _ := of.Truth()
		if !ok || k.Text != yes || len(of.Words) < 2 {
			return c
		}
		var has []string
		for _, own := range of.Words {
			if slices.ContainsFunc(said, func(w string) bool { return schema.Related(own, w) }) {
				has = append(has, own)
			}
		}
		if len(has) != 1 || english.Framing.Has(has[0]) {
			return c
		}
		if column, value, found := g.kindCalled(compare.Left.(tree.Column).Source, q, has[0]); found {
			return tree.Compare{Op: tree.Equal, Left: column, Right: tree.Literal{Kind: tree.Text, Text: value}}
		}
		return c
	})
}

// kindCalled returns the one column of kinds of a source, of which a query says nothing, that has a
// word as a value.
func (g Rules) kindCalled(ref string, q *tree.Query, word string) (column tree.Column, value string, ok bool) {
	n := 0
	for _, source := range q.Select.From {
		if source.Ref() != ref {
			continue
		}
		for _, id := range g.View.ColumnsOf(source) {
			c := g.View.Columns[id]
			if c.Type != quern.Text || c.Values == nil || !c.Category() {
				continue
			}
			named := tree.Column{Source: ref, Name: c.Name}
			if found, is := c.Values.Exact(lex.Fold(word)); is && !ground.UsesColumn(q, named) {
				column, value, n = named, found, n+1
			}
		}
	}
	return column, value, n == 1
}
