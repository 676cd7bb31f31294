package account

import (
	"slices"
	"strings"

	"quern/english"
)

// reaches are the sorts of things by which somebody is reached, of which none is another.
var reaches = map[string]bool{"contact": true, "place": true}

// isSibling reports whether a word asks for something of a sort of which the query has
// another one alone: a phone, where it shows an e-mail address. Nothing in the data may be
// named by the word.
func (t Text) isSibling(u *uses, w *Word) bool {
	sort, kind, ok := english.Sibling(t.lower(w.First))
	if !ok || t.isWholeAddress(u, w.First) {
		return false
	}
	for _, c := range t.View.Columns {
		if slices.ContainsFunc(c.Words, func(word string) bool { s, k, ok := english.Sibling(word); return ok && s == sort && k == kind }) {
			return false
		}
	}
	for id := range u.columns {
		if slices.ContainsFunc(t.View.Columns[id].Words, func(word string) bool {
			s, _, ok := english.Sibling(word)
			return ok && (s == sort || reaches[s] && reaches[sort])
		}) {
			return true
		}
	}
	return false
}

// isWholeAddress reports whether a token is the second word for what a used column holds: an
// email address.
func (t Text) isWholeAddress(u *uses, token int) bool {
	if token == 0 {
		return false
	}
	sort, kind, said := english.Sibling(strings.TrimPrefix(t.lower(token-1), "e-"))
	isSaid := func(word string) bool { s, k, ok := english.Sibling(word); return ok && s == sort && k == kind }
	for id := range u.columns {
		if said && slices.ContainsFunc(t.View.Columns[id].Words, isSaid) {
			return true
		}
	}
	return false
}
