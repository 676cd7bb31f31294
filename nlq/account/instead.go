package account

import (
	"cmp"
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/feature"
)

// mostInstead is how many other meanings of a word are told.
const mostInstead = 3

// Instead returns what else a word could mean: the columns that it names or is near
// to, and then those that are of the kind of the one that it was taken for, in the
// same dataset; each with the text in which the column's name stands for the word.
func (t Text) Instead(w Word) []quern.Meaning {
	type other struct{ column, near int }
	var others []other
	for id := range t.View.Columns {
		near := t.nearness(w, id)
		if near > 0 && id != w.column {
			others = append(others, other{id, near})
		}
	}
	slices.SortStableFunc(others, func(a, b other) int { return cmp.Compare(b.near, a.near) })
	var all []quern.Meaning
	for _, o := range others[:min(len(others), mostInstead)] {
		all = append(all, quern.Meaning{Means: t.columnName(o.column), Question: t.rewritten(w, o.column)})
	}
	return all
}

// nearness returns how well a column may stand for a word: 0 not at all.
func (t Text) nearness(w Word, column int) int {
	const sibling = 1
	best := 0
	for i := w.First; i <= w.Last; i++ {
		relation := t.Features.Columns[i][column]
		switch name := nameRelation(relation); {
		case name > 0:
			best = max(best, feature.ColumnRelations+int(name))
		case isLike(relation):
			best = max(best, int(relation))
		}
	}
	if best > 0 || w.column < 0 {
		return best
	}
	c, as := t.View.Columns[column], t.View.Columns[w.column]
	if c.Table == as.Table && c.Type.Class() == as.Type.Class() && !slices.ContainsFunc(c.Words, english.KeyNames.Has) {
		return sibling
	}
	return 0
}

// rewritten returns the text with a column's name in the place of a word.
func (t Text) rewritten(w Word, column int) string {
	return t.Exchanged(w, strings.Join(t.View.Columns[column].Words, " "))
}

// Exchanged returns the text with others in the place of a word.
func (t Text) Exchanged(w Word, words string) string {
	start, end := t.Features.Tokens[w.First].Start, t.Features.Tokens[w.Last].End
	return t.Text[:start] + words + t.Text[end:]
}
