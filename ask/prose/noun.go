package prose

import (
	"strings"
	"unicode"

	"quern/english"
)

// Noun names n rows of a dataset by its name: "order", "orders", "rows of log 2".
func Noun(name string, n int64) string {
	at := strings.LastIndexByte(name, ' ') + 1
	last := strings.ToLower(name[at:])
	switch {
	case name == "" || last == "rows":
		return Rows(n)
	case !isCountable(name):
		return rowsOf(" of "+name, n)
	case n == 1:
		return name[:at] + inCaseOf(name[at:], english.Singular(last))
	}
	return name[:at] + inCaseOf(name[at:], english.Plural(english.Singular(last)))
}

// isCountable reports whether a name is a noun that can be counted.
func isCountable(name string) bool {
	last := strings.ToLower(name[strings.LastIndexByte(name, ' ')+1:])
	return isPlainWords(name) && !english.Uncountable.Has(last)
}

// Rows is the word for n rows.
func Rows(n int64) string { return rowsOf("", n) }

func rowsOf(what string, n int64) string { return numbered("row", n) + what }

// numbered returns a noun in the form for n.
func numbered(noun string, n int64) string {
	if n == 1 {
		return noun
	}
	return english.Plural(noun)
}

// inCaseOf returns a word in the capital and small letters of another that differs
// at its end only.
func inCaseOf(written, word string) string {
	if strings.ToLower(written) == word {
		return written
	}
	same := 0
	for same < len(written) && same < len(word) && unicode.ToLower(rune(written[same])) == rune(word[same]) {
		same++
	}
	return written[:same] + word[same:]
}

// isPlainWords reports whether a name is English words that a sentence can use.
func isPlainWords(name string) bool {
	for _, word := range strings.Fields(name) {
		if len(word) < 3 {
			return false
		}
		for i, r := range word {
			inner := i > 0 && unicode.IsUpper(r)
			if r > unicode.MaxASCII || !unicode.IsLetter(r) || inner {
				return false
			}
		}
	}
	return name != ""
}
