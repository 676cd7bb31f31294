package english

import "strings"

// spelled are the words that are put right where they are misspelt.
var spelled = marked("spelled.txt")

var (
	typed = func() map[string]string {
		all := map[string]string{}
		for _, e := range read("typed.txt") {
			all[e.word] = e.fields[0]
		}
		return all
	}()
	typedPattern = marked("typed.txt").Finder()
)

// Typed writes out the words of a text that people type in a hurry, but for those that
// the caller knows: b4 is before.
func Typed(text string, known func(word string) bool) string {
	return typedPattern.ReplaceAllStringFunc(text, func(word string) string {
		if lower := strings.ToLower(word); !known(lower) && word != strings.ToUpper(word) {
			return typed[lower]
		}
		return word
	})
}

// Respell returns the word that a misspelt one is meant to be: the one word of those
// that many questions have from which it is one letter, or two that changed places, away.
// ok is false when there is none, or several.
func Respell(word string) (right string, ok bool) {
	const shortest = 4
	if len(word) < shortest || spelled.Has(word) {
		return "", false
	}
	for _, w := range spelled.words {
		if len(w) < shortest || !oneAway(word, w) {
			continue
		}
		if right != "" {
			return "", false
		}
		right = w
	}
	return right, right != ""
}

// oneAway reports whether two words differ in one letter, which one may lack, or in the
// order of two neighbours.
func oneAway(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	if i == len(a) {
		return false
	}
	swapped := i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
	return swapped || a[i+1:] == b[i+1:]
}
