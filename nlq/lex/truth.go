package lex

import "strings"

// truths are the ways to write yes and no.
var truths = [][2]string{{"yes", "no"}, {"true", "false"}, {"y", "n"}, {"t", "f"}, {"1", "0"}}

// Truth reads a word for yes or no.
func Truth(word string) (yes, ok bool) {
	word = strings.ToLower(strings.TrimSpace(word))
	for _, t := range truths {
		if word == t[0] || word == t[1] {
			return word == t[0], true
		}
	}
	return false, false
}

// Untruth returns the opposite of a word for yes or no, in small letters.
func Untruth(word string) (opposite string, ok bool) {
	word = strings.ToLower(strings.TrimSpace(word))
	for _, t := range truths {
		switch word {
		case t[0]:
			return t[1], true
		case t[1]:
			return t[0], true
		}
	}
	return "", false
}
