package english

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

var (
	phrases = fieldsOf("phrases.txt")
	// phrasesBy are the phrases by their first words, longest first.
	phrasesBy = func() map[string][]string {
		by := map[string][]string{}
		for phrase := range phrases {
			first := firstWord(phrase)
			by[first] = append(by[first], phrase)
		}
		for _, all := range by {
			slices.SortFunc(all, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
		}
		return by
	}()
)

// firstWord returns the letters and digits that a text begins with.
func firstWord(text string) string {
	end := strings.IndexFunc(text, func(r rune) bool { return !IsWordRune(r) })
	if end < 0 {
		end = len(text)
	}
	return text[:end]
}

// Rephrase replaces the phrases of a text for which one word stands, where that is a word
// that the caller knows: called off is cancelled. It returns what it replaced, and by what.
func Rephrase(text string, known func(word string) bool) (said string, replaced [][2]string) {
	var b strings.Builder
	for rest := text; rest != ""; {
		first := firstWord(rest)
		if first == "" {
			_, size := utf8.DecodeRuneInString(rest)
			b.WriteString(rest[:size])
			rest = rest[size:]
			continue
		}
		said, by := first, ""
		if phrase, ok := phraseAt(rest, strings.ToLower(first)); ok && !known(strings.ToLower(phrase)) {
			if i := slices.IndexFunc(phrases[strings.ToLower(phrase)], known); i >= 0 {
				said, by = phrase, phrases[strings.ToLower(phrase)][i]
			}
		}
		if by == "" {
			b.WriteString(first)
		} else {
			replaced = append(replaced, [2]string{said, by})
			b.WriteString(by)
		}
		rest = rest[len(said):]
	}
	return b.String(), replaced
}

// phraseAt returns the longest phrase that a text begins with.
func phraseAt(text, first string) (phrase string, ok bool) {
	for _, p := range phrasesBy[first] {
		if len(text) < len(p) || !strings.EqualFold(text[:len(p)], p) {
			continue
		}
		if next, _ := utf8.DecodeRuneInString(text[len(p):]); len(text) == len(p) || !IsWordRune(next) {
			return text[:len(p)], true
		}
	}
	return "", false
}
