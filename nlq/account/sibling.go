package account

import (
	"slices"

	"quern/english"
)

// isSibling reports whether a word asks for something of a sort of which the query has
// another one alone: a phone, where it shows an e-mail address. Nothing in the data may be
// named by the word.
func (t Text) isSibling(u *uses, w *Word) bool {
	sort, kind, ok := english.Sibling(t.lower(w.First))
	if !ok {
		return false
	}
	for _, c := range t.View.Columns {
		if slices.ContainsFunc(c.Words, func(word string) bool { s, k, ok := english.Sibling(word); return ok && s == sort && k == kind }) {
			return false
		}
	}
	for id := range u.columns {
		if slices.ContainsFunc(t.View.Columns[id].Words, func(word string) bool { s, _, ok := english.Sibling(word); return ok && s == sort }) {
			return true
		}
	}
	return false
}
