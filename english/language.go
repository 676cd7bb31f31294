package english

import (
	"slices"
	"strings"
	"unicode"
)

// foreign are the words that hold sentences together in other languages, in the order
// of foreign.txt.
var foreign = func() (all []language) {
	for _, e := range read("foreign.txt") {
		at := slices.IndexFunc(all, func(l language) bool { return l.name == e.section })
		if at < 0 {
			at = len(all)
			all = append(all, language{e.section, map[string]bool{}})
		}
		all[at].words[e.word] = true
	}
	return all
}()

type language struct {
	name  string
	words map[string]bool
}

// LanguageOf returns the language other than English that a text is in, as English
// calls it; empty when it may well be English.
func LanguageOf(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) })
	own := 0
	for _, w := range words {
		if FunctionWords.Has(w) || Interrogatives.Has(w) || Commands.Has(w) {
			own++
		}
	}
	const least = 2 // words
	best, most := "", max(least-1, own)
	for _, l := range foreign {
		n := 0
		for _, w := range words {
			if l.words[w] && !FunctionWords.Has(w) {
				n++
			}
		}
		if n > most && 4*n >= len(words) {
			best, most = l.name, n
		}
	}
	return Capitalize(best)
}
