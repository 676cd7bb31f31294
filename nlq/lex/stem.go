package lex

import "quern/english"

// Stem returns what a word has in common with its other forms.
func Stem(word string) string { return english.Stem(word) }

// Stems returns the stem of each word.
func Stems(words []string) []string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = english.Stem(w)
	}
	return all
}

// Aliases returns what else a value may be written as that a folded text means.
func Aliases(folded string) []string { return english.Aliases(folded) }
