package english

import "strings"

var (
	phrases       = fieldsOf("phrases.txt")
	phrasePattern = marked("phrases.txt").Finder()
)

// Rephrase replaces the phrases of a text for which one word stands, where that is a word
// that the caller knows: called off is cancelled. It returns what it replaced, and by what.
func Rephrase(text string, known func(word string) bool) (said string, replaced [][2]string) {
	said = phrasePattern.ReplaceAllStringFunc(text, func(phrase string) string {
		lower := strings.ToLower(phrase)
		if known(lower) {
			return phrase
		}
		for _, word := range phrases[lower] {
			if known(word) {
				replaced = append(replaced, [2]string{phrase, word})
				return word
			}
		}
		return phrase
	})
	return said, replaced
}
