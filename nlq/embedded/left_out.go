package embedded

import (
	"slices"
	"strings"

	"quern/nlq/feature"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// mostIgnored is the share of a question's words that a reading may have nothing
// to do with; beyond it the reading is of another question. Set by hand
// (docs/translator.md, Thresholds).
const mostIgnored = 0.74

// ignoresMost reports whether a candidate has to do with too few of the words that
// the question is about.
func (g *grounding) ignoresMost(c *candidate) bool {
	about, ignored := g.asked.Ignored(c.tokens)
	return about > 0 && float64(ignored)/float64(about) > mostIgnored
}

// leavesOut reports whether the text holds a value of the data that a reading has
// nothing to do with: not the value, nor a column or dataset that the word names,
// holds or is near to; or the name of a dataset that no link leads to.
func (g *grounding) leavesOut(c *candidate) bool {
	taken := g.constantWords(c)
	for i, t := range g.Features.Tokens {
		word := strings.ToLower(t.Text)
		if taken[i] || g.isAsked(word) || lex.Function(word) || lex.Thin(word) || lex.Command(word) || g.asked.Concerns(c.tokens, i) || g.namesSource(c, i) {
			continue
		}
		if g.namesUnlinked(c, i) {
			return true
		}
		for id, of := range g.View.Columns {
			if _, whole := g.relation(i, id); whole && isSurelyValue(t, g.Features.Kinds[i], of) {
				return true
			}
		}
	}
	return false
}

// namesSource reports whether a word names a column of the datasets that a reading
// reads, or one of them.
func (g *grounding) namesSource(c *candidate, word int) (names bool) {
	g.eachColumn(c, func(_ tree.Column, _ schema.Column, id int) {
		name, _ := g.relation(word, id)
		names = names || name
	})
	return names
}

// namesUnlinked reports whether a word is the name of datasets to none of which
// links lead from those that a reading reads.
func (g *grounding) namesUnlinked(c *candidate, word int) bool {
	if !slices.Contains(g.Features.Tables[word], feature.TableExact) {
		return false
	}
	reached := make([]bool, len(g.View.Tables))
	g.eachColumn(c, func(_ tree.Column, of schema.Column, _ int) { reached[of.Table] = true })
	for range g.View.Tables {
		for _, l := range g.View.Links {
			from, to := g.View.Columns[l.From].Table, g.View.Columns[l.To].Table
			either := reached[from] || reached[to]
			reached[from], reached[to] = either, either
		}
	}
	for t, relation := range g.Features.Tables[word] {
		if relation == feature.TableExact && reached[t] {
			return false
		}
	}
	return true
}

// isSurelyValue reports whether a word of a value is hardly one by accident: it is
// written like a name, or is all of a value of a column of categories.
func isSurelyValue(t lex.Token, kind uint8, of schema.Column) bool {
	switch {
	case !of.Named():
		return false
	case kind == feature.Capitalised || kind == feature.Quoted:
		return true
	}
	_, exact := of.Values.Exact(lex.Fold(t.Text))
	return exact && kind == feature.Plain && of.Category()
}
