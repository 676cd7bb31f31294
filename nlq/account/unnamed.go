package account

import (
	"slices"

	"quern/english"
	"quern/nlq/feature"
	"quern/nlq/schema"
)

// takeUnnamed says of the words of which nothing is known that they were taken for a
// column that is used and that no word names, if there is one such.
func (t Text) takeUnnamed(u *uses, words []Word) {
	unnamed := t.unnamed(u, words)
	if len(unnamed) != 1 {
		return
	}
	for i := range words {
		if w := &words[i]; w.Use == Lost && !w.Strict && t.Features.Kinds[w.First] == feature.Plain {
			w.Means, w.column = t.columnName(unnamed[0]), unnamed[0]
		}
	}
}

// unnamed returns the columns that are used and that no word names, those of links
// and those by which people call rows left out.
func (t Text) unnamed(u *uses, words []Word) []int {
	var all []int
	for id := range u.columns {
		c := t.View.Columns[id]
		isLabel := slices.ContainsFunc(c.Words, english.Labels.Has) || slices.Contains(t.View.LabelsOf(c.Table), id)
		pointed := slices.ContainsFunc(words, func(w Word) bool { return w.column == id })
		if !pointed && !t.isLink(id) && !isLabel && !c.Key() {
			all = append(all, id)
		}
	}
	slices.Sort(all)
	return all
}

// Unnamed returns how many columns a query uses that no word of the text names.
func (t Text) Unnamed(r Reading) int {
	u := usesOf(t.View, r.Query)
	var words []Word
	for i := range t.Features.Tokens {
		words = append(words, t.word(u, r, i))
	}
	return len(t.unnamed(u, words))
}

// isLink reports whether a link begins or ends at a column.
func (t Text) isLink(column int) bool {
	return slices.ContainsFunc(t.View.Links, func(l schema.Link) bool { return l.From == column || l.To == column })
}
