package embedded

import (
	"slices"
	"strings"

	"quern"
	"quern/nlq/account"
	"quern/nlq/grammar"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/nlq/settle/tally"
	"quern/tree"
)

// linkedValue is a value of a dataset to which a link leads from the rows of a reading.
type linkedValue struct {
	join    tree.Source // the dataset, as the reading is to read it
	cond    tree.Cond   // that it has the value
	counted bool        // the text asks how many there are with the value
}

// addLinked returns a reading held to the rows whose partner in another dataset has the
// one value that the text holds and the reading leaves out: tankers, where the rows are
// arrivals, and their ships have a kind. Otherwise it returns the reading itself. Each
// row has one partner at most, so that nothing is counted twice.
func (g *grounding) addLinked(c *candidate) *candidate {
	if slices.ContainsFunc(c.query.Select.From, func(s tree.Source) bool { return s.Outer }) {
		return c
	}
	var found []linkedValue
	reading := account.Reading{Query: c.asRead, Taken: g.constantWords(c), Score: c.score}
	for _, w := range g.Accounts().Of(reading) {
		if w.Use == account.Left || w.Use == account.Lost || w.Use == account.Like {
			found = append(found, g.linkedValues(c, w)...)
		}
	}
	if len(found) != 1 {
		return c
	}
	return g.change(c, func(q *tree.Query) {
		q.Select.From = append(slices.Clone(q.Select.From), found[0].join)
		q.Select.Where = tree.All(append(slices.Clone(tree.Conjuncts(q.Select.Where)), found[0].cond)...)
		if found[0].counted {
			tally.CountOnce(q.Select, found[0].join.On[0].Right)
		}
	})
}

// linkedValues returns the values that a word is all of, in any form, of columns of kinds
// in the datasets that links lead to from those that a reading reads.
func (g *grounding) linkedValues(c *candidate, w account.Word) (all []linkedValue) {
	word := g.Accounts().Said(w)
	if lex.Function(word) || lex.Thin(word) || lex.Command(word) {
		return nil
	}
	key := schema.KeyOf(word)
	isOwn := false
	g.eachColumn(c, func(_ tree.Column, of schema.Column, _ int) {
		if of.Type == quern.Text && of.Category() {
			_, whole := of.Values.Alike(key)
			isOwn = isOwn || whole
		}
	})
	if isOwn {
		return nil // it is of the rows themselves
	}
	for _, l := range g.View.Links {
		parent := g.View.Columns[l.To]
		path := g.View.Tables[parent.Table].Path
		from, ok := g.sourceOf(c, g.View.Columns[l.From].Table)
		if _, read := g.sourceOf(c, parent.Table); !ok || read || !parent.Key() {
			continue
		}
		join := tree.Source{Dataset: path, On: []tree.Pair{{
			Left:  tree.Column{Source: from.Ref(), Name: g.View.Columns[l.From].Name},
			Right: tree.Column{Source: path.Dataset, Name: parent.Name},
		}}}
		for _, id := range g.View.ColumnsOf(join) {
			of := g.View.Columns[id]
			if of.Type != quern.Text || !of.Category() {
				continue
			}
			if value, whole := of.Values.Alike(key); whole {
				column := tree.Column{Source: path.Dataset, Name: of.Name}
				is := tree.Compare{Op: tree.Equal, Left: column, Right: tree.Literal{Kind: grammar.LiteralKind(of.Type), Text: value}}
				all = append(all, linkedValue{join, is, slices.Contains(tally.Of(g.Grounding).CountedWords(1), strings.ToLower(word))})
			}
		}
	}
	return all
}

// sourceOf returns the source of a reading that reads a dataset.
func (g *grounding) sourceOf(c *candidate, table int) (tree.Source, bool) {
	for _, s := range c.query.Select.From {
		if t, ok := g.View.TableOf(s); ok && t == table {
			return s, true
		}
	}
	return tree.Source{}, false
}
