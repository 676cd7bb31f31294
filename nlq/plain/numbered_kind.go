package plain

import (
	"slices"
	"strings"

	"quern"
	"quern/english"
	"quern/nlq/lex"
	"quern/nlq/schema"
)

// longestCode is how many letters stand at most before the number of a value: Y3, tbl 4.
const longestCode = 4

// inNumberedKinds returns the numbers of a text behind the name of a column of kinds whose values
// are a letter or more of it and a number, as those values: year 3 is Y3, and rooms 2 and 4 are R2
// and R4.
func (r Rules) inNumberedKinds(text string) (changes []english.Change) {
	tokens := lex.Tokens(text)
	kind := ""
	for i, t := range tokens {
		word := strings.ToLower(t.Text)
		switch number, isNumber := lex.Number(word); {
		case isNumber && kind != "":
			if code, ok := r.codeOf(kind, number); ok && !lex.IsOrdinal(word) {
				changes = append(changes, english.Change{Start: t.Start, End: t.End, By: code})
			}
		case isNumber, i > 0 && kind != "" && (word == "and" || word == "or" || word == "," || word == "number" || word == "no"):
		default:
			kind = word
		}
	}
	return changes
}

// codeOf returns the one value of the columns that a word names that is a number behind letters of
// that word; ok is false where such a column has numbers alone, or values that the text has already.
func (r Rules) codeOf(kind, number string) (code string, ok bool) {
	kind = english.Singular(kind)
	if r.Whole.HasValue(kind + " " + number) {
		return "", false
	}
	for _, c := range r.Whole.Columns {
		if !slices.Contains(c.Words, kind) {
			continue
		}
		if c.Type != quern.Text || c.Values == nil {
			return "", false
		}
		found, has := codeIn(c, kind, number)
		if !has {
			continue
		}
		if code != "" && code != found {
			return "", false
		}
		code = found
	}
	return code, code != ""
}

// codeIn returns the value of a column that is a number behind letters that a word has in short.
func codeIn(c schema.Column, kind, number string) (code string, ok bool) {
	for _, v := range c.Values.All() {
		letters := strings.TrimRight(strings.ToLower(v), "0123456789")
		digits := strings.TrimLeft(v[len(letters):], "0")
		letters = strings.Trim(letters, " -_.")
		if digits != number || letters == "" || len(letters) > longestCode || !isInShort(letters, kind) {
			continue
		}
		if ok {
			return "", false
		}
		code, ok = v, true
	}
	return code, ok
}

// isInShort reports whether letters are of a word in their order, from its first on: yr of year.
func isInShort(letters, word string) bool {
	if word == "" || letters[0] != word[0] {
		return false
	}
	for _, l := range letters {
		at := strings.IndexRune(word, l)
		if at < 0 {
			return false
		}
		word = word[at+1:]
	}
	return true
}
