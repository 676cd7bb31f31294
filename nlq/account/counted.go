package account

import (
	"maps"
	"slices"

	"quern/english"
	"quern/nlq/schema"
)

// tellsApart reports whether a token only stands before what rows are told apart by:
// each kind of weather.
func (t Text) tellsApart(token int) bool {
	return english.Sorts.Has(t.lower(token)) && token+1 < len(t.Features.Tokens) && t.lower(token+1) == "of"
}

// isPer reports whether a token is what a column counts by and not what it holds: a
// price per night is no number of nights.
func (t Text) isPer(token, column int) bool {
	words := t.View.Columns[column].Words
	at := slices.Index(words, "per")
	if at < 0 || token > 0 && beforePer[t.lower(token-1)] {
		return false
	}
	return slices.Contains(english.Stems(words[at+1:]), english.Stem(t.lower(token)))
}

// beforePer are the words before what something is counted by.
var beforePer = map[string]bool{"per": true, "a": true, "an": true, "each": true, "every": true}

// countsPieces reports whether a token stands for how many something is of, as does a
// column that is used, and says which: pieces, of a column qty.
func (t Text) countsPieces(u *uses, w *Word) bool {
	if !english.Quantities.Has(t.lower(w.First)) {
		return false
	}
	for _, id := range slices.Sorted(maps.Keys(u.columns)) {
		if isQuantity(t.View.Columns[id]) {
			w.Use, w.Same, w.column, w.Means = Near, true, id, t.columnName(id)
			return true
		}
	}
	return false
}

// isQuantity reports whether a column says how many.
func isQuantity(c schema.Column) bool {
	return len(c.Words) > 0 && english.Quantities.Has(c.Words[len(c.Words)-1])
}
