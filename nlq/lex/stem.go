package lex

import "quern/english"

// Stem returns what a word has in common with its other forms.
func Stem(word string) string { return english.Stem(word) }
