package embedded

import (
	"slices"
	"strings"

	"quern"
	"quern/nlq/feature"
	"quern/nlq/lex"
	"quern/nlq/schema"
	"quern/tree"
)

// mostIgnored is the share of a question's words that a reading may have nothing
// to do with; beyond it the reading is of another question. It was chosen on the
// open question sets (docs/translator.md, Numbers).
const mostIgnored = 0.74

// ignoresMost reports whether a candidate has to do with too few of the words that
// the question is about.
func (a *attempt) ignoresMost(c *candidate) bool {
	about, ignored := a.asked.Ignored(c.tokens)
	return about > 0 && float64(ignored)/float64(about) > mostIgnored
}

// leavesOut reports whether the text holds a value of the data that a reading has
// nothing to do with: not the value, nor a column or dataset that the word names,
// holds or is near to; or the name of a dataset that no link leads to.
func (a *attempt) leavesOut(c *candidate) bool {
	taken := a.constantWords(c)
	for i, t := range a.features.Tokens {
		word := strings.ToLower(t.Text)
		if taken[i] || lex.Function(word) || lex.Thin(word) || lex.Command(word) || a.asked.Concerns(c.tokens, i) || a.namesSource(c, i) {
			continue
		}
		if a.namesUnlinked(c, i) {
			return true
		}
		for id, of := range a.view.Columns {
			if _, whole := a.relation(i, id); whole && isSurelyValue(t, a.features.Kinds[i], of) {
				return true
			}
		}
	}
	return false
}

// namesSource reports whether a word names a column of the datasets that a reading
// reads, or one of them.
func (a *attempt) namesSource(c *candidate, word int) (names bool) {
	a.eachColumn(c, func(_ tree.Column, _ schema.Column, id int) {
		name, _ := a.relation(word, id)
		names = names || name
	})
	return names
}

// namesUnlinked reports whether a word is the name of datasets to none of which
// links lead from those that a reading reads.
func (a *attempt) namesUnlinked(c *candidate, word int) bool {
	if !slices.Contains(a.features.Tables[word], feature.TableExact) {
		return false
	}
	reached := make([]bool, len(a.view.Tables))
	a.eachColumn(c, func(_ tree.Column, of schema.Column, _ int) { reached[of.Table] = true })
	for range a.view.Tables {
		for _, l := range a.view.Links {
			from, to := a.view.Columns[l.From].Table, a.view.Columns[l.To].Table
			either := reached[from] || reached[to]
			reached[from], reached[to] = either, either
		}
	}
	for t, relation := range a.features.Tables[word] {
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
	case of.Type != quern.Text || of.Values == nil:
		return false
	case kind == feature.Capitalised || kind == feature.Quoted:
		return true
	}
	_, exact := of.Values.Exact(lex.Fold(t.Text))
	return exact && kind == feature.Plain && isCategory(of)
}
