package feature

import (
	"quern/english"
	"quern/nlq/schema"
)

const (
	// shortestMisspelt is the fewest letters of a word that may be misspelt.
	shortestMisspelt = 5
	// longMisspelt is how many letters a word has that may have two mistakes.
	longMisspelt = 8
)

// respell takes a word that nobody knows, and that no value has, for the one word
// of a name that it is a letter from, or two where it is long.
func (q *question) respell(s *schema.Schema, v Vectors) {
	for i, w := range q.lower {
		if q.ids[i] != unknownID || !q.content[i] || q.kinds[i] != Plain || len(w) < shortestMisspelt || q.inValues(s, i) {
			continue
		}
		if meant, ok := nearestName(s, w); ok {
			q.stems[i], q.ids[i] = english.Stem(meant), v.ID(meant)
		}
	}
}

// inValues reports whether a value of some column has a token's words.
func (q *question) inValues(s *schema.Schema, i int) bool {
	for c := range s.Columns {
		for _, stem := range q.folded[i] {
			if v := s.Columns[c].Values; v != nil && v.Holds(stem) {
				return true
			}
		}
	}
	return false
}

// nearestName returns the word of a table's or a column's name that a misspelt word
// is nearest to; ok is false when none is near or two are, or when it is one.
func nearestName(s *schema.Schema, w string) (meant string, ok bool) {
	best := 2
	if len(w) >= longMisspelt {
		best = 3
	}
	stem := ""
	compare := func(name string) {
		if len(name) < shortestMisspelt-1 {
			return
		}
		for _, form := range []string{name, name + "s"} {
			n, near := schema.Distance(w, form, best)
			switch {
			case !near || n > best || n == best && (stem == "" || stem == english.Stem(name)):
			case n == best:
				ok = false
			default:
				best, meant, stem, ok = n, name, english.Stem(name), n > 0
			}
		}
	}
	compareAll := func(words []string, others [][]string) {
		for _, name := range append([][]string{words}, others...) {
			for _, word := range name {
				compare(word)
			}
		}
	}
	for i := range s.Tables {
		compareAll(s.Tables[i].Words, s.Tables[i].Names)
	}
	for i := range s.Columns {
		compareAll(s.Columns[i].Words, s.Columns[i].Names)
	}
	return meant, ok
}
