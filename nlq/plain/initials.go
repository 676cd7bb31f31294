package plain

import (
	"regexp"
	"slices"
	"strings"

	"quern/english"
	"quern/nlq/lex"
)

// wordOf finds the words of a text.
var wordOf = regexp.MustCompile(`\pL+`)

// inInitials returns the words of a text whose first letters are the name of a column of yes and
// no that says nothing else, as that name: direct debit is dd, where clients have a column dd.
func (r Rules) inInitials(text string) (changes []english.Change) {
	names, words := r.initials(), wordOf.FindAllStringIndex(text, -1)
	for i := 0; i < len(words); i++ {
		meant, many := "", 0
		for _, name := range names {
			n := spelledBy(name, text, words[i:])
			switch {
			case n > 0 && many > 0 && name != meant:
				return nil // it may be either
			case n > 0 && !r.namesAny(text, words[i:i+n]):
				meant, many = name, n
			}
		}
		if many > 0 {
			changes = append(changes, english.Change{Start: words[i][0], End: words[i+many-1][1], By: meant})
			i += many - 1
		}
	}
	return changes
}

// namesAny reports whether one of some words names something in the data, or is of a value there.
func (r Rules) namesAny(text string, words [][]int) bool {
	return slices.ContainsFunc(words, func(at []int) bool {
		word := strings.ToLower(text[at[0]:at[1]])
		return r.IsNamed(word) || r.IsOfData(word) || r.Whole.HoldsWord(word)
	})
}

// initials returns the names of columns of yes and no that may be the first letters of words:
// they are one word, and none that people know.
func (r Rules) initials() (names []string) {
	for _, c := range r.Whole.Columns {
		name := strings.ToLower(c.Name)
		if len(name) <= 1 || len(c.Words) != 1 || c.Words[0] != name || !isBones(name) && r.Vectors.IsWord(name) {
			continue
		}
		if _, _, isYesNo := c.Truth(); isYesNo {
			names = append(names, name)
		}
	}
	return names
}

// isBones reports whether a name has no vowels.
func isBones(name string) bool { return !strings.ContainsAny(name, "aeiou") }

// spelledBy returns how many of some words a name is made of: their first letters (dd), or the
// first letter of one and all of the next (ddebit); 0 when it is not. None of the words only
// holds the sentence together.
func spelledBy(name, text string, words [][]int) int {
	rest := name
	for k, at := range words {
		word := strings.ToLower(text[at[0]:at[1]])
		isApart := k > 0 && strings.TrimSpace(text[words[k-1][1]:at[0]]) != ""
		if isApart || word[0] != rest[0] || lex.Function(word) || lex.Thin(word) || len(word) <= 1 {
			return 0
		}
		if k > 0 && word == rest {
			return k + 1
		}
		if rest = rest[1:]; rest == "" {
			if k == 0 || !isBones(name) {
				return 0
			}
			return k + 1
		}
	}
	return 0
}
