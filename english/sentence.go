package english

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// List joins texts as people do, the last behind a word: "a, b and c".
func List(all []string, last string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " " + last + " " + all[len(all)-1]
}

// Capitalize returns a text that begins with a capital letter.
func Capitalize(text string) string {
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 || r == utf8.RuneError {
		return text
	}
	return string(unicode.ToUpper(r)) + text[size:]
}

// EndSentence returns a text with a full stop, unless it ends in a mark that ends
// sentences.
func EndSentence(text string) string {
	if text = strings.TrimSpace(text); text == "" || strings.ContainsRune(".?!", rune(text[len(text)-1])) {
		return text
	}
	return text + "."
}
